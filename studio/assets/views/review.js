// The review of the present game, below its turns: Gold's chances, the moments, remarks about turns, and the verdict on a turn
// that a person tries instead.

import {html} from "../lib/view.js";
import {ending, over, progress} from "../state/jobs.js";
import {judged as judgement, moments, turnAt} from "../state/review.js";
import {after, label} from "../state/study.js";
import {lead} from "../store/answers.js";
import {game, here} from "../store/desk.js";
import {at, beside, judged, lapsed, lookAlong, picked, reviewed, reviewGame, seconds, showPosition, stopReview,
  takeFindings} from "../store/review.js";
import {Icon} from "../ui/icons.js";
import {Button, Progress, roving} from "../ui/parts.js";
import {ReviewGraph} from "../ui/turns.js";
import {Badge} from "../ui/verdict.js";

// Begins a review.
export function ReviewButton({filled}) {
  const {job} = reviewed.value || {}, runs = !!job && !over(job), none = game.value.nodes.length === 1;
  return html`<${Button} id="review" filled=${filled} icon="search" disabled=${none || runs} onClick=${reviewGame}>Review<//>
    <details class="options"><summary>Options</summary><label>At most, for each turn, in seconds <input id="turn-seconds" type="number" min="0.1"
      max="3600" step="any" placeholder="no limit" value=${seconds.value}
      onChange=${e => seconds.value = e.currentTarget.value} /></label></details>`;
}

// The moments, as chips: one leads to the position before its turn.
function Moments({all}) {
  const now = at.value, current = Math.max(0, all.findIndex(m => m.position === now));
  return html`<div class="moments" role="group" aria-label="Moments" onKeyDown=${roving("button")}>${all.map((m, i) => html`<button type="button"
    key=${m.position} class="chip" aria-pressed=${picked.value === now && m.position === now} tabIndex=${i === current ? 0 : -1} title=${m.says}
    onClick=${() => showPosition(m.position, true)}>${m.label}${m.sign && html` <b class="lost">${m.sign}</b>`}</button>`)}</div>`;
}

// What could have been played in place of a turn. The one that the board shows is written out, and its turns lead along it.
function Others({i, position}) {
  const {looked} = here.value;
  const shown = position.others.findIndex(o => looked.length && looked.every((turn, k) => turn === o.line[k]));
  return html`<ol class="lines" aria-label="What else could have been played">${position.others.slice(0, 3).map(({line, worth}, k) =>
    html`<li key=${k}>${(k === shown ? line : line.slice(0, 1)).map((turn, n) => html`<button type="button" class="turn" key=${n}
      aria-current=${k === shown && n === looked.length - 1 ? "true" : undefined}
      onClick=${() => lookAlong(i, line, n + 1)}>${turn || "pass"}</button>`)}
      <span class="dim">${worth}</span></li>`)}</ol>`;
}

// The remark about the turn that was played last, or from the moment that was chosen.
function Remark({r}) {
  const i = turnAt(at.value, here.value.looked.length > 0, picked.value), p = !beside.value && r.positions[i];
  if (!p?.played || !p.remark && p.better < 0) return null;
  return html`<div class="remark"><p><strong>${p.label} ${p.played} ${p.sign}</strong> ${p.remark}</p>
    ${p.others.length > 0 && html`<${Others} key=${i} i=${i} position=${p} />`}</div>`;
}

export function ReviewPart() {
  const r = reviewed.value;
  if (lapsed.value) {
    return html`<section class="review" aria-label="Review"><p class="dim">The studio does not have the review of this game any more.
      “Review” makes it again.</p></section>`;
  }
  if (!r?.job) return null;
  const {job, positions} = r, ended = over(job), page = job.result?.page;
  const graph = positions?.some(p => p.chance !== null);
  return html`<section class="review" aria-label="Review">
    ${!ended && html`<div class="searching"><${Progress} done=${job.done} total=${job.total} waits=${job.state === "waiting"} label="Reviewed" />
      <span class="dim">${progress(job)}</span><${Button} icon="stop" onClick=${stopReview}>Stop<//></div>`}
    ${graph && html`<${ReviewGraph} chances=${positions.map(p => p.chance)} labels=${positions.map(p => p.label)} moments=${moments(r.moments)}
      current=${at.value} onPick=${i => showPosition(i)} />`}
    ${r.turning && html`<button type="button" class="turning" onClick=${() => showPosition(r.turning.position, true)}>${r.turning.says}</button>`}
    ${r.moments?.length > 0 && html`<${Moments} all=${r.moments} />`}
    ${positions && html`<${Remark} r=${r} />`}
    ${ended && html`<details class="summary"><summary><span>${ending(job)}</span><${Icon} name="down" /></summary></details>`}
    ${page && html`<p class="buttons"><${Button} onClick=${takeFindings}>Take its findings into the game<//>
      <a href=${page} target="_blank" rel="noopener">Page of one file</a></p>`}
  </section>`;
}

// The verdict on a turn that left the reviewed line, in a word: the card of the answer says the rest.
export function Judged() {
  const t = judged.value;
  if (!t) return null;
  const about = `${label(t.study)} ${t.turn || "pass"}`, {job} = t;
  if (!job) return html`<div class="tried" role="status"><${Badge} tone="runs" text="Judging" /><p>${about}</p></div>`;
  const {tone, badge} = judgement(job, t.before), line = job.result?.refutation || [];
  return html`<div class="tried" role="status"><${Badge} tone=${tone} text=${badge} /><p>${about}</p>
    ${line.length > 1 && html`<${Button} onClick=${() => lead(line.reduce(after, t.study))}>Show the reply ${line[1]}<//>`}</div>`;
}
