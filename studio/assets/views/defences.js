// The tab Defences: what follows each reply to the winning turn.

import {html, useState} from "../lib/view.js";
import {after} from "../state/study.js";
import {amount, number} from "../state/words.js";
import {lead, parts, shown, subject, variationsOf} from "../store/answers.js";
import {Turn} from "./line.js";
import {Missing, runsFor, waiting, without} from "./missing.js";

// What a turn of the attacker does, in words.
const does = v => v.ends_by ? `wins by ${v.ends_by}` : v.threat ? `threatens ${v.threat}` : "quiet";

// The replies of a group, in words: the last group has the largest number of them.
function replies(v, g, last) {
  if (g.count === v.count && g.count > 1) return `any turn, such as ${g.replies[0]}`;
  if (last && v.groups.length > 1 && g.count > 1) return `${amount(g.count, "other turn")}, such as ${g.replies[0]}`;
  return g.replies[0] + (g.count > 1 ? ` and ${number(g.count - 1)} more` : "");
}

// A fold whose content is drawn once it is opened.
function Fold({summary, onOpen, children}) {
  const [opened, setOpened] = useState(false);
  return html`<details onToggle=${e => e.currentTarget.open && setOpened(true)}><summary class="turn" onClick=${onOpen}>${summary}</summary>
    ${opened && children()}</details>`;
}

// A turn of the attacker with what follows it folded; at is the study before it.
function Variation({v, at}) {
  const next = after(at, v.turn), last = v.groups.length - 1;
  const left = v.hidden > 0 && html`<p class="dim">${amount(v.hidden, "more answer")}, to ${amount(v.hidden_replies, "turn")}, not shown.</p>`;
  return html`<div class="variation"><${Turn} at=${at} turn=${v.turn} labelled=${v.label} note=${does(v)} />
    ${v.groups.map((g, i) => html`${i === last && i > 0 && left}<${Fold} key=${g.replies[0]} onOpen=${() => lead(after(next, g.replies[0]))}
      summary=${`${g.label} ${replies(v, g, i === last)}: ${g.answer ? `then a win in ${g.needs}` : "loses at once"}`}>${() => html`
      ${g.answer && html`<${Variation} v=${g.answer} at=${after(next, g.replies[0])} />`}
      ${g.count > 1 && html`<${Fold} summary="The other replies that meet the same answer">${() => html`
        ${g.replies.slice(1).map(reply => html`<${Turn} key=${reply} at=${next} turn=${reply} labelled=${g.label} />`)}
        ${g.count > g.replies.length && html`<p class="dim">and ${amount(g.count - g.replies.length, "more turn")}</p>`}`}<//>`}`}<//>`)}
    ${last === 0 && left}</div>`;
}

export function DefencesTab() {
  const job = shown.value.defences;
  if (!job) {
    return without("defence") || (runsFor("variations") ? waiting
      : html`<${Missing} text="Every reply of the defender, and what wins then." label="Show the defences" act=${parts.defences} />`);
  }
  const v = variationsOf(job.id);
  if (!v) return waiting;
  return html`<div role="group" aria-label="Every defence, and its answer"><${Variation} v=${v} at=${subject.value} /></div>
    <p class="dim">Replies stand together if they meet the same answer; those that hold out longest come first.</p>`;
}
