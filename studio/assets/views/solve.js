// The view that solves: questions, progress, and what was found out about the position on the board.

import {file, get, post, remove} from "../lib/api.js";
import {at, make, say, size} from "../lib/dom.js";
import {on} from "../lib/events.js";
import {chosen, download, textOf} from "../lib/files.js";
import {follow, over} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {byId, contradiction, gone, known, none, onLine, plies, shown, told} from "../state/answers.js";
import {ending, progress} from "../state/jobs.js";
import {after, atStart, key, label, same} from "../state/study.js";
import {amount, number} from "../state/words.js";
import {writeDown} from "./annotate.js";
import {change, go} from "./shown.js";

const whole = id => Math.round(+at(id).value) || 0;

// The fields that every question has in common.
const resources = () => ({
  win_in: whole("win-in"), algorithm: at("algorithm").value, threads: whole("threads"), memory: whole("memory") * 2 ** 20,
  seconds: +at("seconds").value || 60, unusual: at("unusual").checked,
});

// Asks whether the position is won, and judges the turn played.
export const ask = () => at("question").requestSubmit();
export const judge = aside(() => begin({...resources(), kind: "try", ...played()}));

// The turn under way, or else the last one, with the study before it.
function played() {
  const {turns = [], steps} = kept.study;
  if (steps) return {study: atStart(kept.study), turn: steps};
  if (turns.length && turns.at(-1)) return {study: {...kept.study, turns: turns.slice(0, -1), steps: ""}, turn: turns.at(-1)};
  throw new Error("Play a turn on the board first.");
}

const most = 40; // jobs that a window asks for again when it is loaded again
const sureLine = 4; // turns of a win up to which no defence is longer (solve.SureLine)

// The answers of the studio to this window. kept.asked are the ids of its jobs. kept.about = {study, at, first} says which
// answers stand beside the board: those about the study, the job first before the others. They stay while the board has this
// study, or the one with the key at, to which they have led.
let answers = none;
const varied = new Map(); // variations that jobs have listed, by their ids

// The study whose answers are shown: the board's own, unless other answers have led the board there.
function subject() {
  const board = atStart(kept.study), about = kept.about;
  if (about && (about.at === key(board) || same(about.study, board))) return about.study;
  kept.about = {study: board, at: key(board), first: ""};
  return board;
}

const onBoard = () => key(atStart(kept.study));

// Shows the answers about a study, and of them first a job, while the board has the study with the key at.
function turnTo(study, first, at) {
  kept.about = {study: atStart(study), at, first};
  kept.asked = [...(kept.asked || []).filter(id => id !== first), first].slice(-most);
  keep();
  show();
}

// Looks at a study to which the answers that are shown lead.
const look = (study, turn = "") => inTurn(async () => {
  const before = kept.about;
  kept.about = {...before, at: key(atStart(study))};
  try {
    await go(study, turn);
  } catch (error) {
    kept.about = before;
    throw error;
  }
});

// Puts a job into the queue and shows it to its end.
async function begin(task) {
  const at = onBoard(), begun = await post("jobs", task);
  answers = told(answers, begun);
  turnTo(begun.request.study, begun.id, at);
  return watch(begun);
}

async function watch(begun) {
  const take = job => {
    answers = told(answers, job);
    show();
  };
  if (over(begun)) return begun;
  const ended = await follow("jobs/" + begun.id, j => !over(j), take);
  take(ended);
  return ended;
}

// The turns that are listed: each with its button, the study before it, and what is shown there.
let places = [];

// Marks the turn that the board shows.
function mark() {
  for (const [b, study, turn] of places) b.setAttribute("aria-current", turn === kept.show && same(study, kept.study));
}

// What a turn of the attacker does, in words.
const does = v => v.ends_by ? `wins by ${v.ends_by}` : v.threat ? `threatens ${v.threat}` : "quiet";

// The replies of a group, in words: the last group has the largest number of them.
function replies(v, g, last) {
  if (g.count === v.count && g.count > 1) return `any turn, such as ${g.replies[0]}`;
  if (last && v.groups.length > 1 && g.count > 1) return `${amount(g.count, "other turn")}, such as ${g.replies[0]}`;
  return g.replies[0] + (g.count > 1 ? ` and ${number(g.count - 1)} more` : "");
}

// A button that shows a turn, with the study before it.
function place(parent, text, study, turn) {
  const b = make(parent, "button", {type: "button", className: "turn", textContent: text});
  b.onclick = () => look(study, turn);
  places.push([b, study, turn]);
}

