// Dialogs over the page.

import {html, useEffect, useRef, useState} from "../lib/view.js";
import {MiniBoard} from "./boards.js";
import {IconButton} from "./icons.js";
import {Button} from "./parts.js";

// A dialog over the page: the browser keeps the focus in it, and gives it back. onClose is called however it closes.
export function Dialog({id, title, open, onClose, children, actions}) {
  const dialog = useRef();
  useEffect(() => {
    if (open && !dialog.current.open) dialog.current.showModal();
    else if (!open && dialog.current.open) dialog.current.close();
  }, [open]);
  const outside = e => e.target === dialog.current && dialog.current.close();
  return html`<dialog ref=${dialog} aria-labelledby="${id}-title" onClose=${() => open && onClose()} onPointerDown=${outside}>
    <div class="inside"><header><h2 id="${id}-title">${title}</h2><${IconButton} name="cross" label="Close" keys="Esc"
      onClick=${() => dialog.current.close()} /></header>
    ${open && children}${open && actions && html`<footer>${actions}</footer>`}</div>
  </dialog>`;
}

// Opens what is pasted, dropped or chosen. onText(text), onFile(file), onRecent(item); recent are {id, label, note, position}.
// error is shown below the text.
export function OpenDialog({id, open, onClose, recent = [], onText, onFile, onRecent, error}) {
  const [text, setText] = useState(""), [over, setOver] = useState(false), file = useRef();
  const drop = e => {
    e.preventDefault();
    setOver(false);
    const [dropped] = e.dataTransfer.files;
    if (dropped) onFile(dropped);
    else if (e.dataTransfer.getData("text")) onText(e.dataTransfer.getData("text"));
  };
  const actions = html`<${Button} icon="open" onClick=${() => file.current.click()}>Choose a file<//><${Button} filled disabled=${!text.trim()}
    onClick=${() => onText(text)}>Open the text<//>`;
  return html`<${Dialog} id=${id} title="Open" open=${open} onClose=${onClose} actions=${actions}>
    <div class="drop ${over ? "over" : ""}" onDragOver=${e => (e.preventDefault(), setOver(true))} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      <label for="${id}-text">Paste a position, a puzzle, a game or an archive in any form, or drop a file here.</label>
      <textarea id="${id}-text" autofocus rows="6" spellcheck=${false} value=${text} onInput=${e => setText(e.currentTarget.value)} />
      ${error && html`<pre class="error" role="alert">${error}</pre>`}
    </div>
    <input ref=${file} type="file" hidden onChange=${e => e.currentTarget.files[0] && onFile(e.currentTarget.files[0])} />
    ${recent.length > 0 && html`<h3>Opened lately</h3><ul class="rows">${recent.map(r => html`<li key=${r.id}>
      <button type="button" class="item" onClick=${() => onRecent(r)}>
      ${r.position && html`<${MiniBoard} position=${r.position} />`}<span class="words"><strong>${r.label}</strong><span class="dim">${r.note}</span>
        </span></button></li>`)}</ul>`}
  <//>`;
}

// The keys of the page: groups are {title, keys: [[keys, what they do]]}.
export const KeysHelp = ({id, open, onClose, groups}) => html`<${Dialog} id=${id} title="Keys" open=${open} onClose=${onClose}>
  <div class="keys">${groups.map(g => html`<section key=${g.title}><h3>${g.title}</h3><dl>${g.keys.map(([keys, what]) =>
    html`<div key=${what}><dt>${keys.map(k => html`<kbd key=${k}>${k}</kbd>`)}</dt><dd>${what}</dd></div>`)}</dl></section>`)}</div><//>`;

// The settings: fields are {name, label, note, options: [{id, label}]} for a choice, or without options for a switch.
// onChange(name, value).
export const Settings = ({id, fields, values, onChange}) => html`<form class="settings" onSubmit=${e => e.preventDefault()}>
  ${fields.map((f, i) => html`<div class="setting" key=${f.name}>
  <label for="${id}-${f.name}">${f.label}${f.note && html`<span class="dim">${f.note}</span>`}</label>
  ${f.options ? html`<select id="${id}-${f.name}" autofocus=${!i} value=${values[f.name]} onChange=${e => onChange(f.name, e.currentTarget.value)}>
    ${f.options.map(o => html`<option key=${o.id} value=${o.id}>${o.label}</option>`)}</select>`
    : html`<input id="${id}-${f.name}" type="checkbox" autofocus=${!i} checked=${!!values[f.name]}
      onChange=${e => onChange(f.name, e.currentTarget.checked)} />`}</div>`)}</form>`;
