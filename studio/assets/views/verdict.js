// The answer about the position on the place Board: one card with the questions, the sentence, and the parts of the answer.

import {html, signal, useEffect, useRef, useState} from "../lib/view.js";
import {contradiction, inherited, onLine, plies, shown as shownOf, worded} from "../state/answers.js";
import {over, progress} from "../state/jobs.js";
import {after, atStart, between, label, mover, same} from "../state/study.js";
import {amount, capital, number, size} from "../state/words.js";
import {analysis} from "../store/analysis.js";
import {answers, asked, choose, foremost, judge, justPlayed, keepCertificate, lead, options, parts, played, putFirst, saveCertificate, shown, solve,
  subject, tab, variationsOf, writeDown} from "../store/answers.js";
import {board, mode, start, study} from "../store/desk.js";
import {change, settings} from "../store/settings.js";
import {facts, stop} from "../store/studio.js";
import {Button, Lines} from "../ui/parts.js";
import {VerdictCard} from "../ui/verdict.js";
import {TreeTab} from "./tree.js";

const tones = {proved: "won", disproved: "lost"};
const questions = [[1, "in 1"], [2, "in 2"], [3, "in 3"], [0, "any"]].map(([id, label]) => ({id, label}));
const sureLine = 4; // turns of a win up to which no defence is longer (solve.SureLine)

const focused = signal(0); // how often the focus was asked for

// Puts the focus on the question "any", so that Enter asks it.
export const focusAsk = () => focused.value++;

// Keys of the board that ask: digits, and Enter where no button has the focus.
const asks = (key, win_in, caption, what) => ({keys: [key], caption: [caption], what, run: e => {
  if (mode.value !== "analyse" || key === "Enter" && e.target.closest("button, a, summary, input, [role=slider], [tabindex='0']")) return false;
  solve(win_in);
}});
export const keys = [...[1, 2, 3].map(n => asks(String(n), n, String(n), n === 1 ? "is there a win in 1?" : `is there a win in ${n}?`)),
  asks("Enter", 0, "Enter", "is there a win?")];

// The question of a job that runs.
function question({request: {kind, win_in, turn, study}}) {
  const side = mover(study), within = win_in ? ` in ${win_in}` : "";
  return kind === "try" ? `Does ${side} win${within} with ${turn}?` : `Does ${side} win${within}?`;
}

// What stands above the parts: {tone, badge, sentence, note}.
function headline() {
  const s = shown.value, job = foremost.value, {derived, running: [runs], failed} = s, v = board.view.value, at = subject.value;
  const own = same(at, start.value) && v;
  const known = job?.result && (job.request.kind === "try" || job.result.verdict === "proved");
  if (derived && !known) {
    return {tone: derived.winner === mover(at) ? "won" : "lost", badge: "Proved", sentence: inherited(derived), note: job?.result.says};
  }
  if (job) {
    const {badge, sentence, note} = worded(job);
    const notes = [note, derived && inherited(derived), capital(`${progress(job)}.`)].filter(Boolean);
    return {tone: tones[job.result.verdict] || "open", badge, sentence, note: notes.join(" ")};
  }
  if (runs) {
    const waits = runs.state === "waiting";
    return {tone: waits ? "waits" : "runs", badge: waits ? "Waiting" : "Searching", sentence: question(runs)};
  }
  if (failed) return {tone: "open", ...worded(failed)};
  if (own && !v.squares.trim()) {
    return {tone: "open", badge: "Not asked", sentence: "The board is empty.", note: "Set a position up with Edit, or open one."};
  }
  if (own && v.over) return {tone: "open", badge: "Game over", sentence: `The game is over: ${v.over}.`};
  return {tone: "open", badge: "Not asked", sentence: `Does ${mover(at)} win?`};
}

const Note = ({children}) => html`<p class="dim">${children}</p>`;

