// The place Library: files of the workspace, games of a text or an archive, and a database of games.

import {download} from "../lib/files.js";
import {html, signal, useEffect} from "../lib/view.js";
import {amount} from "../state/words.js";
import {place, visit} from "../store/address.js";
import * as archives from "../store/archives.js";
import {openFile} from "../store/files.js";
import {blobOf, broken, erase, files, importArchive, kinds, listed, loadAll, more, rename} from "../store/library.js";
import {dialog, guarded, tell} from "../store/messages.js";
import {check, openRow, openText} from "../store/open.js";
import {mine} from "../store/sets.js";
import {load} from "../store/trees.js";
import {RenameDialog} from "../ui/dialogs.js";
import {SearchList} from "../ui/lists.js";
import {Button, EmptyState, Progress} from "../ui/parts.js";
import {Database} from "./database.js";

const renamed = signal(null); // {row, error}: the file that is to be renamed
const sought = signal({text: "", from: 0}); // in the list of files

const show = (kind, name) => visit({place: "library", ...(kind !== "all" && {kind}), ...(name && {name})});

// What opens a row, by its kind.
const opens = {
  games: ({name}) => openFile(name),
  archives: ({name}) => show("archives", name),
  searches: async ({name}) => {
    await load(name);
    visit({place: "board"});
  },
  certificates: ({name, position}) => check({certificate: name}, position && {position}),
  runs: async row => openText(await (await blobOf(row)).text(), `${row.name}.jsonl`),
};
const pick = guarded(row => opens[row.of](row));

const suffixes = {certificates: ".proof", runs: ".jsonl"};
const save = guarded(async row => download(await blobOf(row), row.name + suffixes[row.of]));

const actions = row => [
  ...suffixes[row.of] ? [{icon: "save", label: "Save as a file", run: () => save(row)}] : [],
  {icon: "edit", label: "Rename", run: () => (renamed.value = {row, error: ""}, dialog.value = "rename")},
  {icon: "bin", label: "Delete", run: () => erase(row)},
];

export function LibraryPlace() {
  const {kind = "all", name} = place.value, listing = archives.list.value;
  useEffect(() => void loadAll(), []);
  const filters = [{id: "all", label: "All"}, ...Object.entries(kinds).map(([id, {label}]) => ({id, label})), {id: "database", label: "Database"},
    ...listing?.kind === "text" ? [{id: "text", label: listing.name.length > 24 ? listing.name.slice(0, 23) + "…" : listing.name}] : []];
  const props = {filters, filter: kind, onFilter: id => show(id)};
  let content;
  if (kind === "database") content = html`<${Database} ...${props} tab=${name} />`;
  else if (kind === "text" || kind === "archives" && name) content = html`<${Games} ...${props} kind=${kind} name=${name} />`;
  else content = html`<${Files} ...${props} name=${name} />`;
  return html`<main class="place-library"><h2 class="unseen">Library</h2>${content}<${Rename} /></main>`;
}

// The files of the workspace.
function Files({filters, filter, onFilter, name}) {
  const rows = files.value.filter(r => filter === "all" || r.of === filter);
  const empty = !listed.value ? html`<${Progress} label="The list is loading" />`
    : broken.value ? html`<${EmptyState} icon="library" title="No workspace" text=${broken.value} />`
      : html`<${EmptyState} icon="library" title="Nothing here yet" text="Games that you comment on, searches and proofs that you keep, and
        archives that you import appear here. Open a file, or drop one onto the page."><${Button} icon="open"
        onClick=${() => dialog.value = "open"}>Open a file<//><//>`;
  return html`<${SearchList} id="library" label="Library" rows=${rows} filters=${filters} filter=${filter} onFilter=${onFilter}
    current=${name && `${filter} ${name}`} onPick=${pick} actions=${actions} empty=${empty} sought=${sought.value} onSought=${s => sought.value = s}
    head=${more.value && html`<p class="dim">The workspace has more files than are listed.</p>`} />`;
}

function Rename() {
  const r = renamed.value, close = () => dialog.value = "";
  const take = async to => {
    try {
      await rename(r.row, to);
      if (renamed.value?.row === r.row) close();
    } catch (error) {
      renamed.value = {...r, error: error.message};
    }
  };
  return html`<${RenameDialog} id="rename" title=${r ? `Rename the ${r.row.kind}` : "Rename"} name=${r?.row.name} error=${r?.error}
    open=${dialog.value === "rename"} onClose=${close} onName=${take} />`;
}

// The games of an archive, or what was found in a text.
function Games({filters, filter, onFilter, kind, name}) {
  useEffect(() => {
    if (kind === "archives") archives.listArchive(name).catch(error => {
      tell(error.message, {tone: "lost"});
      show("archives");
    });
  }, [kind, name]);
  const listing = archives.list.value, here = listing && listing.kind === kind && (kind === "text" || listing.name === name) ? listing : null;
  const [up, label] = kind === "archives" ? ["archives", "Archives"] : ["all", "All"];
  const back = html`<${Button} icon="back" onClick=${() => show(up)}>${label}<//>`;
  if (!here && kind === "text") return html`<${EmptyState} icon="library" title="The text is not here any more"
    text="The page keeps what was opened only until it is loaded again. Open it again, or import archives into the Library."><${Button} icon="open"
    onClick=${() => dialog.value = "open"}>Open<//>${back}<//>`;
  const head = here && html`<div class="bar"><h3>${here.name}</h3><span class="dim">${amount(here.rows.length, here.games ? "game" : "position")}
      ${here.more && ", and more that are not listed"}</span>
    <span class="buttons">${back}${here.file && listed.value && !broken.value && html`<${Button} icon="library"
      onClick=${() => importArchive(here.file)}>Import into the Library<//>`}
    ${here.games && html`<${Button} icon="puzzle" onClick=${guarded(() => mined(here))}>Mine puzzles<//>`}</span></div>`;
  return html`<${SearchList} id="library" label=${here ? here.name : name} rows=${here ? archives.rows.value : []} filters=${filters} filter=${filter}
    onFilter=${onFilter} onPick=${openRow} sought=${archives.sought.value} onSought=${s => archives.sought.value = s} head=${head}
    empty=${!here && html`<div class="empty"><p>Reading the archive</p><${Progress} label="Reading the archive" /></div>`} />`;
}

// Begins to mine the puzzles of a list.
const mined = async ({kind, name, file}) => mine(kind === "archives" ? {archive: name} : {text: await file.text(), name});
