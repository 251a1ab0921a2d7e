// The lower card of the place Puzzles: a set with its tabs, to train on, to verify and to mine.

import {html, useEffect, useState} from "../lib/view.js";
import {textOf} from "../lib/files.js";
import {ending, over, progress} from "../state/jobs.js";
import {allThemes, findings, lengths, remarks, shown} from "../state/sets.js";
import {amount} from "../state/words.js";
import {guarded} from "../store/messages.js";
import {facts} from "../store/studio.js";
import {archives, change, compare, draft, fresh, keep, lists, mineDraft, name, openSet, pending, preview, read, runs, save, set, sets, show, stop,
  tab, trainDraft, verifyDraft, wrong} from "../store/sets.js";
import {board, pick, row} from "../store/exercise.js";
import {SeenBoard} from "../ui/boards.js";
import {Button, EmptyState, FileButton, Progress, Tabs, roving} from "../ui/parts.js";
import {Shelf} from "../ui/puzzles.js";
import {Choice, TrainTab} from "./shelves.js";

const instead = ": goalproof verify and goalproof mine read it, or put it into the workspace as NAME.tsv to mine it";

const openFile = guarded(async file => openSet(await textOf(file, instead), file.name));

// A field of the draft.
const Field = ({id, field, label, ...rest}) => html`<label class="choice" for=${id}>${label}
  <input id=${id} type="number" value=${draft.value[field]} onInput=${e => change(field, e.currentTarget.value)} ...${rest} /></label>`;
const Check = ({id, field, children}) => html`<label class="switch" for=${id}><input id=${id} type="checkbox" checked=${draft.value[field]}
  onChange=${e => change(field, e.currentTarget.checked)} /> ${children}</label>`;

const none = () => !draft.value.text.trim();

function NewTrain() {
  const found = read.value.filter(f => f.study?.position), broken = read.value.length - found.length;
  const note = [found.length && amount(found.length, "puzzle"), broken && `${broken} broken`].filter(Boolean).join(", ");
  return html`<div class="form"><p>Each puzzle whose win is proved becomes an exercise. Proving starts now, and continues while you train.</p>
    <p class="buttons"><${Button} filled disabled=${none()} onClick=${trainDraft}>Train on these<//></p></div>
    ${found.length > 0 && html`<${Shelf} title=${name.value} note=${note} onPick=${p => board.look(p.study, "", {still: true})}
      puzzles=${found.slice(0, 200).map((f, i) => ({id: i, position: f.study.position, study: f.study, label: f.name || `Puzzle ${i + 1}`,
      note: f.claim ? `claims a win in ${f.claim}` : f.about || ""}))} />`}`;
}

const NewVerify = () => html`<div class="form"><p>Are the claims and the solutions right? Every puzzle is searched.</p>
  <${Field} id="set-claim" field="claim" label="Claim of puzzles that make none, in turns" min="1" max="100" placeholder="none" />
  <${Field} id="set-each" field="each" label="Time for each, in seconds" min="1" max="86400" />
  <${Check} id="set-describe" field="describe">Find themes and difficulty, which takes several times as long<//>
  <p class="buttons"><${Button} filled disabled=${none()} onClick=${verifyDraft}>Verify<//></p></div>`;

// The themes of package puzzles/describe.
const themes = ["threat", "quiet", "zugzwang", "capture", "sacrifice", "push", "pull", "freeing", "goal", "elimination", "immobilisation"];

function NewMine() {
  const d = draft.value, toggle = t => change("themes", d.themes.includes(t) ? d.themes.filter(o => o !== t) : [...d.themes, t]);
  useEffect(lists, [facts.value]);
  return html`<div class="form"><p>Mining finds the positions of games in which the side to move wins in exactly so many turns, with one essential
      solution. Those that show one idea come once.</p>
    ${archives.value.length > 0 && html`<${Choice} id="mine-archive" label="Games of" none="the text above" value=${d.archive}
      options=${archives.value.map(a => a.name)} pick=${v => change("archive", v)} />`}
    <${Field} id="mine-in" field="win_in" label="Turns to the win" min="2" max="100" />
    <${Field} id="mine-each" field="mine_each" label="Time for each position, in seconds" min="0.1" max="86400" step="any" />
    <fieldset><legend>Themes that the solution must have, all of them</legend>${themes.map(t => html`<label class="switch" key=${t}>
      <input type="checkbox" name="theme" value=${t} checked=${d.themes.includes(t)} onChange=${() => toggle(t)} /> ${t}</label>`)}</fieldset>
    <${Check} id="mine-unique" field="unique">Only puzzles with a single solution<//>
    <p class="buttons"><${Button} filled disabled=${none() && !d.archive} onClick=${mineDraft}>Mine<//></p></div>`;
}

