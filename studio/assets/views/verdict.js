// The answer about the position on the place Board: one card with the questions, the sentence, and the parts of the answer.

import {html, signal, useEffect} from "../lib/view.js";
import {contradiction, inherited, shown as shownOf, toneOf, worded} from "../state/answers.js";
import {progress} from "../state/jobs.js";
import {label, mover, same} from "../state/study.js";
import {capital, size} from "../state/words.js";
import {answers, foremost, judge, justPlayed, keepCertificate, lead, parts, played, question as pressed, saveCertificate, shown, solve, subject, tab,
  writeDown} from "../store/answers.js";
import {board, mode, start, study} from "../store/desk.js";
import {impossible} from "../store/legal.js";
import {facts, stop} from "../store/studio.js";
import {Button} from "../ui/parts.js";
import {VerdictCard} from "../ui/verdict.js";
import {ComposeTab} from "./compose.js";
import {DefencesTab} from "./defences.js";
import {EngineTab} from "./engine.js";
import {runsFor} from "./missing.js";
import {Search, Switch} from "./search.js";
import {TreeTab} from "./tree.js";
import {TriesTab} from "./tries.js";
import {LineTab, SolutionsTab} from "./wins.js";

const questions = [[1, "in 1"], [2, "in 2"], [3, "in 3"], [0, "any"]].map(([id, label]) => ({id, label}));
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
    return {tone: toneOf(job), badge, sentence, note: notes.join(" ")};
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
  const none = !away && !v.over && v.squares.trim() && !unusual && impossible.value;
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
      <${Switch} name="unusual" text="Answer nevertheless, although no game leads here" />`}
    ${none && html`<${Note}>No game leads to this position: ${none}.<//>`}`;
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
  const tabs = [["line", "Line", LineTab], ["solutions", "Solutions", SolutionsTab, s.solutions?.result.solutions?.length],
    ["defences", "Defences", DefencesTab], ["tree", "Tree", TreeTab], ["tries", "Tries", TriesTab, s.near?.result.tries.total],
    ["compose", "Compose", ComposeTab], ["engine", "Engine", EngineTab]].map(([id, caption, Part, count]) =>
    ({id, label: caption, count, content: tab.value === id && html`<${Part} />`}));
  const turn = played.value, isJudged = turn && same(turn.study, subject.value) && s.tries[turn.turn] === foremost.value;
  const judging = s.running.some(j => j.request.kind === "try");
  const asks = justPlayed.value && turn && !isJudged && !judging && !(study.value.steps && v.no_end);
  const action = asks && {label: "Did my turn keep the win?", onClick: judge};
  return html`<${VerdictCard} id="verdict" ...${headline()} more=${html`<${Notes} />`} drawer=${html`<${Search} />`}
    progress=${runs && {text: progress(runs), done: runs.done, total: runs.total}} onStop=${() => stop(runs.id)}
    asks=${askable ? {label: "Win?", options: questions, value: pressed.value} : undefined} ask=${id => solve(id)} action=${action || null}
    tabs=${tabs} tab=${tab.value} onTab=${open}><${Foot} /><//>`;
}
