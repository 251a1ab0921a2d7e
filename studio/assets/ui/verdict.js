// The answer about a position, in one card.

import {html} from "../lib/view.js";
import {Icon} from "./icons.js";
import {Button, Chips, Progress, Tabs} from "./parts.js";

const icons = {won: "check", lost: "cross", open: "question", runs: "search", waits: "wait"};

// A verdict in a word, with its colour and icon.
export const Badge = ({tone, text}) => html`<p class="badge ${tone}"><${Icon} name=${icons[tone]} />${text}</p>`;

// tone is won, lost, open, runs or waits: the colour and the icon of the badge, beside its word. sentence says the answer, note
// what it rests on. progress is null or {text, done, total}. asks are {label, options, value}; ask(id) asks. action is null or
// {label, onClick}, the filled button. more stands below the note, drawer beside the questions. tabs are as of Tabs; children are
// buttons at the foot.
export function VerdictCard({id, tone = "open", badge, sentence, note, more, progress, onStop, asks, ask, action, drawer, tabs = [], tab, onTab,
  children}) {
  return html`<section class="card verdict" data-tone=${tone} aria-labelledby="${id}-sentence">
    <div class="answer">
      <div class="told" role="status"><${Badge} tone=${tone} text=${badge} /><h2 id="${id}-sentence" class="sentence">${sentence}</h2></div>
      ${note && html`<p class="dim">${note}</p>`}${more}
      ${progress && html`<div class="searching"><${Progress} done=${progress.done} total=${progress.total} waits=${tone === "waits"} label="Search" />
        <span class="dim">${progress.text}</span><${Button} icon="stop" onClick=${onStop}>Stop<//></div>`}
      ${asks && html`<div class="asks"><${Chips} caption=${asks.label} label=${asks.label} options=${asks.options} value=${asks.value} pick=${ask} />
        ${action && html`<${Button} filled onClick=${action.onClick}>${action.label}<//>`}${drawer}</div>`}
    </div>
    ${tabs.length > 0 && html`<${Tabs} id=${id} label="Parts of the answer" tabs=${tabs} value=${tab} pick=${onTab} />`}
    ${children && html`<footer class="buttons">${children}</footer>`}
  </section>`;
}