function NewSet() {
  const d = draft.value;
  useEffect(() => void (!read.value.length && preview()), []);
  const typed = e => {
    draft.value = {...draft.value, text: e.currentTarget.value, name: ""};
    wrong.value = "";
  };
  return html`<div class="form"><label for="set-text">Puzzles or games in any form${d.name && html` <span class="dim">from ${d.name}</span>`}</label>
      <textarea id="set-text" rows="4" spellcheck=${false} value=${d.text} onInput=${typed} onChange=${preview} />
      <p class="buttons"><${FileButton} onFile=${openFile}>Choose a file<//></p>
      ${wrong.value && html`<pre class="error" role="alert" tabIndex="0">${wrong.value}</pre>`}</div>
    <${Tabs} id="set" label="What to do with the set" value=${tab.value} pick=${id => tab.value = id} tabs=${[
      {id: "train", label: "Train", content: html`<${NewTrain} />`}, {id: "verify", label: "Verify", content: html`<${NewVerify} />`},
      {id: "mine", label: "Mine", content: html`<${NewMine} />`}]} />`;
}

// How the job of the set is.
function State() {
  const {job} = set.value;
  if (!job) return null;
  if (over(job)) return html`<p class="set-state" role="status">${ending(job)}</p>`;
  return html`<div class="searching"><${Progress} done=${job.done} total=${job.total} waits=${job.state === "waiting"} label="Progress of the set" />
    <span class="dim set-state">${progress(job)}</span><${Button} icon="stop" onClick=${stop}>Stop<//></div>`;
}

const forms = [["text", "a table"], ["html", "a report"], ["arimaa", "texts as on arimaa.com"], ["json", "this run, to compare"]];

