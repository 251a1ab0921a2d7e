// The tabs Line and Solutions: how a win is played, and the turns that begin one.

import {html} from "../lib/view.js";
import {onLine, plies, toneOf, worded} from "../state/answers.js";
import {after, between, label} from "../state/study.js";
import {foremost, lead, parts, putFirst, shown, subject} from "../store/answers.js";
import {Lines} from "../ui/parts.js";
import {Line, shows} from "./line.js";
import {Missing, runsFor, waiting, without} from "./missing.js";

const sureLine = 4; // turns of a win up to which no defence is longer (solve.SureLine)

// The turns that were judged; each shows its own answer.
function Judged() {
  const all = Object.entries(shown.value.tries), at = subject.value, now = foremost.value;
  if (!all.some(([, job]) => job !== now)) return null;
  const items = all.map(([turn, job]) => ({key: job.id, label: label(at), turn, note: worded(job).badge, tone: toneOf(job)}));
  return html`<p class="dim">Turns that were judged</p><${Lines} label="Turns that were judged" items=${items} current=${now.id}
    onPick=${item => putFirst(item.key)} />`;
}

export const LineTab = () => html`<${Win} /><${Judged} />`;

function Win() {
  const s = shown.value, first = foremost.value, job = plies(first?.result).length ? first : s.line, at = subject.value;
  if (job) {
    const r = job.result, win = r.verdict === "proved";
    const title = win ? `The win, with the longest defence${r.within > sureLine ? " known" : ""}` : "The turn, and the reply";
    return html`<${Line} title=${title} from=${at} turns=${plies(r)} last=${r.ends_by && `wins by ${r.ends_by}`} />`;
  }
  if (s.derived) {
    const {job: from} = s.derived, k = between(from.request.study, at).length;
    return html`<${Line} title="The rest of the line of ${label(from.request.study)}" from=${onLine(from, k)} turns=${plies(from.result).slice(k)}
      last=${from.result.ends_by && `wins by ${from.result.ends_by}`} />`;
  }
  if (s.verdict?.result.verdict === "proved") return html`<${Missing} text="This search has proved the win without a line." label="Look for the line"
    act=${parts.line} />`;
  return without("line");
}

export function SolutionsTab() {
  const job = shown.value.solutions, at = subject.value;
  if (!job) {
    return without("solution") || (runsFor("solve") ? waiting
      : html`<${Missing} text="All first turns that win in as few turns as possible." label="Find all solutions" act=${parts.solutions} />`);
  }
  const items = [...job.result.solutions || []].sort((a, b) => b.essential - a.essential)
    .map(({turn, essential}) => ({key: turn, label: label(at), turn, note: essential ? "essential" : ""}));
  return html`<p class="dim">${job.result.listed}</p><${Lines} label="Solutions" items=${items} current=${items.find(i => shows(at, i.key))?.key}
    onPick=${({turn}) => lead(after(at, turn))} />`;
}
