// The upper card of the place Puzzles: the exercise that is tried, or the row of a table that the board shows.

import {html, useEffect} from "../lib/view.js";
import {remarks, solution as solutionOf} from "../state/sets.js";
import {label, same, atStart} from "../state/study.js";
import * as state from "../state/training.js";
import {capital} from "../state/words.js";
import {auto, board, exercise, next, now, row, start} from "../store/exercise.js";
import {again, busy, hint, solution} from "../store/judging.js";
import {name, set, tab} from "../store/sets.js";
import {along, onTheBoard, trail} from "../store/trail.js";
import {training} from "../store/training.js";
import {pieceName} from "../ui/board.js";
import {Button, Lines} from "../ui/parts.js";
import {TaskCard} from "../ui/puzzles.js";
import {Badge} from "../ui/verdict.js";

// When the button with the focus disappears, the focus moves to "Next" if the exercise is over, and else to the board.
function useFocus(over) {
  const had = document.activeElement;
  useEffect(() => {
    if (had !== document.body && !had.isConnected) document.querySelector(over ? ".task .filled" : '.squares [tabindex="0"]')?.focus();
  });
}

// The turns that can be walked through, and where the board is among them.
function Walk({title, current}) {
  const {study, line} = trail.value;
  if (!line.length) return null;
  return html`<div class="walk"><h3>${title}</h3><${Lines} label=${title} current=${current} onPick=${item => along(item.key)}
    items=${line.map((turn, i) => ({key: i, label: label(study, (study.turns?.length || 0) + i), turn: turn || "pass"}))} /></div>`;
}

// The index of the turn of the trail that has led to what the board shows, or -1.
const current = () => {
  const turns = board.view.value?.study.turns || [];
  return turns.every((turn, i) => turn === trail.value.line[i]) ? turns.length - 1 : -1;
};

const hintText = ({piece, square, steps}) => piece ? `The ${pieceName(piece)} on ${square} moves first.` : `The turn begins with ${steps}.`;

// The exercise that is tried.
export function Task() {
  const x = now.value, e = exercise.value, v = board.view.value;
  useFocus(x?.over);
  if (!e || !v) return null;
  const there = same(x.at, atStart(v.study)), waits = x.state === "looking" || busy.value;
  const nextHint = x.over || waits ? null : state.next(x);
  const shown = busy.value && busy.value !== "The answer" ? busy.value : x.says;
  const rest = x.state === "wrong" || x.state === "unknown" ? "Try again" : "Back to the exercise";
  const title = [`${name.value}: puzzle ${e.number} of ${set.value.rows.length}`, state.hard(e, state.record(training.value, e))];
  return html`<${TaskCard} id="task" title=${title.filter(Boolean).join(", ")}
    task=${state.task(x)} state=${x.state} says=${shown} themes=${e.themes} idea=${e.idea} marks=${state.marks(training.value)}
    hints=${x.over ? [] : x.given.map((g, i) => ({label: `Hint ${i + 1}`, text: hintText(g)}))} nextHint=${nextHint} onHint=${hint}
    onSolution=${!waits && x.state !== "shown" && solution} again=${rest} onAgain=${!there && !waits && !x.over && again} onNext=${next}>
    ${x.over && html`<${Walk} title=${x.state === "shown" ? "Solution" : "The win"} current=${current()} />`}
    <footer class="buttons"><label class="switch"><input type="checkbox" checked=${auto.value}
      onChange=${e => auto.value = e.currentTarget.checked} /> Next by itself</label>
      ${x.over && html`<${Button} onClick=${() => start(e)}>Once more<//>`}
      <${Button} icon="board" onClick=${onTheBoard}>Open on the board<//></footer><//>`;
}

// The badge of a verdict.
const tones = {proved: ["won", "Proved"], disproved: ["lost", "Disproved"], unknown: ["open", "Unknown"], error: ["open", "Broken"]};

// The row of the table that the board shows.
export function Finding() {
  const {number, puzzle: p} = row.value, given = solutionOf(p);
  const [tone, word] = p.claim_true === false ? ["lost", "False claim"] : p.solution_ok === false ? ["lost", "Wrong solution"] : tones[p.verdict];
  return html`<section class="card verdict task" data-tone=${tone} aria-labelledby="finding-sentence">
    <div class="answer">
      <p class="dim">${name.value}: puzzle ${number} of ${set.value.rows.length}</p>
      <div class="told"><${Badge} tone=${tone} text=${word} /><h2 id="finding-sentence" class="sentence">${p.label}: ${p.says}</h2></div>
      ${p.claim && html`<p>Claims a win in ${p.claim}.</p>`}
      ${given && html`<p>Solution: ${given}</p>`}
      ${p.shows && html`<p>${capital(p.shows)}.</p>`}
      ${remarks(p, set.value.changes[number - 1]).map(r => html`<p key=${r.text} class=${r.tone}>${r.text}</p>`)}
    </div>
    <${Walk} title=${p.refutation ? "The refutation" : "The win"} current=${current()} />
    <footer class="buttons">${p.least !== null && html`<${Button} onClick=${() => tab.value = "train"}>Train on this<//>`}
      <${Button} icon="board" onClick=${onTheBoard}>Open on the board<//></footer></section>`;
}
