// The list of what the library holds.

import {html, useState} from "../lib/view.js";
import {Icon} from "./icons.js";
import {MiniBoard} from "./boards.js";
import {Chips, EmptyState, roving} from "./parts.js";

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
    ${filters.length > 0 && html`<${Chips} label="Kinds" options=${filters} value=${filter} pick=${onFilter} />`}
    ${children}</div>
    <p class="unseen" role="status">${text && `${found.length} found`}</p>
    ${found.length ? html`<ul class="rows" aria-label=${label} onKeyDown=${roving("button")}>${found.map((r, i) => html`<li key=${r.id}>
      <button type="button" class="item" aria-current=${r.id === current ? "true" : undefined} tabIndex=${i === at ? 0 : -1}
        onClick=${() => onPick(r)}>
        ${r.position ? html`<${MiniBoard} position=${r.position} />` : html`<span class="mini none"><${Icon} name="library" /></span>`}
        <span class="words"><strong>${r.label}</strong><span class="dim">${r.note}</span></span><span class="tag">${r.kind}</span>
        </button></li>`)}</ul>`
      : html`<${EmptyState} icon="search" title="Nothing found"
        text=${text ? `Nothing has “${text}” in its name. Try fewer words.` : "Open a file, or drop one onto the page: it then stands here."} />`}
  </section>`;
}
