// What stands around a board: the chance, the players, and the buttons below.

import {percent} from "../lib/chance.js";
import {clockText} from "../lib/clock.js";
import {html} from "../lib/view.js";
import {Piece} from "./boards.js";
import {pieceName} from "./board.js";
import {Icon, IconButton} from "./icons.js";

// Gold's chance, -1 to 1, or null if nothing is known of it. The bar stands beside the board, or lies above it on a phone.
export function StrengthBar({chance, flipped, proved}) {
  if (chance === null) return html`<div class="strength none" role="img" aria-label="No estimate of this position"
    title="No estimate of this position" />`;
  const text = proved || `Gold's chance: ${percent((chance + 1) / 2)}`;
  return html`<div class="strength ${flipped ? "flipped" : ""}" role="meter" aria-label="Gold's chance" aria-valuemin="-1" aria-valuemax="1"
    aria-valuenow=${chance} aria-valuetext=${text} title=${text}>
    <span style=${{"--share": 50 + 50 * chance + "%"}} /></div>`;
}

// A player: side, name, rating, seconds left or null, whether it is to move, the letters of the pieces that were captured, and a
// note beside them; brief is what stands in place of the note where there is little room.
export function Strip({side, name, rating, clock, toMove, lost = "", note, brief = note}) {
  const says = lost && "captured: " + [...lost].map(l => pieceName(l).split(" ")[1]).join(", ");
  return html`<div class="player ${side} ${toMove ? "moves" : ""}">
    <span class="dot" aria-hidden="true" /><strong>${name}</strong>${rating && html`<span class="dim">${rating}</span>`}
    <span class="unseen">${side}${toMove ? ", to move" : ""}</span>
    ${lost && html`<span class="lost" role="img" aria-label=${says} title=${says}>
      ${[...lost].map((l, i) => html`<${Piece} key=${i} letter=${l} />`)}</span>`}
    ${note && html`<span class="dim standing"><span class="whole">${note}</span><span class="brief">${brief}</span></span>`}
    ${clock !== null && clock !== undefined && html`<span class="clock" role="timer" aria-label="Clock of ${side}">${clockText(clock)}</span>`}
  </div>`;
}

// The buttons below the board. go is called with first, back, forward or last; at says which of them lead nowhere.
export function Transport({go, at = {}, onFlip, onEdit, onPlay, flipped, editing, playing, children}) {
  const step = (name, label, keys) => html`<${IconButton} name=${name} label=${label} keys=${keys} disabled=${!!at[name]}
    onClick=${() => go(name)} />`;
  return html`<div class="transport" role="group" aria-label="Turns and board">
    <span class="group">${step("first", "First position", "Home")}${step("back", "Turn back", "←")}
      ${step("forward", "Turn forward", "→")}${step("last", "Last position", "End")}</span>
    ${children}
    <span class="group"><${IconButton} name="flip" label="Flip the board" keys="f" aria-pressed=${!!flipped} onClick=${onFlip} />
    ${onEdit && html`<button type="button" class="quiet" aria-pressed=${!!editing} onClick=${onEdit}><${Icon} name="edit" />Edit</button>`}
    ${onPlay && html`<button type="button" class="quiet" aria-pressed=${!!playing} onClick=${onPlay}><${Icon} name="play" />Play</button>`}</span>
  </div>`;
}
