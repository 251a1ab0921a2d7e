// The dialog Share: the position and the game as texts, as a picture, as a file and as an address.

import {post} from "../lib/api.js";
import {copy, download} from "../lib/files.js";
import {html, useEffect, useState} from "../lib/view.js";
import {board, forms, game} from "../store/desk.js";
import {exported} from "../store/files.js";
import {kept} from "../store/kept.js";
import {dialog, failed, guarded, say} from "../store/messages.js";
import {Dialog} from "../ui/dialogs.js";
import {Button} from "../ui/parts.js";

const form = kept("form", was => was || ""); // the name of the form that was chosen last

const copied = guarded(async text => {
  await copy(text);
  say("Copied.");
});

// The picture of the board, with what is drawn on it.
const draw = guarded(async () => {
  const {view, flipped, show, marks} = board;
  const {svg} = await post("picture", {study: view.value.study, flipped: flipped.value, show: show.value, marks: marks.value});
  download(new Blob([svg], {type: "image/svg+xml"}), "board.svg");
});

const write = guarded(async () => {
  const {name, text} = await exported();
  download(new Blob([text], {type: "text/plain"}), name);
});

export function Share() {
  const open = dialog.value === "share", [all, put] = useState([]);
  useEffect(() => {
    let here = true;
    put([]); // those of another position
    if (open) forms().then(found => here && put(found), failed);
    return () => here = false;
  }, [open]);
  const chosen = all.find(f => f.name === form.value) || all[0], link = open ? location.href : "";
  return html`<${Dialog} id="share" title="Share" open=${open} onClose=${() => dialog.value = ""} actions=${html`
      <${Button} onClick=${write} disabled=${game.value.nodes.length === 1 && !game.value.nodes[0].comment}>Export with comments<//>
      <${Button} onClick=${draw}>Save as a picture<//><${Button} filled disabled=${!chosen} onClick=${() => copied(chosen.text)}>Copy<//>`}>
    <label class="between">Form <select id="form" autofocus value=${chosen?.name} onChange=${e => form.value = e.currentTarget.value}>
      ${all.map(f => html`<option key=${f.name} value=${f.name}>${f.name}</option>`)}</select></label>
    <label class="dim" for="copied">${chosen?.about || "Text"}</label>
    <textarea id="copied" rows="10" readonly spellcheck=${false} value=${chosen?.text || ""} />
    <div class="link"><label class="dim" for="address">Address of this position, for this studio</label>
      <input id="address" readonly value=${link} onFocus=${e => e.currentTarget.select()} />
      <${Button} onClick=${() => copied(link)}>Copy the address<//></div>
  <//>`;
}
