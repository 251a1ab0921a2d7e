// The tab Near tries: first turns that nearly win, and the defences that they leave.

import {html} from "../lib/view.js";
import {after, label} from "../state/study.js";
import {amount} from "../state/words.js";
import {lead, parts, shown, subject} from "../store/answers.js";
import {Lines} from "../ui/parts.js";
import {Turn, shows} from "./line.js";
import {Missing, runsFor, waiting} from "./missing.js";

export function TriesTab() {
  const job = shown.value.near, at = subject.value;
  if (!job) {
    if (runsFor("tries")) return waiting;
    const unlisted = shown.value.whole.find(j => j.request.kind === "tries");
    const {within, refuted} = shown.value.bounds, enough = within >= 2 || refuted >= 2;
    const text = unlisted?.result.says || "First turns that nearly win: they leave the opponent at most three defences.";
    return html`<${Missing} text=${text} label="Look for near tries"
      act=${enough ? parts.tries : () => parts.tries({win_in: 2})} />`;
  }
  const {tries, total, win_in} = job.result.tries;
  if (!tries.length) {
    return html`<${Missing} text="There is none at a win in ${win_in}: after every first turn that is no solution the opponent wins at once
      or has more than three defences." />`;
  }
  return html`<p class="dim">${amount(total, "near try").replace("trys", "tries")} at a win in ${win_in}, the third repetition set aside.${
    total > tries.length && ` The first ${tries.length} are listed.`}</p>
    <ol class="near" aria-label="Near tries">${tries.map(t => html`<li key=${t.turn}>
      <${Turn} at=${at} turn=${t.turn} labelled=${label(at)}
        note=${[t.essential && "essential", t.threatens && "threatens to win at once"].filter(Boolean).join(", ")} />
      <${Lines} label="Defences" items=${t.defences.map(d => ({key: d.turn, label: label(after(at, t.turn)), turn: d.turn, note: d.says,
        tone: d.refutes ? "lost" : ""}))}
        current=${t.defences.find(d => shows(after(at, t.turn), d.turn))?.turn} onPick=${d => lead(after(after(at, t.turn), d.key))} /></li>`)}</ol>`;
}
