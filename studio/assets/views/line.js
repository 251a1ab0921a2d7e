// Turns that lead the board.

import {html, useEffect, useRef} from "../lib/view.js";
import {after, atStart, between, label, same} from "../state/study.js";
import {lead} from "../store/answers.js";
import {start, study} from "../store/desk.js";
import {Lines} from "../ui/parts.js";

// Reports whether the board shows the study after a turn.
export const shows = (at, turn) => !study.value.steps && same(after(at, turn), start.value);

// A turn; at is the study before it.
export const Turn = ({at, turn, labelled, note}) => html`<button type="button" class="line" aria-current=${shows(at, turn) ? "true" : undefined}
  onClick=${() => lead(after(at, turn))}><span class="no">${labelled}</span><span class="turn">${turn}</span>${note && html`
  <span class="note">${note}</span>`}</button>`;

// Turns one after the other, from a study on; last is the note at the last one.
export function Line({title, from, turns, last}) {
  const items = turns.map((turn, k) =>
    ({key: k, label: label(from, from.turns.length + k), turn: turn || "pass", note: k === turns.length - 1 ? last : ""}));
  const here = between(from, start.value), current = here && !study.value.steps && here.every((t, i) => t === turns[i]) ? here.length - 1 : -1;
  const list = useRef(), pick = k => lead(turns.slice(0, k + 1).reduce(after, atStart(from)));
  useEffect(() => list.current.querySelector("[aria-current]")?.scrollIntoView({block: "nearest"}), [current]);
  const key = e => { // left and right, Home and End lead the board, and the focus with it
    const buttons = [...list.current.querySelectorAll("button")], now = buttons.indexOf(document.activeElement);
    const k = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: turns.length - 1}[e.key];
    if (k === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation();
    if (k >= -1 && k < turns.length) pick(k);
    buttons[k]?.focus();
  };
  return html`<div ref=${list} onKeyDownCapture=${key}>${title && html`<p class="dim">${title}</p>`}
    <${Lines} label=${title || "The line from there"} items=${items} current=${current} onPick=${item => pick(item.key)} /></div>`;
}
