// Lists with boards: shelves of puzzles, and what the library holds. Settings.

import {html, useState} from "../lib/view.js";
import {Icon} from "./icons.js";
import {MiniBoard} from "./boards.js";
import {EmptyState, roving} from "./parts.js";

const states = {solved: ["check", "won", "solved"], helped: ["check", "open", "solved with help"], tried: ["cross", "lost", "tried"]};

// A shelf of puzzles {id, position, label, note, state}; state is solved, helped, tried or "". onPick(puzzle). Children are
// buttons of the shelf.
export function Shelf({title, note, puzzles, current, onPick, children}) {
  const at = Math.max(0, puzzles.findIndex(p => p.id === current));
  return html`<section class="shelf"><div class="between"><h2>${title}</h2><span class="dim">${note}</span></div>${children && html`<div class="buttons">${children}</div>`}
    <ul class="boards" aria-label=${title} onKeyDown=${roving("button")}>${puzzles.map((p, i) => {
      const [icon, tone, word] = states[p.state] || [];
      return html`<li key=${p.id}><button type="button" class="puzzle" aria-current=${p.id === current ? "true" : undefined} tabIndex=${i === at ? 0 : -1} onClick=${() => onPick(p)}>
        <${MiniBoard} position=${p.position} /><span class="words"><strong>${p.label}</strong><span class="dim">${p.note}</span></span>
        ${icon && html`<span class="state ${tone}"><${Icon} name=${icon} /><span class="unseen">${word}</span></span>`}</button></li>`;
    })}</ul></section>`;
}

// A list that is searched as one types. rows are {id, position, label, note, kind}; filters are {id, label}, of which one is
// chosen. onPick(row). Where nothing is found, it says so.
export function SearchList({id, label, rows, filters = [], filter, onFilter, current, onPick, children}) {
  const [text, setText] = useState("");
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(r => wanted.every(w => `${r.label} ${r.note}`.toLowerCase().includes(w)));
  const at = Math.max(0, found.findIndex(r => r.id === current));
  return html`<section class="searchlist" aria-label=${label}>
    <div class="bar"><label class="field" for="${id}-text"><${Icon} name="search" /><span class="unseen">Search ${label}</span>
      <input id="${id}-text" type="search" placeholder="Search" value=${text} onInput=${e => setText(e.currentTarget.value)} /></label>
    ${filters.length > 0 && html`<div class="chips" role="group" aria-label="Kinds">${filters.map(f => html`<button type="button" key=${f.id} class="chip" aria-pressed=${f.id === filter} onClick=${() => onFilter(f.id)}>${f.label}</button>`)}</div>`}
    ${children}</div>
    <p class="unseen" role="status">${text && `${found.length} found`}</p>
    ${found.length ? html`<ul class="rows" aria-label=${label} onKeyDown=${roving("button")}>${found.map((r, i) => html`<li key=${r.id}>
      <button type="button" class="item" aria-current=${r.id === current ? "true" : undefined} tabIndex=${i === at ? 0 : -1} onClick=${() => onPick(r)}>
        ${r.position ? html`<${MiniBoard} position=${r.position} />` : html`<span class="mini none"><${Icon} name="library" /></span>`}
        <span class="words"><strong>${r.label}</strong><span class="dim">${r.note}</span></span><span class="tag">${r.kind}</span></button></li>`)}</ul>`
      : html`<${EmptyState} icon="search" title="Nothing found" text=${text ? `Nothing has “${text}” in its name. Try fewer words.` : "There is nothing here yet: open a file, or drop one onto the page."} />`}
  </section>`;
}

// The settings: fields are {name, label, note, options: [{id, label}]} for a choice, or without options for a switch.
// onChange(name, value).
export const Settings = ({id, fields, values, onChange}) => html`<form class="settings" onSubmit=${e => e.preventDefault()}>${fields.map((f, i) => html`<div class="setting" key=${f.name}>
  <label for="${id}-${f.name}">${f.label}${f.note && html`<span class="dim">${f.note}</span>`}</label>
  ${f.options ? html`<select id="${id}-${f.name}" autofocus=${!i} value=${values[f.name]} onChange=${e => onChange(f.name, e.currentTarget.value)}>${f.options.map(o => html`<option key=${o.id} value=${o.id}>${o.label}</option>`)}</select>`
    : html`<input id="${id}-${f.name}" type="checkbox" autofocus=${!i} checked=${!!values[f.name]} onChange=${e => onChange(f.name, e.currentTarget.checked)} />`}</div>`)}</form>`;
