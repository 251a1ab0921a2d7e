// The right side of a place, which is a sheet on a phone.

import {html, useRef} from "../lib/view.js";
import {Chips} from "./parts.js";

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
  // The whole head is dragged; what lies in it is pressed only if it was not.
  const press = e => {
    const from = e.clientY, before = sheet.current.offsetHeight, {style} = sheet.current, over = new AbortController();
    dragged.current = false;
    if (getComputedStyle(sheet.current).position !== "fixed") return; // it is no sheet there
    const move = ({clientY}) => {
      dragged.current ||= Math.abs(clientY - from) > 6;
      if (dragged.current) Object.assign(style, {transition: "none", blockSize: before + from - clientY + "px"});
    };
    const end = ({clientY}) => {
      over.abort();
      style.transition = style.blockSize = "";
      if (dragged.current) shift(Math.sign(from - clientY) * (Math.abs(from - clientY) > innerHeight / 3 ? 2 : 1));
    };
    for (const [type, f] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) addEventListener(type, f, {signal: over.signal});
  };
  return html`<aside ref=${sheet} class="sheet" data-height=${height} aria-label=${label}>
    <div class="head" onPointerDown=${press} onClickCapture=${e => e.detail && dragged.current && e.stopPropagation()}>
      <button type="button" class="handle" aria-label="Height of the panel: ${words[height]}. Arrow keys change it." onKeyDown=${key}
        onClick=${() => onHeight(height === "half" ? "full" : "half")} />
      ${parts.length > 1 && html`<${Chips} label="Parts of the panel" options=${parts} value=${part} pick=${onPart} />`}</div>
    ${parts.map(p => html`<section key=${p.id} class="part ${p.id === part ? "chosen" : ""}" aria-label=${p.label}>${p.content}</section>`)}
  </aside>`;
}
