// Small parts that all places of the page use.

import {html, useEffect, useRef, useState} from "../lib/view.js";
import {Icon, IconButton} from "./icons.js";
import {MiniBoard} from "./boards.js";

// Moves the focus among the items of a list by arrow keys, Home and End. In a grid the arrows up and down lead to the next row.
// Put it on the list, and tabIndex 0 on one item, -1 on the others.
export const roving = selector => e => {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  const items = [...e.currentTarget.querySelectorAll(selector)], i = items.indexOf(document.activeElement);
  if (i < 0) return;
  const row = Math.max(1, items.filter(item => item.offsetTop === items[0].offsetTop).length);
  const to = {ArrowRight: i + 1, ArrowLeft: i - 1, ArrowDown: i + (row < items.length ? row : 1), ArrowUp: i - (row < items.length ? row : 1), Home: 0, End: items.length - 1}[e.key];
  if (to === undefined) return;
  e.preventDefault();
  e.stopPropagation();
  items[to]?.focus();
};

export const Button = ({icon, filled, children, ...rest}) =>
  html`<button type="button" class=${filled ? "filled" : "quiet"} ...${rest}>${icon && html`<${Icon} name=${icon} />`}${children}</button>`;

// Choices of which at most one is taken: options are {id, label}, pick(id).
export function Chips({label, options, value, pick, caption}) {
  const at = Math.max(0, options.findIndex(o => o.id === value));
  return html`<div class="chips" role="group" aria-label=${label} onKeyDown=${roving("button")}>
    ${caption && html`<span class="dim">${caption}</span>`}
    ${options.map((o, i) => html`<button type="button" key=${o.id} class="chip" aria-pressed=${o.id === value} tabIndex=${i === at ? 0 : -1} onClick=${() => pick(o.id)}>${o.label}</button>`)}
  </div>`;
}

// Tabs are {id, label, count, content}. The ids of the elements begin with id.
export function Tabs({id, label, tabs, value, pick}) {
  const shown = tabs.find(t => t.id === value) || tabs[0];
  const keys = roving("[role=tab]");
  return html`<div class="tabs">
    <div class="strip" role="tablist" aria-label=${label} onKeyDown=${keys}>${tabs.map(t => html`<button type="button" role="tab" key=${t.id} id="${id}-${t.id}"
      aria-selected=${t === shown} aria-controls="${id}-panel" tabIndex=${t === shown ? 0 : -1} onClick=${() => pick(t.id)} onFocus=${() => t !== shown && pick(t.id)}>
      ${t.label}${t.count !== undefined && html` <span class="count">${t.count}</span>`}</button>`)}</div>
    <div class="panel" role="tabpanel" id="${id}-panel" aria-labelledby="${id}-${shown.id}" tabIndex="0">${shown.content}</div>
  </div>`;
}

// Turns in a list, such as a line, solutions or near tries: items are {key, label, turn, note, tone}. onPick(item).
export function Lines({label, items, current, onPick}) {
  const at = Math.max(0, items.findIndex(i => i.key === current));
  return html`<ol class="lines" aria-label=${label} onKeyDown=${roving("button")}>${items.map((item, i) => html`<li key=${item.key}>
    <button type="button" class="line" aria-current=${item.key === current ? "true" : undefined} tabIndex=${i === at ? 0 : -1} onClick=${() => onPick(item)}>
      <span class="no">${item.label}</span><span class="turn">${item.turn}</span>${item.note && html`<span class="note ${item.tone || ""}">${item.note}</span>`}</button></li>`)}</ol>`;
}

// A dialog over the page: the browser keeps the focus in it, and gives it back. onClose is called however it closes.
export function Dialog({id, title, open, onClose, children, actions}) {
  const dialog = useRef();
  useEffect(() => {
    if (open && !dialog.current.open) dialog.current.showModal();
    else if (!open && dialog.current.open) dialog.current.close();
  }, [open]);
  const outside = e => e.target === dialog.current && dialog.current.close();
  return html`<dialog ref=${dialog} aria-labelledby="${id}-title" onClose=${() => open && onClose()} onPointerDown=${outside}>
    <div class="inside"><header><h2 id="${id}-title">${title}</h2><${IconButton} name="cross" label="Close" keys="Esc" onClick=${() => dialog.current.close()} /></header>
    ${open && children}${open && actions && html`<footer>${actions}</footer>`}</div>
  </dialog>`;
}

// Says a text to screen readers. The same text again is said again.
export function Announcer({text, count = 0}) {
  return html`<p class="unseen" role="status">${text}${count % 2 ? "\u00a0" : ""}</p>`;
}

// A short message, with an action that answers it. It stays until it is closed, or something else is said.
export function Toast({text, tone = "", action, onAction, onClose}) {
  return html`<div class="toast" role="status">${text && html`<div class="card ${tone}"><p>${text}</p>
    ${action && html`<${Button} onClick=${onAction}>${action}<//>`}<${IconButton} name="cross" label="Close the message" onClick=${onClose} /></div>`}</div>`;
}

// A place where there is nothing yet: what belongs here, and what to do. actions are buttons.
export const EmptyState = ({icon, title, text, children}) =>
  html`<div class="empty"><${Icon} name=${icon} /><h3>${title}</h3><p class="dim">${text}</p>${children && html`<p class="buttons">${children}</p>`}</div>`;

// The keys of the page: groups are {title, keys: [[keys, what they do]]}.
export const KeysHelp = ({id, open, onClose, groups}) => html`<${Dialog} id=${id} title="Keys" open=${open} onClose=${onClose}>
  <div class="keys">${groups.map(g => html`<section key=${g.title}><h3>${g.title}</h3><dl>${g.keys.map(([keys, what]) =>
    html`<div key=${what}><dt>${keys.map(k => html`<kbd key=${k}>${k}</kbd>`)}</dt><dd>${what}</dd></div>`)}</dl></section>`)}</div><//>`;

