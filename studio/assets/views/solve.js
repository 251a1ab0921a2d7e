// The view that solves: questions, progress, answers, certificates.

import {file, get, post, remove} from "../lib/api.js";
import {amount, at, make, number, say, size} from "../lib/dom.js";
import {chosen, download, textOf} from "../lib/files.js";
import {follow, goOn, over, plies} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {same} from "../lib/study.js";
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

const atStart = () => ({...kept.study, steps: ""});

// The turn under way, or else the last one, with the study before it.
function played() {
  const {turns = [], steps} = kept.study;
  if (steps) return {study: atStart(), turn: steps};
  if (turns.length && turns.at(-1)) return {study: {...kept.study, turns: turns.slice(0, -1), steps: ""}, turn: turns.at(-1)};
  throw new Error("Play a turn on the board first.");
}

let job = null; // that is shown
const sureLine = 4; // turns of a win up to which no defence is longer (solve.SureLine)

// Puts a job into the queue and shows it to its end.
async function begin(task) {
  const begun = await post("jobs", task);
  kept.job = begun.id;
  keep();
  return watch(begun);
}

async function watch(begun) {
  show(begun);
  const id = begun.id;
  const ended = over(begun) ? begun : await follow("jobs/" + id, j => !over(j), j => kept.job === id && show(j));
  if (kept.job === id) show(ended);
  return ended;
}

// How far a job is, in a line.
function progress(j) {
  const time = j.seconds < .1 ? "under 0.1 s" : `${j.seconds.toFixed(1)} s`;
  const aside = j.refuted > 1 && j.repetition === "set aside" ? " (the third repetition set aside)" : "";
  const bounds = [j.refuted && `no win in ${j.refuted}${aside}`, j.within && `wins in at most ${j.within}, with ${plies(j).map(t => `${t.label} ${t.turn}`).join(" ") || j.first}`].filter(Boolean).join("; ");
  const known = bounds && `. Known: ${bounds}`;
  if (j.state === "waiting") return "Waiting for other jobs.";
  if (j.state === "running" && j.total) return `Checking: ${number(j.done)} of ${number(j.total)}, ${time}`;
  if (j.state === "running") return `${j.trying ? `Is there a win in ${j.trying}? ` : ""}${amount(j.nodes, "node")}, ${time}${known}`;
  return `${amount(j.nodes, "node")}, ${time}${j.result?.kept ? "; kept in the workspace" : ""}`;
}

// The turns of the line that is listed: each with its button, the study before it, and what is shown there.
let places = [];

// Marks the turn of the line that the board shows.
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

