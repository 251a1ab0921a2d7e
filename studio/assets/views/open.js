// Opening: the dialog, and what is pasted or dropped anywhere on the page.

import {html, signal} from "../lib/view.js";
import {since} from "../state/words.js";
import {dialog} from "../store/messages.js";
import {draft, onPosition, openFileOf, openText, recent} from "../store/open.js";
import {OpenDialog} from "../ui/dialogs.js";
import {Icon} from "../ui/icons.js";
import {focusAsk} from "./verdict.js";

const over = signal(false); // something is dragged over the page

export function Open() {
  const close = () => {
    dialog.value = "";
    if (draft.value.text || draft.value.error) draft.value = {...draft.value, error: "", asks: false};
  };
  const lately = recent.value.map(r => ({...r, note: [r.note, r.time && since(r.time, Date.now())].filter(Boolean).join(", ")}));
  return html`<${OpenDialog} id="open" open=${dialog.value === "open"} onClose=${close} draft=${draft.value} recent=${lately}
    onText=${(text, side) => openText(text, text === draft.value.text ? draft.value.name : "", side)} onFile=${openFileOf}
    onRecent=${r => openText(r.text, r.name, r.side)} />
    ${over.value && html`<div class="dropping" aria-hidden="true"><p class="card"><${Icon} name="open" />Drop to open</p></div>`}`;
}

const writes = e => e.target.matches?.("input, textarea, select") || document.querySelector("dialog[open]");

// What holds a file or a text.
const holds = e => [...e.dataTransfer?.types || []].some(t => t === "Files" || t === "text/plain");

function take({files: [file]}, text) {
  if (file) openFileOf(file);
  else if (text.trim()) openText(text);
}

// Opens what is pasted outside of fields, or dropped onto the page.
export function listenForTexts() {
  onPosition(focusAsk);
  addEventListener("paste", e => {
    if (writes(e)) return;
    e.preventDefault();
    take(e.clipboardData, e.clipboardData.getData("text"));
  });
  addEventListener("dragover", e => {
    if (!holds(e)) return;
    e.preventDefault();
    over.value = !document.querySelector("dialog[open]");
  });
  addEventListener("dragleave", e => {
    if (!e.relatedTarget) over.value = false;
  });
  addEventListener("drop", e => {
    over.value = false;
    if (!e.dataTransfer || e.defaultPrevented) return;
    e.preventDefault();
    take(e.dataTransfer, e.dataTransfer.getData("text"));
  });
}