// The jobs of the studio, as its stream describes them (a Brief each). names are words for the kinds of jobs.
export function Tray({jobs, names, onPick, onStop}) {
  if (!jobs.length) return html`<${EmptyState} icon="tray" title="No jobs" text="Searches, reviews and games against the engine appear here while they run, and after." />`;
  return html`<ul class="jobs">${jobs.map(j => html`<${TrayJob} key=${j.id} job=${j} name=${names[j.kind] || j.kind} onPick=${onPick} onStop=${onStop} />`)}</ul>`;
}

function TrayJob({job, name, onPick, onStop}) {
  const over = job.state !== "running" && job.state !== "waiting";
  const state = job.state === "waiting" ? job.waits_for ? `Waits for ${job.waits_for}` : "Waiting" : job.says || (job.total ? `${job.done} of ${job.total}` : job.trying ? `Is there a win in ${job.trying}?` : "Running");
  return html`<li class="job">
    <button type="button" class="pick" onClick=${() => onPick(job)}>
      ${job.position ? html`<${MiniBoard} position=${job.position} />` : html`<span class="mini none"><${Icon} name="board" /></span>`}
      <span class="words"><strong>${name}${job.label && `: ${job.label}`}</strong><span class="dim">${state}</span></span></button>
    ${!over && html`<${IconButton} name="stop" label="Stop: ${name}" onClick=${() => onStop(job)} />`}
    ${!over && html`<${Progress} done=${job.done} total=${job.total} waits=${job.state === "waiting"} label="Progress of ${name}" />`}
  </li>`;
}

// How far work has come: done of total, or without a total that it runs.
export const Progress = ({done, total, waits, label}) => html`<span class="progress ${waits ? "waits" : total ? "" : "runs"}" role="progressbar" aria-label=${label}
  aria-valuemin="0" aria-valuemax=${total || undefined} aria-valuenow=${total ? done : undefined}><span style=${{inlineSize: total ? 100 * done / total + "%" : undefined}} /></span>`;

// Opens what is pasted, dropped or chosen. onText(text, name), onFile(file), onRecent(item); recent are {id, label, note, position}.
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
  const actions = html`<${Button} icon="open" onClick=${() => file.current.click()}>Choose a file<//><${Button} filled disabled=${!text.trim()} onClick=${() => onText(text)}>Open the text<//>`;
  return html`<${Dialog} id=${id} title="Open" open=${open} onClose=${onClose} actions=${actions}>
    <div class="drop ${over ? "over" : ""}" onDragOver=${e => (e.preventDefault(), setOver(true))} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      <label for="${id}-text">Paste a position, a puzzle, a game or an archive in any form, or drop a file here.</label>
      <textarea id="${id}-text" autofocus rows="6" spellcheck=${false} value=${text} onInput=${e => setText(e.currentTarget.value)} />
      ${error && html`<pre class="error" role="alert">${error}</pre>`}
    </div>
    <input ref=${file} type="file" hidden onChange=${e => e.currentTarget.files[0] && onFile(e.currentTarget.files[0])} />
    ${recent.length > 0 && html`<h3>Opened lately</h3><ul class="rows">${recent.map(r => html`<li key=${r.id}><button type="button" class="item" onClick=${() => onRecent(r)}>
      ${r.position && html`<${MiniBoard} position=${r.position} />`}<span class="words"><strong>${r.label}</strong><span class="dim">${r.note}</span></span></button></li>`)}</ul>`}
  <//>`;
}

const heights = ["peek", "half", "full"];
const words = {peek: "low", half: "half", full: "full"};

// The right side of a place. On a phone it is a sheet above the lower edge, of three heights (peek, half, full), and shows one
// of its parts {id, label, content} at a time; elsewhere all of them.
export function Sheet({label, parts, part, onPart, height, onHeight}) {
  const sheet = useRef(), dragged = useRef(false);
  const shift = by => onHeight(heights[Math.min(2, Math.max(0, heights.indexOf(height) + by))]);
  const key = e => {
    const by = {ArrowUp: 1, ArrowDown: -1, Home: -2, End: 2}[e.key];
    if (by) e.preventDefault(), shift(by);
  };
  const press = e => {
    const {currentTarget: handle, clientY: from, pointerId} = e, before = sheet.current.offsetHeight;
    dragged.current = false;
    handle.setPointerCapture(pointerId);
    handle.onpointermove = ({clientY}) => {
      dragged.current ||= Math.abs(clientY - from) > 6;
      if (dragged.current) sheet.current.style.blockSize = before + from - clientY + "px";
    };
    handle.onpointerup = handle.onpointercancel = ({clientY}) => {
      handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
      sheet.current.style.blockSize = "";
      if (dragged.current) shift(Math.sign(from - clientY) * (Math.abs(from - clientY) > innerHeight / 3 ? 2 : 1));
    };
  };
  return html`<aside ref=${sheet} class="sheet" data-height=${height} aria-label=${label}>
    <div class="head"><button type="button" class="handle" aria-label="Height of the panel: ${words[height]}. Arrow keys change it." onKeyDown=${key} onPointerDown=${press}
      onClick=${() => dragged.current || onHeight(height === "half" ? "full" : "half")} />
      ${parts.length > 1 && html`<${Chips} label="Parts of the panel" options=${parts} value=${part} pick=${onPart} />`}</div>
    ${parts.map(p => html`<section key=${p.id} class="part ${p.id === part ? "chosen" : ""}" aria-label=${p.label}>${p.content}</section>`)}
  </aside>`;
}
