// The game: its turns in two columns, and the graph of its review.

import {percent} from "../lib/chance.js";
import {html, useEffect, useLayoutEffect, useRef} from "../lib/view.js";
import {Icon} from "./icons.js";

// A row. All of them are drawn again with each turn that is shown, which takes a few milliseconds: a component that skips it
// keeps what was drawn before in memory for ever (preact 11.2).
function Row({row, current, pick, fold}) {
  const depth = {"--depth": row.depth};
  if (row.kind === "comment") return html`<li class="comment" style=${depth}>${row.text}</li>`;
  if (row.kind === "variations") return html`<li class="fold" style=${depth}><button type="button" aria-expanded=${!row.folded}
    onClick=${() => fold(row.node)}>
    <${Icon} name=${row.folded ? "right" : "down"} />${row.count === 1 ? "1 variation" : `${row.count} variations`}</button></li>`;
  const cell = (side, node, turn, sign) => node === null ? html`<span class="none" aria-hidden="true">…</span>` : html`<button type="button"
    class="turn" data-node=${node} aria-label="${row.number}${side} ${turn || "pass"} ${sign}" aria-current=${node === current ? "true" : undefined}
    tabIndex=${node === current ? 0 : -1} onClick=${() => pick(node)}>
    ${turn || "pass"}${sign && html`<b class=${sign.includes("?") ? "lost" : "won"}>${sign}</b>`}</button>`;
  return html`<li class="pair" style=${depth}><span class="no" aria-hidden="true">${row.number}</span>
    ${cell("g", row.gold, row.goldTurn, row.goldSign)}${row.silver !== null ? cell("s", row.silver, row.silverTurn, row.silverSign)
      : html`<span />`}</li>`;
}

// Scrolls a list, and nothing else, to its current turn.
function inSight(list) {
  const shown = list?.querySelector("[aria-current]");
  if (!shown) return void (list && (list.scrollTop = 0));
  const {top, bottom} = shown.getBoundingClientRect(), around = list.getBoundingClientRect();
  if (top < around.top || bottom > around.bottom) list.scrollTop += (top + bottom - around.top - around.bottom) / 2;
}

// The turns of a game: its rows (state/tree.js), and the node that is shown. walk(key) is the node to which a key leads, or
// undefined. onPick(node); onFold(node) folds the variations in place of a node, or unfolds them. Children, such as buttons for
// the turn, stand below.
export function TurnList({rows, current, walk, onPick, onFold, children}) {
  const list = useRef(), walks = useRef(false); // walks: the focus follows the keys
  useLayoutEffect(() => {
    inSight(list.current);
    if (walks.current || list.current.contains(document.activeElement)) {
      (list.current.querySelector("[aria-current]") || list.current).focus({preventScroll: true});
    }
    walks.current = false;
  }, [current, rows]);
  useEffect(() => {
    const turns = list.current, observer = new ResizeObserver(() => inSight(turns));
    observer.observe(turns);
    return () => observer.disconnect();
  }, []);
  const key = e => {
    if (e.ctrlKey || e.altKey || e.metaKey || !/^(Arrow|Home|End)/.test(e.key)) return;
    e.preventDefault();
    e.stopPropagation();
    const to = walk(e.key);
    if (to === undefined) return;
    walks.current = true; // its button may go with a variation that is folded
    onPick(to);
  };
  return html`<div class="game"><ol ref=${list} class="turns" aria-label="Turns" tabIndex=${current ? -1 : 0} onKeyDown=${key}>
    ${rows.map(row => html`<${Row} key=${row.key} row=${row} pick=${onPick} fold=${onFold}
    current=${row.kind === "turns" && (row.gold === current || row.silver === current) ? current : -1} />`)}</ol>${children}</div>`;
}

// The line through Gold's chances (0 to 1, null: not known) on a field of a width and a height, in parts where some are unknown.
export function path(chances, width, height) {
  const step = width / Math.max(1, chances.length - 1), place = n => Math.round(10 * n) / 10;
  let all = "", open = false;
  chances.forEach((c, i) => {
    if (c !== null) all += `${open ? "L" : "M"}${place(i * step)} ${place((1 - c) * height)}`;
    open = c !== null;
  });
  return all;
}

// The same with the area below it down to the lower edge.
export function area(chances, width, height) {
  let from = 0;
  const step = width / Math.max(1, chances.length - 1), place = n => Math.round(10 * n) / 10;
  return path(chances, width, height).split(/(?=M)/).filter(Boolean).map(part => {
    const count = part.split("L").length, first = chances.findIndex((c, i) => i >= from && c !== null);
    from = first + count;
    return `${part}L${place((from - 1) * step)} ${height}L${place(first * step)} ${height}Z`;
  }).join("");
}

const [width, height] = [600, 100];

// Gold's chances over the turns of a game, as a slider. moments are {at, tone, text}; labels are those of the positions.
// Page Up and Page Down lead to the moment before and after.
export function ReviewGraph({chances, labels, moments, current, onPick}) {
  const x = i => width * i / Math.max(1, chances.length - 1), c = chances[current];
  const moment = moments.find(m => m.at === current);
  const key = e => {
    const to = {ArrowLeft: current - 1, ArrowDown: current - 1, ArrowRight: current + 1, ArrowUp: current + 1, Home: 0, End: chances.length - 1,
      PageUp: moments.findLast(m => m.at < current)?.at, PageDown: moments.find(m => m.at > current)?.at}[e.key];
    if (to === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation();
    if (to >= 0 && to < chances.length) onPick(to);
  };
  const press = e => {
    const box = e.currentTarget.getBoundingClientRect();
    if (e.buttons === 1) onPick(Math.round(Math.min(1, Math.max(0, (e.clientX - box.left) / box.width)) * (chances.length - 1)));
  };
  const known = c === null || c === undefined ? "no estimate" : `gold ${percent(c)}`;
  return html`<figure class="graph"><div class="plot" role="slider" tabIndex="0" aria-label="Turns of the game" aria-valuemin="0"
    aria-valuemax=${chances.length - 1} aria-valuenow=${current} aria-valuetext="${labels[current]}, ${known}${moment ? ", " + moment.text : ""}"
    onKeyDown=${key} onPointerDown=${press} onPointerMove=${press}>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d=${area(chances, width, height)} /><path class="middle" d="M0 ${height / 2}H${width}" />
      <path class="curve" d=${path(chances, width, height)} /><path class="now" d="M${x(current)} 0V${height}" /></svg>
    ${moments.map(m => html`<span key=${m.at} class="moment ${m.tone}" title="${labels[m.at]}: ${m.text}"
      style=${{"--x": 100 * m.at / Math.max(1, chances.length - 1) + "%", "--y": 100 - 100 * (chances[m.at] ?? 0.5) + "%"}} />`)}
    </div><figcaption class="dim"><span>${labels[current]}, ${known}</span><span>${moment?.text}</span></figcaption></figure>`;
}
