// The tab Compose: puzzles that are made of the position.

import {html} from "../lib/view.js";
import {aimOf, aims, measures} from "../state/composing.js";
import {ending, over, progress} from "../state/jobs.js";
import {mover, same} from "../state/study.js";
import {capital} from "../state/words.js";
import {subject} from "../store/answers.js";
import {compose, composed, openMade} from "../store/composing.js";
import {board, start} from "../store/desk.js";
import {stop} from "../store/studio.js";
import {SeenBoard} from "../ui/boards.js";
import {Button, Progress} from "../ui/parts.js";
import {Missing} from "./missing.js";

// A puzzle that was made; from is the puzzle that it was made of, or null. The board is for the mouse, the button for all.
const Made = ({made, from, label}) => html`<li>
  <button type="button" class="quiet" tabIndex="-1" aria-hidden="true" onClick=${() => openMade(made)}>
    <${SeenBoard} position=${made.study.position} /></button>
  <div class="texts"><p><strong>${capital(mover(made.study))} wins in ${made.win_in}:</strong> <span class="turn">${made.solution}</span></p>
    <p class="dim">${measures(made, from)}</p>
    <ul class="dim" aria-label="What was changed">${made.changes.map(text => html`<li key=${text}>${text}.</li>`)}</ul>
    <${Button} icon="board" aria-label=${label} onClick=${() => openMade(made)}>Open<//></div></li>`;

function Job({job}) {
  const {label} = aimOf(job), {puzzle, made = []} = job.result?.composed || {};
  return html`<section class="composed" aria-label=${label}><h3>${label}</h3>
    ${over(job) ? html`<p>${ending(job)}</p>` : html`<div class="searching">
      <${Progress} done=${job.done} total=${job.total} waits=${job.state === "waiting"} label=${label} />
      <span class="dim">${progress(job)}</span><${Button} icon="stop" onClick=${() => stop(job.id)}>Stop<//></div>`}
    ${made.length > 0 && html`<ul class="made" aria-label="Puzzles">${made.map((m, i) => html`<${Made} key=${m.study.position} made=${m}
      from=${puzzle} label="Open puzzle ${i + 1}" />`)}</ul>`}</section>`;
}

export function ComposeTab() {
  const v = board.view.value, own = same(subject.value, start.value), all = composed.value;
  if (own && (v.over || !v.squares.trim())) {
    return html`<${Missing} text=${`${v.over ? "The game is over" : "The board is empty"}: set up a position to make puzzles of it.`} />`;
  }
  const runs = aim => all.some(j => j.request.aim === aim && !over(j));
  return html`<p class="dim">Makes other puzzles of this one. Each has a single essential solution, which is proved with the third repetition set
    aside.</p>
    <div class="buttons">${aims.map(({id, label}) => html`<${Button} key=${id} disabled=${runs(id)} onClick=${() => compose(id)}>${label}<//>`)}</div>
    ${all.map(job => html`<${Job} key=${job.id} job=${job} />`)}`;
}
