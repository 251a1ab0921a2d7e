// Small parts that all places of the page use.

import {html, useRef} from "../lib/view.js";
import {Icon} from "./icons.js";

// Moves the focus among the items of a list by arrow keys, Home and End. In a grid the arrows up and down lead to the next row.
// Put it on the list, and tabIndex 0 on one item, -1 on the others.
export const roving = selector => e => {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  const items = [...e.currentTarget.querySelectorAll(selector)], i = items.indexOf(document.activeElement);
  if (i < 0) return;
  const row = Math.max(1, items.filter(item => item.offsetTop === items[0].offsetTop).length);
  const down = row < items.length ? row : 1;
  const to = {ArrowRight: i + 1, ArrowLeft: i - 1, ArrowDown: i + down, ArrowUp: i - down, Home: 0, End: items.length - 1}[e.key];
  if (to === undefined) return;
  e.preventDefault();
  e.stopPropagation();
  items[to]?.focus();
};

export const Button = ({icon, filled, children, ...rest}) =>
  html`<button type="button" class=${filled ? "filled" : "quiet"} ...${rest}>${icon && html`<${Icon} name=${icon} />`}${children}</button>`;

// A button that asks for a file: onFile(file).
export function FileButton({children, onFile}) {
  const input = useRef();
  const chosen = e => {
    const {files} = e.currentTarget;
    if (files[0]) onFile(files[0]);
    e.currentTarget.value = ""; // the same file can be chosen again
  };
  return html`<${Button} icon="open" onClick=${() => input.current.click()}>${children}<//>
    <input ref=${input} type="file" hidden aria-label=${children} onChange=${chosen} />`;
}

// Choices of which at most one is taken: options are {id, label}, pick(id).
export function Chips({label, options, value, pick, caption}) {
  const at = Math.max(0, options.findIndex(o => o.id === value));
  return html`<div class="chips" role="group" aria-label=${label} onKeyDown=${roving("button")}>
    ${caption && html`<span class="dim">${caption}</span>`}
    ${options.map((o, i) => html`<button type="button" key=${o.id} class="chip" aria-pressed=${o.id === value} tabIndex=${i === at ? 0 : -1}
      onClick=${() => pick(o.id)}>${o.label}</button>`)}
  </div>`;
}

// Tabs are {id, label, count, content}. The ids of the elements begin with id.
export function Tabs({id, label, tabs, value, pick}) {
  const shown = tabs.find(t => t.id === value) || tabs[0];
  const keys = roving("[role=tab]");
  return html`<div class="tabs">
    <div class="strip" role="tablist" aria-label=${label} onKeyDown=${keys}>${tabs.map(t => html`<button type="button" role="tab" key=${t.id}
      id="${id}-${t.id}" aria-selected=${t === shown} aria-controls="${id}-panel" tabIndex=${t === shown ? 0 : -1}
      onClick=${() => pick(t.id)} onFocus=${() => t !== shown && pick(t.id)}>
      ${t.label}${t.count !== undefined && html` <span class="count">${t.count}</span>`}</button>`)}</div>
    <div class="panel" role="tabpanel" id="${id}-panel" aria-labelledby="${id}-${shown.id}" tabIndex="0">${shown.content}</div>
  </div>`;
}

// Turns in a list, such as a line, solutions or near tries: items are {key, label, turn, note, tone}. onPick(item).
export function Lines({label, items, current, onPick}) {
  const at = Math.max(0, items.findIndex(i => i.key === current));
  return html`<ol class="lines" aria-label=${label} onKeyDown=${roving("button")}>${items.map((item, i) => html`<li key=${item.key}>
    <button type="button" class="line" aria-current=${item.key === current ? "true" : undefined} tabIndex=${i === at ? 0 : -1}
      onClick=${() => onPick(item)}>
      <span class="no">${item.label}</span><span class="turn">${item.turn}</span>
      ${item.note && html`<span class="note ${item.tone || ""}">${item.note}</span>`}</button></li>`)}</ol>`;
}

// A place where there is nothing yet: what belongs here, and what to do. actions are buttons.
export const EmptyState = ({icon, title, text, children}) =>
  html`<div class="empty"><${Icon} name=${icon} /><h3>${title}</h3><p class="dim">${text}</p>
    ${children && html`<p class="buttons">${children}</p>`}</div>`;

// How far work has come: done of total, or without a total that it runs.
export const Progress = ({done, total, waits, label}) => html`<span class="progress ${waits ? "waits" : total ? "" : "runs"}" role="progressbar"
  aria-label=${label} aria-valuemin="0" aria-valuemax=${total || undefined} aria-valuenow=${total ? done : undefined}>
    <span style=${{inlineSize: total ? 100 * done / total + "%" : undefined}} /></span>`;
