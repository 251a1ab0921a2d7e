// Lists of what the library holds.

import {html, useEffect, useRef, useState} from "../lib/view.js";
import {Icon, IconButton} from "./icons.js";
import {SeenBoard} from "./boards.js";
import {Chips, EmptyState, roving} from "./parts.js";

// Rows {id, position, label, note, kind}, with small boards if one of them has a position. onPick(row). actions(row) are
// {icon, label, run}, buttons beside a row: Tab leads to those of the row that has the focus.
export function Rows({label, rows, current, onPick, actions}) {
  const [active, setActive] = useState("");
  const list = useRef();
  useEffect(() => { // another page begins with its first row
    const row = list.current.querySelector(".item"), top = e => e.getBoundingClientRect().top;
    if (row && top(row) < Math.max(top(list.current), top(list.current.closest(".searchlist")))) row.scrollIntoView();
  }, [rows[0]?.id]);
  useEffect(() => { // where one comes back to the list
    const row = list.current.querySelector("[aria-current]");
    if (row && document.activeElement === document.body) row.focus();
    else row?.scrollIntoView({block: "nearest"});
  }, [current]);
  const at = rows.find(r => r.id === active) || rows.find(r => r.id === current) || rows[0], boards = rows.some(r => r.position);
  return html`<ul ref=${list} class="rows" aria-label=${label} onKeyDown=${roving(".item")}>${rows.map(r => html`<li key=${r.id}
    class=${r === at && "active"}><button type="button" class="item" aria-current=${r.id === current ? "true" : undefined} tabIndex=${r === at ? 0 : -1}
      onFocus=${() => setActive(r.id)} onClick=${() => onPick(r)}>
      ${r.position ? html`<${SeenBoard} position=${r.position} />` : boards && html`<span class="mini none"><${Icon} name="library" /></span>`}
      <span class="words"><strong>${r.label}</strong><span class="dim">${r.note}</span></span><span class="tag">${r.kind}</span></button>
    ${actions?.(r).map(a => html`<${IconButton} key=${a.label} name=${a.icon} label="${a.label}: ${r.label}" tabIndex=${r === at ? 0 : -1}
      onClick=${a.run} />`)}</li>`)}</ul>`;
}

// Leads through the pages of a list: from is the index of the first row that is shown, count how many are. total is how many
// there are, or undefined where only more says whether there are others. onFrom(index of the first row of another page).
export function Pages({from, count, size, total, more = from + count < total, onFrom}) {
  if (!from && !more) return null;
  const number = n => n.toLocaleString("en");
  return html`<div class="pages"><${IconButton} name="back" label="Page before" disabled=${!from} onClick=${() => onFrom(Math.max(0, from - size))} />
    <span class="dim" role="status">${number(from + 1)} to ${number(from + count)}${total !== undefined && ` of ${number(total)}`}</span>
    <${IconButton} name="forward" label="Next page" disabled=${!more} onClick=${() => onFrom(from + count)} /></div>`;
}

const page = 100; // rows that are drawn
const words = new WeakMap(); // of a row, in small letters

const wordsOf = r => {
  if (!words.has(r)) words.set(r, `${r.label} ${r.note} ${r.kind}`.toLowerCase());
  return words.get(r);
};

// A list that is searched as one types. filters are {id, label}, of which one is chosen. head stands above the rows; sought is
// {text, from, at}: what is searched for, the first row that is shown, and the row that was opened last; onSought(sought). Where
// nothing is found, it says so; empty is shown where there is nothing to search.
export function SearchList({id, label, rows, filters = [], filter, onFilter, current, onPick, actions, head, empty, sought, onSought}) {
  const {text, from, at} = sought, wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = wanted.length ? rows.filter(r => wanted.every(w => wordsOf(r).includes(w))) : rows;
  const first = from < found.length ? from : 0, shown = found.slice(first, first + page);
  const none = html`<${EmptyState} icon="search" title="Nothing found"
    text=${text ? `Nothing has “${text}” in its name. Try fewer words.` : "Open a file, or drop one onto the page."} />`;
  return html`<section class="searchlist" aria-label=${label}>
    <div class="bar"><label class="field" for="${id}-text"><${Icon} name="search" /><span class="unseen">Search ${label}</span>
      <input id="${id}-text" type="search" placeholder="Search" value=${text}
        onInput=${e => onSought({text: e.currentTarget.value, from: 0})} /></label>
    ${filters.length > 0 && html`<${Chips} label="Kinds" options=${filters} value=${filter} pick=${onFilter} />`}</div>
    ${head}
    <p class="unseen" role="status">${text && `${found.length} found`}</p>
    ${shown.length ? html`<${Rows} label=${label} rows=${shown} current=${current || at} actions=${actions}
      onPick=${row => (onSought({text, from, at: row.id}), onPick(row))} />` : !text && empty || none}
    <${Pages} from=${first} count=${shown.length} size=${page} total=${found.length} onFrom=${from => onSought({text, from, at})} />
  </section>`;
}