// Draws a turn of the attacker below parent, with what follows it folded; study is that before the turn. What is folded is drawn
// when it is opened for the first time.
function draw(parent, v, study) {
  place(parent, `${v.label} ${v.turn}, ${does(v)}`, study, v.turn);
  const next = after(study, v.turn);
  const left = () => v.hidden && make(parent, "p", {className: "note", textContent: `${amount(v.hidden, "more answer")}, to ${amount(v.hidden_replies, "turn")}, not shown.`});
  v.groups.forEach((g, i) => {
    const last = i === v.groups.length - 1;
    if (last && i > 0) left();
    const fold = make(parent, "details"), head = make(fold, "summary", {className: "turn"});
    head.textContent = `${g.label} ${replies(v, g, last)}: ${g.answer ? `then a win in ${g.needs}` : "loses at once"}`;
    head.onclick = () => look(next, g.replies[0]);
    fold.ontoggle = () => {
      if (fold.childElementCount > 1) return;
      if (g.answer) draw(fold, g.answer, after(next, g.replies[0]));
      if (g.count > 1) others(fold, g, next);
      mark();
    };
  });
  if (v.groups.length === 1) left();
}

// Lists the other replies of a group.
function others(parent, g, study) {
  const fold = make(parent, "details");
  make(fold, "summary", {textContent: "The other replies that meet the same answer"});
  fold.ontoggle = () => {
    if (fold.childElementCount > 1) return;
    for (const reply of g.replies.slice(1)) place(fold, `${g.label} ${reply}`, study, reply);
    if (g.count > g.replies.length) make(fold, "p", {className: "note", textContent: `and ${amount(g.count - g.replies.length, "more turn")}`});
  };
}

// Asks for the variations that a job has listed, once.
async function defences(id) {
  varied.set(id, null);
  varied.set(id, await get(`jobs/${id}/variations`));
  show();
}

// What a line of a win says about a position on it.
const rest = ({job, winner, within}) => `${names[winner]} wins in at most ${amount(within, "turn")}, by the line of ${label(job.request.study)}.`;
const names = {gold: "Gold", silver: "Silver"};

// The job whose sentence stands above the answers: the one that was asked for last, once it has ended.
function foremost(s) {
  const job = byId(answers, kept.about.first);
  return job && over(job) ? job : s.verdict || Object.values(s.tries)[0] || s.failed;
}

let drawn = ""; // a key of the answers that are drawn

// Shows the answers about the position on the board, or those that have led there.
function show() {
  const study = subject(), s = shown(answers, study), board = atStart(kept.study);
  const first = foremost(s);
  const there = same(study, board) ? s.derived : shown(answers, board).derived;
  at("progress").textContent = s.running.length ? progress(s.running[0]) : first ? progress(first) : "";
  at("stop").hidden = !s.running.length;
  at("about").textContent = [!same(study, board) && first && `The answer is about ${label(study)}.`, there && rest(there)].filter(Boolean).join(" ");
  at("conflicts").replaceChildren();
  for (const c of s.conflicts) make(at("conflicts"), "li", {textContent: contradiction(c)});
  at("answer").hidden = !first;
  const parts = [first, s.line, s.solutions, s.defences, s.certificate, ...Object.values(s.tries)].map(p => p?.id || "");
  const now = [key(study), !!varied.get(s.defences?.id), ...parts].join();
  if (now !== drawn) drawParts(study, s, first);
  drawn = now;
  mark();
}

// Draws the parts of the answers about a study; first is the job whose sentence stands above them.
function drawParts(study, s, first) {
  const r = first?.result, lined = plies(r).length ? first : s.line, line = plies(lined?.result);
  at("says").textContent = first ? ending(first) : "";
  at("others").replaceChildren();
  for (const other of [s.verdict, ...Object.values(s.tries)].filter(j => j && j !== first)) {
    make(make(at("others"), "li"), "button", {type: "button", textContent: ending(other)}).onclick = aside(() => turnTo(study, other.id, onBoard()));
  }
  at("line-part").hidden = !line.length;
  const longest = `Line, with the longest defence${lined?.result.within > sureLine ? " known" : ""}`;
  at("line-title").textContent = lined?.result.verdict === "proved" ? longest : "The turn, and the reply";
  at("line").replaceChildren();
  places = [];
  line.forEach((turn, k) => place(make(at("line"), "li"), `${label(study, study.turns.length + k)} ${turn}`, onLine(lined, k), turn));
  if (line.length && lined.result.ends_by) place(make(at("line"), "li"), `The end, by ${lined.result.ends_by}`, onLine(lined, line.length), "");
  at("solutions-part").hidden = !s.solutions;
  at("listed").textContent = s.solutions?.result.listed || "";
  at("solutions").replaceChildren();
  for (const {turn, essential} of s.solutions?.result.solutions || []) {
    place(make(at("solutions"), "li"), `${essential ? "* " : ""}${turn}`, study, turn);
  }
  const v = s.defences && varied.get(s.defences.id);
  at("defences-part").hidden = !v;
  at("defences").replaceChildren();
  if (v) draw(at("defences"), v, study);
  else if (s.defences && !varied.has(s.defences.id)) aside(() => defences(s.defences.id))();
  const verdict = s.verdict?.result.verdict || "unknown";
  at("vary").hidden = verdict !== "proved" || !!s.defences;
  at("certify").hidden = verdict === "unknown" || !!s.certificate;
  at("note").hidden = !r;
  at("save").hidden = !s.certificate;
  if (s.certificate) at("save").textContent = `Save the certificate (${size(s.certificate.result.certificate)})`;
}

