// The page: its head, the place that is shown, and what may lie above it.

import {html} from "../lib/view.js";
import {place, visit} from "../store/address.js";
import {asked, dialog, forget, heard, toasts} from "../store/messages.js";
import {running} from "../store/studio.js";
import {Dialog, KeysHelp} from "../ui/dialogs.js";
import {Header} from "../ui/header.js";
import {Icon, IconButton} from "../ui/icons.js";
import {Announcer, Toasts} from "../ui/messages.js";
import {Button} from "../ui/parts.js";
import {BoardPlace} from "./board.js";
import {groups} from "./keys.js";
import {LibraryPlace} from "./library.js";
import {Open} from "./open.js";
import {PuzzlesPlace} from "./puzzles.js";
import {PageSettings} from "./settings.js";
import {Share} from "./share.js";
import {Jobs} from "./tray.js";

const places = [{id: "board", label: "Board", icon: "board"}, {id: "puzzles", label: "Puzzles", icon: "puzzle"},
  {id: "library", label: "Library", icon: "library"}];
const shown = {board: BoardPlace, puzzles: PuzzlesPlace, library: LibraryPlace};

export function Page() {
  const at = place.value.place, close = () => dialog.value = "", open = name => () => dialog.value = name;
  const n = running.value;
  return html`<div class="page"><${Header} places=${places} place=${at} onPlace=${id => visit({place: id})}>
      <button type="button" class="quiet" title="Open (Ctrl+O)" onClick=${open("open")}><${Icon} name="open" />Open</button>
      <button type="button" class="quiet" popovertarget="tray"><${Icon} name="tray" />Jobs${n > 0 && html`<span class="bubble">${n}</span>
        <span class="unseen"> running</span>`}</button>
      <${IconButton} name="settings" label="Settings" onClick=${open("settings")} />
      <${IconButton} name="question" label="Keys" keys="?" class="quiet only keyboard" onClick=${open("keys")} /><//>
    <${shown[at]} />
    <div id="tray" popover class="drawer" role="dialog" aria-label="Jobs"><${Jobs} /></div>
    <${Open} /><${Share} />
    <${KeysHelp} id="keys" open=${dialog.value === "keys"} onClose=${close} groups=${groups} />
    <${Dialog} id="settings" title="Settings" open=${dialog.value === "settings"} onClose=${close}><${PageSettings} /><//>
    <${Question} /><${Messages} /><${Heard} /></div>`;
}

// A question before what cannot be undone.
function Question() {
  const q = asked.value, decide = answer => () => asked.value?.decide(answer);
  return html`<${Dialog} id="question" title=${q?.text} open=${!!q} onClose=${decide(false)} actions=${html`
    <${Button} onClick=${decide(true)}>${q?.yes}<//><${Button} filled autofocus onClick=${decide(false)}>${q?.no}<//>`} />`;
}

const Messages = () => html`<${Toasts} messages=${toasts.value} onClose=${forget} />`;

const Heard = () => html`<${Announcer} ...${heard.value} />`;