// What is done with a set that was verified.
function More() {
  const {job, compared} = set.value, p = pending.value, done = job && over(job);
  useEffect(lists, [facts.value]);
  const earlier = guarded(async file => compare({text: await file.text()}));
  return html`<details class="more"><summary>Save and compare</summary><div class="form">
    <p class="buttons"><span class="dim">Save</span>${forms.map(([form, label]) => html`<${Button} key=${form}
      onClick=${() => save(form)}>${label}<//>`)}</p>
    ${facts.value?.keeps && done && html`<p class="buttons"><${Button} icon="save" onClick=${keep}>Keep this run<//></p>`}
    ${done ? html`<p class="buttons"><span class="dim">Compare with</span><${FileButton} onFile=${earlier}>an earlier run<//>
      ${p && html`<${Button} onClick=${() => compare({text: p.text})}>${p.name || "the run that was opened"}<//>`}</p>
      ${runs.value.length > 0 && html`<${Choice} id="set-run" label="Run of the workspace" none="choose one" value=""
        options=${runs.value.map(r => r.name)} pick=${run => run && compare({run})} />`}`
      : html`<p class="dim">It can be compared with an earlier run when all of it is verified.</p>`}
    </div></details>${compared && html`<p class="compared" role="status">${compared}</p>`}`;
}

const step = 200; // rows that are drawn at once

// The puzzles of a set that was verified or mined, with what was found.
function RowsTab() {
  const {rows, changes, job} = set.value, [filter, setFilter] = useState({finding: "", length: "", theme: ""}), [most, setMost] = useState(step);
  const choose = more => setFilter({...filter, ...more}), current = row.value?.number;
  const found = rows.flatMap((p, i) => shown(p, changes[i], filter) ? [{p, number: i + 1}] : []), seen = found.slice(0, most);
  const first = seen.some(r => r.number === current && r.p.study.position) ? current : seen.find(r => r.p.study.position)?.number;
  return html`<div class="form"><div class="between"><h2>${name.value}</h2>
      ${rows.length > 0 && html`<${Button} icon="puzzle" onClick=${() => tab.value = "train"}>Train on these<//>`}</div><${State} />
    ${rows.length > 0 && html`<p class="buttons"><${Choice} id="set-finding" label="Show" none="all" value=${filter.finding}
        options=${Object.entries(findings).map(([id, f]) => ({id, label: f.label}))} pick=${finding => choose({finding})} />
      <${Choice} id="set-length" label="Win in" options=${lengths(rows)} value=${filter.length} pick=${length => choose({length})} />
      <${Choice} id="set-theme" label="Theme" options=${allThemes(rows)} value=${filter.theme} pick=${theme => choose({theme})} /></p>
      <${More} />`}</div>
    ${found.length > 0 ? html`<table class="findings">
      <thead><tr><th scope="col">Board</th><th scope="col">Puzzle</th><th scope="col">Finding</th></tr></thead>
      <tbody onKeyDown=${roving("button")}>${seen.map(({p, number}) => html`<${Row} key=${number} puzzle=${p} number=${number}
        change=${changes[number - 1]} current=${number === current} first=${number === first} />`)}</tbody></table>
      ${found.length > most && html`<p class="buttons form"><${Button} onClick=${() => setMost(most + step)}>Show more<//>
        <span class="dim">${most} of ${found.length}</span></p>`}`
      : html`<${EmptyState} icon="search" title=${rows.length ? "No such puzzle" : "No puzzle yet"}
        text=${rows.length ? "Show all of them, or choose another length or theme."
          : !job || over(job) ? "Nothing was found. Open another set." : "Puzzles appear here as they are found."} />`}`;
}

function Row({puzzle: p, number, change, current, first}) {
  const {position} = p.study, about = [position && `${position[0] === "s" ? "silver" : "gold"} to move`, p.claim && `claims ${p.claim}`];
  const show = () => position && pick(number);
  return html`<tr aria-current=${current ? "true" : undefined} onClick=${show}>
    <td>${position && html`<${SeenBoard} position=${position} />`}</td>
    <td><button type="button" class="item" disabled=${!position} tabIndex=${first ? 0 : -1} onClick=${e => (e.stopPropagation(), show())}>
        ${p.label}</button>
      <span class="dim">${about.filter(Boolean).join(", ")}</span></td>
    <td>${p.says}${remarks(p, change).map(r => html`<div key=${r.text} class=${r.tone}>${r.text}</div>`)}</td></tr>`;
}

// What stands in place of a set that the studio has forgotten.
const Gone = () => html`<${EmptyState} icon="puzzle" title="The set is gone"
  text="The studio was started again, or newer jobs have taken its place. Open its text or file again.">
  <${Button} filled onClick=${() => show(fresh)}>Open a set<//><//>`;

export function Sets() {
  const {id, kind, gone} = set.value, list = sets.value, listed = list.some(s => s.id === id) || id === fresh;
  const tabs = [{id: "train", label: "Train", content: html`<div class="form"><${State} /></div><${TrainTab} />`},
    {id: kind, label: kind === "mine" ? "Mine" : "Verify", content: html`<${RowsTab} />`}];
  return html`<div class="card set"><div class="pick"><label for="set-pick">Set</label>
      <select id="set-pick" value=${id} onChange=${e => show(e.currentTarget.value)}>
        ${list.map(s => html`<option key=${s.id} value=${s.id}>${s.name}</option>`)}${!listed && html`<option value=${id}>${name.value}</option>`}
        <option value=${fresh}>New set</option></select>
      <${Button} icon="open" onClick=${() => show(fresh)}>New set<//></div>
    ${gone ? html`<${Gone} />` : kind === "new" ? html`<${NewSet} />`
      : kind === "verify" || kind === "mine" ? html`<${Tabs} id="set" label="The set" tabs=${tabs}
        value=${tab.value === "train" ? "train" : kind} pick=${id => tab.value = id} />` : html`<div class="panel"><${TrainTab} /></div>`}</div>`;
}