// What belongs to the answer besides its sentence.
function Notes() {
  const s = shown.value, at = subject.value, v = board.view.value, first = foremost.value, away = !same(at, start.value);
  const other = s.verdict?.result.says !== first?.result.says && s.verdict;
  const there = away && shownOf(answers.value, start.value).derived;
  const unusual = !away && !v.over && v.squares.trim() && v.unusual.length > 0;
  const failed = s.failed && (first || s.running.length) && s.failed;
  return html`${s.conflicts.length > 0 && html`<ul class="conflicts" aria-label="Contradictions">${s.conflicts.map(c => html`<li key=${c.no.id}>
      ${contradiction(c)}</li>`)}</ul>`}
    ${away && html`<p class="dim away">The ${first || s.derived ? "answer" : "question"} is about ${label(at)}.
      <button type="button" class="chip" onClick=${() => lead(at)}>Back to ${label(at)}</button></p>`}
    ${there && html`<${Note}>On the board: ${inherited(there)}<//>`}
    ${other && html`<${Note}>${other.result.says}<//>`}
    ${failed && html`<${Note}>Not answered: ${failed.error}<//>`}
    ${v.table && html`<${Note}>Endgame table${away && ` about ${label(start.value)}`}: ${v.table}.<//>`}
    ${unusual && html`<${Note}>No game leads to this position: ${v.unusual.join("; ")}.<//>
      <${Switch} name="unusual" text="Answer nevertheless, although no game leads here" />`}`;
}

const Switch = ({name, text}) => html`<label class="check"><input type="checkbox" checked=${options.value[name]}
  onChange=${e => choose(name, e.currentTarget.checked)} />${text}</label>`;

// A number; an empty field stands for 0.
const NumberField = ({text, value, set, placeholder, max}) => html`<label class="row">${text}<input type="number" min="1" max=${max}
  value=${value || (placeholder ? "" : value)} placeholder=${placeholder} onChange=${e => set(Math.max(0, +e.currentTarget.value || 0))} /></label>`;

const Drawer = () => html`<details class="search"><summary>Search</summary><div class="choices">
  <label class="row">Algorithm<select value=${options.value.algorithm} onChange=${e => choose("algorithm", e.currentTarget.value)}>
    <option value="dfpns">dfpns: fast, all threads</option><option value="pns">pns: best first, one thread</option></select></label>
  <${NumberField} text="Time, in seconds" value=${options.value.seconds} max="86400" set=${n => choose("seconds", n || 60)} />
  <${NumberField} text="Threads" value=${options.value.threads} max="1024" placeholder="all" set=${n => choose("threads", Math.round(n))} />
  <${NumberField} text="Memory, in MiB" value=${options.value.memory} placeholder="a quarter" set=${n => choose("memory", Math.round(n))} />
  <${Switch} name="all" text="Every solution" /><${Switch} name="any" text="The first win found will do" />
  ${!board.view.value?.unusual.length && html`<${Switch} name="unusual" text="Although no game leads here" />`}
  <${Switch} name="defends" text="When a turn ends, the defence answers with its best reply" /></div></details>`;

// A part that is not there: why, and the button that asks for it.
const Missing = ({text, label: caption, act}) => html`<div class="missing"><p class="dim">${text}</p>
  ${act && html`<${Button} onClick=${() => act()}>${caption}<//>`}</div>`;

// Why a part of a win is not there, or null where there is a win to ask about.
function without(what) {
  const s = shown.value, v = s.verdict?.result.verdict;
  if (v === "proved" || s.derived?.winner === mover(subject.value)) return null;
  if (s.running.length) return waiting;
  const {over, squares} = board.view.value;
  if (over && same(subject.value, start.value)) {
    return html`<${Missing} text=${`${squares.trim() ? "The game is over" : "The board is empty"}: there is nothing to ask.`} />`;
  }
  if (s.verdict) return html`<${Missing} text=${`${s.verdict.result.says} No win is proved, so there is no ${what} to show.`} />`;
  return html`<${Missing} text="A ${what} is shown when a win is proved." label="Look for a win" act=${() => solve(0)} />`;
}

const runsFor = kind => shown.value.running.some(j => j.request.kind === kind && (kind !== "solve" || j.request.all));
const waiting = html`<${Missing} text="The search runs." />`;

// Reports whether the board shows the study after a turn.
const shows = (at, turn) => !study.value.steps && same(after(at, turn), start.value);

// Turns one after the other, from a study on; last is the note at the last one.
function Line({title, from, turns, last}) {
  const items = turns.map((turn, k) =>
    ({key: k, label: label(from, from.turns.length + k), turn: turn || "pass", note: k === turns.length - 1 ? last : ""}));
  const here = between(from, start.value), current = here && !study.value.steps && here.every((t, i) => t === turns[i]) ? here.length - 1 : -1;
  const list = useRef(), pick = k => lead(turns.slice(0, k + 1).reduce(after, atStart(from)));
  useEffect(() => list.current.querySelector("[aria-current]")?.scrollIntoView({block: "nearest"}), [current]);
  const key = e => { // left and right, Home and End lead the board, and the focus with it
    const buttons = [...list.current.querySelectorAll("button")], now = buttons.indexOf(document.activeElement);
    const k = {ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: turns.length - 1}[e.key];
    if (k === undefined || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation();
    if (k >= -1 && k < turns.length) pick(k);
    buttons[k]?.focus();
  };
  return html`<div ref=${list} onKeyDownCapture=${key}>${title && html`<p class="dim">${title}</p>`}
    <${Lines} label=${title || "The line from there"} items=${items} current=${current} onPick=${item => pick(item.key)} /></div>`;
}

// The turns that were judged; each shows its own answer.
function Judged() {
  const all = Object.entries(shown.value.tries), at = subject.value, now = foremost.value;
  if (!all.some(([, job]) => job !== now)) return null;
  const items = all.map(([turn, job]) => ({key: job.id, label: label(at), turn, note: worded(job).badge, tone: tones[job.result.verdict]}));
  return html`<p class="dim">Turns that were judged</p><${Lines} label="Turns that were judged" items=${items} current=${now.id}
    onPick=${item => putFirst(item.key)} />`;
}

const LineTab = () => html`<${Win} /><${Judged} />`;

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
    act=${() => solve(s.bounds.within, {any: false, all: false})} />`;
  return without("line");
}

