// The shelf of a set: its exercises with small boards, and what is chosen from them.

import {html, useEffect, useRef, useState} from "../lib/view.js";
import {over} from "../state/jobs.js";
import {allThemes, lengths} from "../state/sets.js";
import {due, hard, levels, record, standing} from "../state/training.js";
import {amount} from "../state/words.js";
import {chosen, count, exercise, filter, left, ordered, start} from "../store/exercise.js";
import {name, set, show, fresh} from "../store/sets.js";
import {training} from "../store/training.js";
import {Pages} from "../ui/lists.js";
import {Button, Chips, EmptyState} from "../ui/parts.js";
import {Shelf} from "../ui/puzzles.js";

const choose = more => filter.value = {...filter.value, ...more};

// A choice with its caption. options are those besides "any".
export const Choice = ({id, label, options, value, none = "any", pick}) => html`<label class="choice" for=${id}>${label}
  <select id=${id} value=${value} onChange=${e => pick(e.currentTarget.value)}><option value="">${none}</option>
    ${options.map(o => html`<option key=${o.id ?? o} value=${o.id ?? o}>${o.label ?? o}</option>`)}</select></label>`;

const states = [{id: "", label: "all"}, {id: "open", label: "unsolved"}, {id: "failed", label: "failed"}, {id: "due", label: "due"}];

// What the shelf says where it is empty.
function none({job}) {
  const rest = "Show all of them, or choose others.";
  const what = {failed: "of this choice has failed", due: "of this choice is due"}[filter.value.state] || "is left in this choice";
  if (count.value) return ["Nothing here", `No exercise ${what}. ${rest}`];
  if (job && !over(job)) return ["No exercise yet", "The wins of the set appear here as they are verified."];
  return ["No exercises", "None of these puzzles is a proved win of known length. Open another set."];
}

const size = 60; // exercises of a page

// An exercise as a puzzle of the shelf.
function onShelf(e) {
  const r = record(training.value, e), note = [`win in ${e.win_in}`, hard(e, r, "for you")].filter(Boolean).join(", ");
  return {id: e.number, position: e.study.position, label: `Puzzle ${e.number}`, note, state: standing(r), exercise: e};
}

// The exercises of the set, in pages. The page with the exercise that is tried is shown until another one is turned to.
export function TrainTab() {
  const {rows, gone, id} = set.value, {state = "", length = "", theme = "", difficulty = ""} = filter.value, all = chosen.value;
  const current = exercise.value?.number, at = Math.max(0, all.findIndex(e => e.number === current));
  const about = JSON.stringify([id, filter.value, current]), [turned, turn] = useState({about: "", from: 0}), shelf = useRef();
  const from = turned.about === about && turned.from < all.length ? turned.from : at - at % size, shown = all.slice(from, from + size);
  useEffect(() => void (turned.about && shelf.current.querySelector("li")?.scrollIntoView({block: "nearest"})), [turned]);
  const [title, text] = none(set.value);
  const wait = due(training.value, all), solved = `${count.value - left.value} of ${amount(count.value, "exercise")} solved`;
  const note = count.value ? `${solved}${wait ? `, ${wait} due` : ""}` : "";
  return html`<div ref=${shelf}><${Shelf} title=${name.value} note=${note} current=${current}
    puzzles=${shown.map(onShelf)} onPick=${p => start(p.exercise)}>
    ${count.value > 0 && html`<${Chips} label="Exercises to show" options=${states} value=${state} pick=${id => choose({state: id})} />
      <${Choice} id="train-length" label="Win in" options=${lengths(rows)} value=${length} pick=${v => choose({length: v})} />
      <${Choice} id="train-theme" label="Theme" options=${allThemes(rows)} value=${theme} pick=${v => choose({theme: v})} />
      <${Choice} id="train-difficulty" label="Difficulty" options=${levels(ordered.value)} value=${difficulty}
        pick=${v => choose({difficulty: v})} />`}
    ${!all.length && !gone && rows.length + !!set.value.job > 0 && html`<${EmptyState} icon="puzzle" title=${title} text=${text}>
      ${count.value ? html`<${Button} filled onClick=${() => filter.value = {}}>Show all<//>`
        : html`<${Button} filled onClick=${() => show(fresh)}>Open a set<//>`}<//>`}<//>
    <${Pages} from=${from} count=${shown.length} size=${size} total=${all.length} onFrom=${from => turn({about, from})} /></div>`;
}
