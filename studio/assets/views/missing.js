// What stands in a tab of the answer while its part is not there.

import {html} from "../lib/view.js";
import {mover, same} from "../state/study.js";
import {shown, solve, subject} from "../store/answers.js";
import {board, start} from "../store/desk.js";
import {Button} from "../ui/parts.js";

// A part that is not there: why, and the button that asks for it.
export const Missing = ({text, label: caption, act}) => html`<div class="missing"><p class="dim">${text}</p>
  ${act && html`<${Button} onClick=${() => act()}>${caption}<//>`}</div>`;

// Why a part of a win is not there, or null where there is a win to ask about.
export function without(what) {
  const s = shown.value, v = s.verdict?.result.verdict;
  if (v === "proved" || s.derived?.winner === mover(subject.value)) return null;
  if (s.running.length) return waiting;
  const {over, squares} = board.view.value;
  if (over && same(subject.value, start.value)) {
    return html`<${Missing} text=${`${squares.trim() ? "The game is over" : "The board is empty"}: there is nothing to ask.`} />`;
  }
  if (s.verdict) return html`<${Missing} text=${`${s.verdict.result.says} No win is proved, so there is no ${what} to show.`} />`;
  return html`<${Missing} text="A ${what} is shown when a win is proved." label="Look for a win" act=${() => solve(0)} />`;
}

export const runsFor = kind => shown.value.running.some(j => j.request.kind === kind && (kind !== "solve" || j.request.all));
export const waiting = html`<${Missing} text="The search is running." />`;