function SolutionsTab() {
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

// What a turn of the attacker does, in words.
const does = v => v.ends_by ? `wins by ${v.ends_by}` : v.threat ? `threatens ${v.threat}` : "quiet";

// The replies of a group, in words: the last group has the largest number of them.
function replies(v, g, last) {
  if (g.count === v.count && g.count > 1) return `any turn, such as ${g.replies[0]}`;
  if (last && v.groups.length > 1 && g.count > 1) return `${amount(g.count, "other turn")}, such as ${g.replies[0]}`;
  return g.replies[0] + (g.count > 1 ? ` and ${number(g.count - 1)} more` : "");
}

// A turn that leads the board.
const Turn = ({at, turn, labelled, note}) => html`<button type="button" class="line" aria-current=${shows(at, turn) ? "true" : undefined}
  onClick=${() => lead(after(at, turn))}><span class="no">${labelled}</span><span class="turn">${turn}</span>${note && html`
  <span class="note">${note}</span>`}</button>`;

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

function DefencesTab() {
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

const refutes = d => d.refutes ? {note: d.says, tone: "lost"} : {note: d.says, tone: ""};

function TriesTab() {
  const job = shown.value.near, at = subject.value;
  if (!job) {
    if (runsFor("tries")) return waiting;
    const unlisted = shown.value.whole.find(j => j.request.kind === "tries");
    const {within, refuted} = shown.value.bounds, enough = within >= 2 || refuted >= 2;
    const text = unlisted?.result.says || "First turns that nearly win: they leave the opponent at most three defences.";
    return html`<${Missing} text=${text} label="Look for near tries"
      act=${enough ? parts.tries : () => parts.tries({win_in: 2})} />`;
  }
  const {tries, total, win_in} = job.result.tries;
  if (!tries.length) {
    return html`<${Missing} text="There is none at a win in ${win_in}: after every first turn that is no solution the opponent wins at once
      or has more than three defences." />`;
  }
  return html`<p class="dim">${amount(total, "near try").replace("trys", "tries")} at a win in ${win_in}, the third repetition set aside.${
    total > tries.length && ` The first ${tries.length} are listed.`}</p>
    <ol class="near" aria-label="Near tries">${tries.map(t => html`<li key=${t.turn}>
      <${Turn} at=${at} turn=${t.turn} labelled=${label(at)}
        note=${[t.essential && "essential", t.threatens && "threatens to win at once"].filter(Boolean).join(", ")} />
      <${Lines} label="Defences" items=${t.defences.map(d => ({key: d.turn, label: label(after(at, t.turn)), turn: d.turn, ...refutes(d)}))}
        current=${t.defences.find(d => shows(after(at, t.turn), d.turn))?.turn} onPick=${d => lead(after(after(at, t.turn), d.key))} /></li>`)}</ol>`;
}

function EngineTab() {
  const a = analysis.value, at = start.value;
  return html`<label class="check"><input type="checkbox" checked=${settings.value.analysis}
      onChange=${e => change("analysis", e.currentTarget.checked)} />Analyse the position on the board <kbd class="keyboard">a</kbd></label>
    ${!settings.value.analysis && html`<p class="dim">The engine shows its best turns, with the chance that it gives them. Only what is called proved
      is proved.</p>`}
    ${a?.error && html`<p class="error">${a.error}</p>`}
    ${a?.lines.length > 0 && html`<p class="dim">${label(at)}, ${a.running ? "searching for" : "after"} ${a.seconds.toFixed(1)} s</p>`}
    ${a && !a.lines.length && !a.error && html`<p class="dim">${a.waits || "The engine searches."}</p>`}
    ${a?.lines.length > 0 && html`<ol class="near" aria-label="Lines of the engine">${a.lines.map(l => html`<li key=${l.turn}>
      <${Turn} at=${at} turn=${l.line[0] || l.turn} labelled=${label(at)} note=${l.says} />
      ${l.line.length > 1 && html`<${Line} title="" from=${after(at, l.line[0])} turns=${l.line.slice(1)} />`}</li>`)}</ol>`}`;
}

// What a tab asks for when it is opened where a win is proved and the part is missing.
const opening = {solutions: ["solutions", "solve"], defences: ["defences", "variations"], tries: ["near", "tries"]};

function open(id) {
  tab.value = id;
  const [part, kind] = opening[id] || [], s = shown.value;
  if (part && !s[part] && s.verdict?.result.verdict === "proved" && !runsFor(kind)) parts[id]();
}

// What is done with an answer.
function Foot() {
  const {certificate, bounds} = shown.value, first = foremost.value, last = played.value, name = label(subject.value);
  return html`${(bounds.within || bounds.refuted > 0) && !certificate && html`<${Button} disabled=${runsFor("certificate")}
      onClick=${() => parts.certificate()}>Write a certificate<//>`}
    ${certificate && html`<${Button} onClick=${() => saveCertificate(certificate.id)}>Save the certificate
      ${` (${size(certificate.result.certificate)})`}<//>`}
    ${certificate && facts.value?.keeps && html`<${Button}
      onClick=${() => keepCertificate(certificate.id, `${name} ${worded(certificate).sentence}`)}>Keep the certificate<//>`}
    ${first?.result && html`<${Button} onClick=${() => writeDown(first)}>Write it down in the game<//>`}
    ${last && !justPlayed.value && same(subject.value, start.value) && html`<${Button} onClick=${judge}>Did ${label(last.study)} keep the win?<//>`}`;
}

export function Verdict() {
  const s = shown.value, [runs] = s.running, v = board.view.value, count = focused.value;
  useEffect(() => {
    if (count) document.querySelector(".verdict .asks .chip:last-of-type")?.focus();
  }, [count]);
  if (!v) return html`<div class="card" />`;
  const own = same(subject.value, start.value), askable = !own || !v.over && v.squares.trim();
  const value = asked.value?.request.kind === "solve" ? asked.value.request.win_in : undefined;
  const tabs = [["line", "Line", LineTab], ["solutions", "Solutions", SolutionsTab, s.solutions?.result.solutions?.length],
    ["defences", "Defences", DefencesTab], ["tree", "Tree", TreeTab], ["tries", "Near tries", TriesTab, s.near?.result.tries.total],
    ["engine", "Engine", EngineTab]].map(([id, caption, Part, count]) =>
    ({id, label: caption, count, content: tab.value === id && html`<${Part} />`}));
  const turn = played.value, isJudged = turn && same(turn.study, subject.value) && s.tries[turn.turn] === foremost.value;
  const judging = s.running.some(j => j.request.kind === "try");
  const asks = justPlayed.value && turn && !isJudged && !judging && !(study.value.steps && v.no_end);
  const action = asks && {label: "Did my turn keep the win?", onClick: judge};
  return html`<${VerdictCard} id="verdict" ...${headline()} more=${html`<${Notes} />`} drawer=${html`<${Drawer} />`}
    progress=${runs && {text: progress(runs), done: runs.done, total: runs.total}} onStop=${() => stop(runs.id)}
    asks=${askable ? {label: "Win?", options: questions, value} : undefined} ask=${id => solve(id)} action=${action || null}
    tabs=${tabs} tab=${tab.value} onTab=${open}><${Foot} /><//>`;
}