// The best reply to a turn that has ended, on the board: the longest defence, or what refutes the turn.
async function defend({study, turn}) {
  say("The defence is thinking.");
  const ended = await begin({...resources(), kind: "try", study, turn, win_in: known(answers, study) || whole("win-in")});
  const [, reply] = plies(ended.result), next = after(study, turn);
  if (!reply) return say(ending(ended));
  await inTurn(() => {
    kept.about = {...kept.about, at: key(after(next, reply))};
    return change("turn", {study: next, turn: reply});
  });
  say(`${label(next)} ${reply}`);
}

async function list() {
  const {jobs} = await get("jobs");
  at("jobs").replaceChildren();
  if (!jobs.length) make(at("jobs"), "li", {className: "note", textContent: "There is none."});
  for (const j of jobs) {
    const b = make(make(at("jobs"), "li"), "button", {type: "button"});
    b.textContent = `${j.id}: ${j.kind}${j.label ? " " + j.label : ""}, ${j.state}. ${j.says || progress(j)}`;
    b.onclick = aside(async () => {
      const job = await get("jobs/" + j.id);
      if (job.request.study) await inTurn(() => go(job.request.study));
      answers = told(answers, job);
      if (!byId(answers, job.id)) return say(ending(job) || progress(job));
      turnTo(job.request.study, job.id, onBoard());
      await watch(job);
    });
  }
}

// Checks a certificate, which is about no position on the board.
async function check(proof) {
  const tell = job => at("checked").textContent = ending(job) || progress(job);
  const job = await post("jobs", {kind: "check", text: await textOf(proof, ": goalproof check reads it"), seconds: resources().seconds});
  tell(await follow("jobs/" + job.id, j => !over(j), tell));
}

// Asks for the jobs of this window again, and follows those that run. The studio may have forgotten some.
async function again() {
  const ids = kept.asked || [];
  for (const id of ids) {
    const job = await get("jobs/" + id).catch(error => {
      if (error.status !== 404) throw error;
      kept.asked = kept.asked.filter(other => other !== id);
    });
    if (!job) continue;
    answers = told(answers, job);
    aside(() => watch(job))();
  }
  keep();
  show();
}

export function solving() {
  at("question").onsubmit = aside(() =>
    begin({...resources(), kind: "solve", study: {...kept.study}, all: at("all").checked, any: at("any").checked}));
  at("judge").onclick = judge;
  const further = (kind, more) => aside(() => {
    const {verdict, bounds} = shown(answers, kept.about.study), {study, unusual} = verdict.request;
    return begin({...resources(), kind, algorithm: "dfpns", study, win_in: bounds.within || bounds.refuted, unusual, ...more()});
  });
  at("certify").onclick = further("certificate", () => ({}));
  at("vary").onclick = further("variations", () => ({width: whole("width")}));
  at("save").onclick = aside(async () => {
    const {certificate} = shown(answers, kept.about.study);
    download(await file(`jobs/${certificate.id}/certificate`), "goalproof.proof");
  });
  at("note").onclick = () => inTurn(async () => {
    const {request, result} = foremost(shown(answers, kept.about.study));
    await writeDown(request.study, request.turn || "", result.says, plies(result));
    say("It stands in the comment, and its line in the game: see “Game”.");
  });
  at("stop").onclick = aside(() => remove("jobs/" + shown(answers, kept.about.study).running[0].id));
  at("list-jobs").onclick = aside(list);
  chosen("proof", check);
  on("gone", ({id}) => {
    answers = gone(answers, id);
    if (kept.about) show();
  });
  document.addEventListener("viewed", show);
  document.addEventListener("ended", ({detail}) => {
    if (at("defends").checked && kept.view !== "train" && kept.view !== "play") aside(() => defend(detail))();
  });
  if (kept.asked?.length) aside(again)();
}
