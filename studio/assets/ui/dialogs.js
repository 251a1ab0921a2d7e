// Dialogs over the page.

import {html, useLayoutEffect, useRef, useState} from "../lib/view.js";
import {MiniBoard} from "./boards.js";
import {IconButton} from "./icons.js";
import {Button, Chips} from "./parts.js";

// A dialog over the page: the browser keeps the focus in it, and gives it back. onClose is called however it closes.
export function Dialog({id, title, open, onClose, children, actions}) {
  const dialog = useRef();
  useLayoutEffect(() => {
    if (open && !dialog.current.open) dialog.current.showModal();
    else if (!open && dialog.current.open) dialog.current.close();
  }, [open]);
  const closed = () => open && !dialog.current.open && onClose(); // the event comes late: the dialog may be open again
  const outside = e => e.target === dialog.current && dialog.current.close();
  return html`<dialog ref=${dialog} aria-labelledby="${id}-title" onClose=${closed} onPointerDown=${outside}>
    <div class="inside"><header><h2 id="${id}-title">${title}</h2><${IconButton} name="cross" label="Close" keys="Esc"
      onClick=${() => dialog.current.close()} /></header>
    ${open && children}${open && actions && html`<footer>${actions}</footer>`}</div>
  </dialog>`;
}

// Opens what is pasted, dropped or chosen. onText(text, side), onFile(file), onRecent(item); recent are
// {id, label, note, position}.
// draft is what was not opened: {text, error, asks}; error is shown below the text, and asks asks who is to move.
export function OpenDialog({id, open, onClose, recent = [], onText, onFile, onRecent, draft}) {
  const [text, setText] = useState(""), [over, setOver] = useState(false), file = useRef();
  useLayoutEffect(() => setText(draft?.text || ""), [draft]);
  const drop = e => {
    e.preventDefault();
    e.stopPropagation();
    setOver(false);
    const [dropped] = e.dataTransfer.files;
    if (dropped) onFile(dropped);
    else if (e.dataTransfer.getData("text")) onText(e.dataTransfer.getData("text"), "");
  };
  const actions = html`<${Button} icon="open" onClick=${() => file.current.click()}>Choose a file<//><${Button} filled disabled=${!text.trim()}
    onClick=${() => onText(text, "")}>Open the text<//>`;
  const enter = e => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || !text.trim()) return;
    e.preventDefault();
    onText(text, "");
  };
  return html`<${Dialog} id=${id} title="Open" open=${open} onClose=${onClose} actions=${actions}>
    <div class="drop ${over ? "over" : ""}" onDragOver=${e => (e.preventDefault(), setOver(true))} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      <label for="${id}-text">Paste a position, a puzzle, a game or an archive in any form, or drop a file here.</label>
      <textarea id="${id}-text" autofocus rows="6" spellcheck=${false} value=${text}
        onInput=${e => setText(e.currentTarget.value)} onKeyDown=${enter} />
      ${draft?.error && html`<div role="alert"><pre class="error" tabIndex="0">${draft.error}</pre></div>`}
      ${draft?.asks && html`<${Chips} caption="Who is to move?" label="Who is to move?"
        options=${[{id: "gold", label: "Gold"}, {id: "silver", label: "Silver"}]} pick=${side => onText(text, side)} />`}
    </div>
    <input ref=${file} type="file" hidden onChange=${e => e.currentTarget.files[0] && onFile(e.currentTarget.files[0])} />
    ${recent.length > 0 && html`<h3>Opened lately</h3><ul class="rows">${recent.map(r => html`<li key=${r.id}>
      <button type="button" class="item" onClick=${() => onRecent(r)}>
      ${r.position && html`<${MiniBoard} position=${r.position} />`}<span class="words"><strong>${r.label}</strong><span class="dim">${r.note}</span>
        </span></button></li>`)}</ul>`}
  <//>`;
}

// Asks for another name. error says why the last one was refused. onName(name).
export function RenameDialog({id, title, name, error, open, onClose, onName}) {
  const [text, setText] = useState("");
  useLayoutEffect(() => setText(name || ""), [name, open]);
  const enter = e => {
    e.preventDefault();
    onName(text.trim());
  };
  return html`<${Dialog} id=${id} title=${title} open=${open} onClose=${onClose} actions=${html`<${Button} onClick=${onClose}>Cancel<//>
    <${Button} filled disabled=${!text.trim()} onClick=${() => onName(text.trim())}>Rename<//>`}>
    <form class="drop" onSubmit=${enter}><label for="${id}-name">Name: letters a to z, digits, spaces, - and _</label>
      <input id="${id}-name" autofocus maxlength="64" autocomplete="off" value=${text} onInput=${e => setText(e.currentTarget.value)} />
      ${error && html`<p class="error" role="alert">${error}</p>`}</form><//>`;
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
