// The keys of the page, as they are pressed and as they are listed.

import {place} from "../store/address.js";
import {dialog} from "../store/messages.js";
import {keys as board} from "./board.js";
import {keys as puzzles} from "./puzzles.js";

// Groups of keys: {title, place, rows}; place is where they work, or "" for everywhere. A row is {keys, caption, what, run}: keys
// as KeyboardEvent.key has them, with "Ctrl+" before those that are pressed with Ctrl or the command key, and their caption.
const page = {title: "Page", place: "", rows: [
  {keys: ["Ctrl+o"], caption: ["Ctrl", "O"], what: "open a text or a file", run: () => dialog.value = "open"},
  {keys: [], caption: ["Ctrl", "V"], what: "open what was copied", run() {}},
  {keys: ["?"], caption: ["?"], what: "these keys", run: () => dialog.value = "keys"},
  {keys: [], caption: ["Esc"], what: "close what is open", run() {}},
]};

const all = [board, puzzles, page];

// As KeysHelp takes them.
export const groups = all.map(({title, rows}) => ({title, keys: rows.map(r => [r.caption, r.what])}));

const writes = e => e.target.matches?.("input:not([type=checkbox]), textarea, select");

function press(e) {
  if (e.defaultPrevented || e.altKey || document.querySelector("dialog[open]")) return;
  const ctrl = e.ctrlKey || e.metaKey, key = (ctrl ? e.shiftKey ? "Ctrl+Shift+" : "Ctrl+" : "") + (e.key.length === 1 ? e.key.toLowerCase() : e.key);
  if (writes(e) && key !== "Ctrl+o") return;
  for (const group of all) {
    const row = (!group.place || group.place === place.value.place) && group.rows.find(r => r.keys.includes(key));
    if (!row || row.run(e) === false) continue;
    e.preventDefault();
    return;
  }
}

// Listens for keys on the page. Those that a part of it knows better, such as a list, it has prevented.
export const listenForKeys = () => addEventListener("keydown", press);
