// The tab Tries: first turns that nearly win, with the defences that they leave, set play and duals.

import {html} from "../lib/view.js";
import {after, label} from "../state/study.js";
import {number} from "../state/words.js";
import {lead, parts, shown, subject} from "../store/answers.js";
import {Lines} from "../ui/parts.js";
import {Turn, shows} from "./line.js";
import {Missing, runsFor, waiting} from "./missing.js";

// The near tries, which lead the board, as do their defences.
const Near = ({at, tries}) => html`<ol class="near" aria-label="Near tries">${tries.map(t => html`<li key=${t.turn}>
  <${Turn} at=${at} turn=${t.turn} labelled=${label(at)}
    note=${[t.essential && "essential", t.threatens && "threatens to win at once"].filter(Boolean).join(", ")} />
  <${Lines} label="Defences" items=${t.defences.map(d => ({key: d.turn, label: label(after(at, t.turn)), turn: d.turn, note: d.says,
    tone: d.refutes ? "lost" : ""}))}
    current=${t.defences.find(d => shows(after(at, t.turn), d.turn))?.turn} onPick=${d => lead(after(after(at, t.turn), d.key))} /></li>`)}</ol>`;

// A phase in the words of the studio.
const Phase = ({title, lines, more}) => html`<p class="dim">${title}</p>
  ${lines.length > 0 && html`<ul class="phase" aria-label=${title.split(/[,:]/)[0]}>
    ${lines.map(line => html`<li key=${line} class="turn">${line}</li>`)}
    ${more > 0 && html`<li class="dim">and ${number(more)} more</li>`}</ul>`}`;

export function TriesTab() {
  const job = shown.value.near, at = subject.value;
  if (!job) {
    if (runsFor("tries")) return waiting;
    const unlisted = shown.value.whole.find(j => j.request.kind === "tries");
    const {within, refuted} = shown.value.bounds, enough = within >= 2 || refuted >= 2;
    const text = unlisted?.result.says || "Near tries, which leave the opponent at most three defences; set play; duals.";
    return html`<${Missing} text=${text} label=${enough ? "Look for tries" : "Look for tries of a win in 2"} act=${enough ? parts.tries : () => parts.tries({win_in: 2})} />`;
  }
  const {tries, total, phases} = job.result.tries;
  return phases.map(p => p.phase === "near" && tries.length > 0 ? html`<p class="dim">${p.title}${total > tries.length
    && ` The first ${tries.length} are listed.`}</p><${Near} key="near" at=${at} tries=${tries} />` : html`<${Phase} key=${p.phase} ...${p} />`);
}