// Draws a turn of the attacker below parent, with what follows it folded; study is that before the turn. What is folded is drawn
// when it is opened for the first time.
function draw(parent, v, study) {
  const b = make(parent, "button", {type: "button", className: "turn", textContent: `${v.label} ${v.turn}, ${does(v)}`});
  b.onclick = () => inTurn(() => go(study, v.turn));
  places.push([b, study, v.turn]);
  const after = {...study, turns: [...(study.turns || []), v.turn]};
  const left = () => v.hidden && make(parent, "p", {className: "note", textContent: `${amount(v.hidden, "more answer")}, to ${amount(v.hidden_replies, "turn")}, not shown.`});
  v.groups.forEach((g, i) => {
    const last = i === v.groups.length - 1;
    if (last && i > 0) left();
    const fold = make(parent, "details"), head = make(fold, "summary", {className: "turn"});
    head.textContent = `${g.label} ${replies(v, g, last)}: ${g.answer ? `then a win in ${g.needs}` : "loses at once"}`;
    head.onclick = () => inTurn(() => go(after, g.replies[0]));
    fold.ontoggle = () => {
      if (fold.childElementCount > 1) return;
      if (g.answer) draw(fold, g.answer, {...after, turns: [...after.turns, g.replies[0]]});
      if (g.count > 1) others(fold, g, after);
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
    for (const reply of g.replies.slice(1)) {
      const b = make(fold, "button", {type: "button", className: "turn", textContent: `${g.label} ${reply}`});
      b.onclick = () => inTurn(() => go(study, reply));
      places.push([b, study, reply]);
    }
    if (g.count > g.replies.length) make(fold, "p", {className: "note", textContent: `and ${amount(g.count - g.replies.length, "more turn")}`});
  };
}

// Asks for the variations that a job has listed, and draws them.
async function defences(j) {
  const v = await get(`jobs/${j.id}/variations`);
  if (kept.job !== j.id) return;
  at("defences").replaceChildren();
  at("defences-part").hidden = false;
  draw(at("defences"), v, {...j.request.study, steps: ""});
  mark();
}

function show(j) {
  job = j;
  const r = j.result;
  at("progress").textContent = progress(j);
  at("stop").hidden = over(j);
  at("answer").hidden = !over(j);
  at("defences-part").hidden = true;
  if (!over(j)) return;
  at("says").textContent = r ? r.says : j.error;
  const study = j.request.study, line = plies(r);
  at("line-part").hidden = !line.length;
  at("line-title").textContent = r?.verdict !== "proved" ? "The turn, and the reply" : `Line, with the longest defence${r.within > sureLine ? " known" : ""}`;
  at("line").replaceChildren();
  places = [];
  const before = k => ({...study, steps: "", turns: [...(study.turns || []), ...line.slice(0, k).map(t => t.turn)]});
  line.forEach((t, k) => {
    const b = make(make(at("line"), "li"), "button", {type: "button", className: "turn", textContent: `${t.label} ${t.turn}`});
    b.onclick = () => inTurn(() => go(before(k), t.turn));
    places.push([b, before(k), t.turn]);
  });
  if (line.length && r.ends_by) {
    const b = make(make(at("line"), "li"), "button", {type: "button", textContent: `The end, by ${r.ends_by}`});
    b.onclick = () => inTurn(() => go(before(line.length)));
    places.push([b, before(line.length), ""]);
  }
  mark();
  at("solutions-part").hidden = !r?.listed;
  at("listed").textContent = r?.listed || "";
  at("solutions").replaceChildren();
  for (const s of r?.solutions || []) {
    const b = make(make(at("solutions"), "li"), "button", {type: "button", className: "turn", textContent: `${s.essential ? "* " : ""}${s.turn}`});
    b.onclick = () => inTurn(() => go({...study, steps: ""}, s.turn));
  }
  if (j.request.kind === "variations" && r?.verdict === "proved") aside(() => defences(j))();
  at("vary").hidden = !(j.request.kind === "solve" && r?.verdict === "proved");
  at("certify").hidden = !((j.request.kind === "solve" || j.request.kind === "variations") && r && r.verdict !== "unknown");
  at("note").hidden = !(r && study);
  at("save").hidden = !r?.certificate;
  if (r?.certificate) at("save").textContent = `Save the certificate (${size(r.certificate)})`;
}

// The turns of the win that the last job knows at a study, or 0: that of its own position, or what is left of it after the
// turn that was tried and the reply.
function known(study) {
  const r = job?.result;
  if (!r?.within) return 0;
  const {study: first, kind} = job.request;
  if (same(study, first)) return kind === "solve" ? r.within : 0;
  const after = {...first, turns: [...(first.turns || []), ...plies(r).slice(0, 2).map(t => t.turn)]};
  return kind === "try" && same(study, after) ? r.within - 1 : 0;
}

// The best reply to a turn that has ended, on the board: the longest defence, or what refutes the turn.
async function defend({study, turn}) {
  say("The defence is thinking.");
  const ended = await begin({...resources(), kind: "try", study, turn, win_in: known(study) || whole("win-in")});
  const r = ended.result, reply = plies(r)[1];
  if (!reply) return say(r ? r.says : ended.error);
  await inTurn(() => change("turn", {study: {...study, turns: [...(study.turns || []), turn]}, turn: reply.turn}));
  say(`${reply.label} ${reply.turn}`);
}

async function list() {
  const {jobs} = await get("jobs");
  at("jobs").replaceChildren();
  if (!jobs.length) make(at("jobs"), "li", {className: "note", textContent: "There is none."});
  for (const j of jobs) {
    const b = make(make(at("jobs"), "li"), "button", {type: "button"});
    b.textContent = `${j.id}: ${j.kind}${j.label ? " " + j.label : ""}, ${j.state}. ${j.says || progress(j)}`;
    b.onclick = aside(async () => {
      const whole = await get("jobs/" + j.id);
      if (whole.request.study) await inTurn(() => go(whole.request.study));
      kept.job = j.id;
      keep();
      await watch(whole);
    });
  }
}

export function solving() {
  at("question").onsubmit = aside(() => begin({...resources(), kind: "solve", study: {...kept.study}, all: at("all").checked, any: at("any").checked}));
  at("judge").onclick = judge;
  at("certify").onclick = aside(() => begin({...resources(), kind: "certificate", algorithm: "dfpns", study: job.request.study,
    win_in: job.result.within || job.result.refuted, unusual: job.request.unusual}));
  at("vary").onclick = aside(() => begin({...resources(), kind: "variations", algorithm: "dfpns", study: job.request.study,
    win_in: job.result.within, width: whole("width"), unusual: job.request.unusual}));
  at("save").onclick = aside(async () => download(await file(`jobs/${job.id}/certificate`), "goalproof.proof"));
  at("note").onclick = () => inTurn(async () => {
    const {study, turn = ""} = job.request;
    await writeDown(study, turn, job.result.says, plies(job.result).map(t => t.turn));
    say("It stands in the comment, and its line in the game: see “Game”.");
  });
  at("stop").onclick = aside(() => remove("jobs/" + job.id));
  at("list-jobs").onclick = aside(list);
  chosen("proof", async proof =>
    begin({kind: "check", text: await textOf(proof, ": goalproof check reads it"), seconds: resources().seconds}));
  document.addEventListener("viewed", mark);
  document.addEventListener("ended", ({detail}) => {
    if (at("defends").checked && kept.view !== "train" && kept.view !== "play") aside(() => defend(detail))();
  });
  goOn("job", watch);
}
