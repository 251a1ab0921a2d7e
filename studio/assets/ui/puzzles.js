// Puzzles: the exercise that is tried, and shelves to choose from.

import {html} from "../lib/view.js";
import {SeenBoard} from "./boards.js";
import {Icon} from "./icons.js";
import {Button, roving} from "./parts.js";
import {Badge} from "./verdict.js";

const tones = {right: "won", solved: "won", wrong: "lost", looking: "runs"};
const words = {right: "Right", solved: "Solved", wrong: "Not this turn", looking: "Looking at your turn", unknown: "Not decided", shown: "Solution"};

// An exercise. state is ask, looking, right, wrong, unknown, solved or shown (the solution was), and says what has become of the
// turn; hints are those that were given, {label, text}, and nextHint is the label of the next one, or null. onAgain leads back to
// the position to play from, where there is something to go back from; again is what its button says. marks are the
// person's. The themes and the idea are shown when it is over. Children stand below.
export function TaskCard({id, title, task, state, says, hints = [], nextHint, onHint, onSolution, again = "Try again", onAgain, onNext, marks,
  themes = [], idea, children}) {
  const tone = tones[state] || "open", over = state === "solved" || state === "shown";
  return html`<section class="card verdict task" data-tone=${tone} aria-labelledby="${id}-task">
    <div class="answer">
      <div class="between"><p class="dim">${title}</p>${marks && html`<p class="dim">${marks}</p>`}</div>
      <h2 id="${id}-task" class="sentence">${task}</h2>
      <div class="told judged" role="status"><${Badge} tone=${tone} text=${words[state] || "Your turn"} /><p>${says}</p></div>
      <div role="status">${hints.length > 0 && html`<ol class="hints" aria-label="Hints">${hints.map(h => html`<li key=${h.label}>
        <${Icon} name="light" /><span class="dim">${h.label}</span> ${h.text}</li>`)}</ol>`}</div>
      ${over && idea && html`<p>${idea}</p>`}
      ${over && themes.length > 0 && html`<p class="themes">${themes.map(t => html`<span class="tag" key=${t}>${t}</span>`)}</p>`}
      <div class="buttons">
        ${!over && nextHint && html`<${Button} icon="light" onClick=${onHint}>Hint: ${nextHint}<//>`}
        ${onAgain && html`<${Button} icon="back" onClick=${onAgain}>${again}<//>`}
        ${onSolution && html`<${Button} onClick=${onSolution}>Show the solution<//>`}
        <${Button} filled=${over} onClick=${onNext}>Next<//>
      </div>
    </div>${children}</section>`;
}

const states = {solved: ["check", "won", "solved"], helped: ["check", "open", "solved with help"], tried: ["cross", "lost", "tried"]};

// A shelf of puzzles {id, position, label, note, state}; state is solved, helped, tried or "". onPick(puzzle). Children are
// buttons of the shelf.
export function Shelf({title, note, puzzles, current, onPick, children}) {
  const at = Math.max(0, puzzles.findIndex(p => p.id === current));
  return html`<section class="shelf"><div class="between"><h2>${title}</h2><span class="dim">${note}</span></div>
    ${children && html`<div class="buttons">${children}</div>`}
    <ul class="boards" aria-label=${title} onKeyDown=${roving("button")}>${puzzles.map((p, i) => {
      const [icon, tone, word] = states[p.state] || [];
      return html`<li key=${p.id}><button type="button" class="puzzle" aria-current=${p.id === current ? "true" : undefined}
        tabIndex=${i === at ? 0 : -1} onClick=${() => onPick(p)}>
        <${SeenBoard} position=${p.position} /><span class="words"><strong>${p.label}</strong><span class="dim">${p.note}</span></span>
        ${icon && html`<span class="state ${tone}"><${Icon} name=${icon} /><span class="unseen">${word}</span></span>`}</button></li>`;
    })}</ul></section>`;
}
