// The answer about a position, in one card.

import {html} from "../lib/view.js";
import {Icon, IconButton} from "./icons.js";
import {Button, Chips, Progress, Tabs} from "./parts.js";

const looks = {won: "check", lost: "cross", open: "question", runs: "search", waits: "wait"};

// tone is won, lost, open, runs or waits: the colour and the icon of the badge, beside its word. sentence says the answer, note
// what it rests on. progress is null or {text, done, total}. asks are {label, options, value}; ask(id) asks. action is null or
// {label, onClick}, the filled button. tabs are as of Tabs; children are buttons at the foot.
export function VerdictCard({id, tone = "open", badge, sentence, note, progress, onStop, asks, ask, action, tabs = [], tab, onTab, children}) {
  return html`<section class="card verdict" data-tone=${tone} aria-labelledby="${id}-sentence">
    <div class="answer">
      <div class="told" role="status"><p class="badge ${tone}"><${Icon} name=${looks[tone]} />${badge}</p><h2 id="${id}-sentence" class="sentence">${sentence}</h2></div>
      ${note && html`<p class="dim">${note}</p>`}
      ${progress && html`<div class="searching"><${Progress} done=${progress.done} total=${progress.total} waits=${tone === "waits"} label="Search" />
        <span class="dim">${progress.text}</span><${Button} icon="stop" onClick=${onStop}>Stop<//></div>`}
      ${asks && html`<div class="asks"><${Chips} caption=${asks.label} label=${asks.label} options=${asks.options} value=${asks.value} pick=${ask} />
        ${action && html`<${Button} filled onClick=${action.onClick}>${action.label}<//>`}</div>`}
    </div>
    ${tabs.length > 0 && html`<${Tabs} id=${id} label="Parts of the answer" tabs=${tabs} value=${tab} pick=${onTab} />`}
    ${children && html`<footer class="buttons">${children}</footer>`}
  </section>`;
}

// An exercise. state is ask, looking, right, wrong or solved; hints are {label, text}, of which so many have been given: next is
// the label of the next one, or null. left are the turns left.
export function TaskCard({id, title, task, state, says, hints = [], nextHint, onHint, onSolution, onAgain, onNext, streak, themes = []}) {
  const tone = {right: "won", solved: "won", wrong: "lost", looking: "runs"}[state] || "open";
  const word = {right: "Right", solved: "Solved", wrong: "Not this turn", looking: "Looking at your turn"}[state] || "Your turn";
  const over = state === "solved";
  return html`<section class="card verdict" data-tone=${tone} aria-labelledby="${id}-task">
    <div class="answer">
      <div class="between"><p class="dim">${title}</p>${streak !== undefined && html`<p class="dim">Streak ${streak}</p>`}</div>
      <h2 id="${id}-task" class="sentence">${task}</h2>
      <div class="told judged" role="status"><p class="badge ${tone}"><${Icon} name=${looks[tone]} />${word}</p><p>${says}</p></div>
      ${hints.length > 0 && html`<ol class="hints" aria-label="Hints">${hints.map(h => html`<li key=${h.label}><${Icon} name="light" /><span class="dim">${h.label}</span> ${h.text}</li>`)}</ol>`}
      ${over && themes.length > 0 && html`<p class="themes">${themes.map(t => html`<span class="tag" key=${t}>${t}</span>`)}</p>`}
      <div class="buttons">
        ${!over && nextHint && html`<${Button} icon="light" onClick=${onHint}>Hint: ${nextHint}<//>`}
        ${state === "wrong" && html`<${Button} icon="back" onClick=${onAgain}>Try again<//>`}
        <${Button} onClick=${onSolution}>Show the solution<//>
        <${Button} filled=${over} onClick=${onNext}>Next<//>
      </div>
    </div></section>`;
}
