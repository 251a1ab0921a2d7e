// The view that solves: questions, progress, answers, certificates.

import {file, follow, get, over, post, remove} from "./api.js";
import {amount, aside, at, change, go, inTurn, keep, kept, make, number, say} from "./studio.js";

const whole = id => Math.round(+at(id).value) || 0;

// The fields that every question has in common.
const resources = () => ({
  win_in: whole("win-in"), algorithm: at("algorithm").value, threads: whole("threads"), memory: whole("memory") * 2 ** 20,
  seconds: +at("seconds").value || 60, unusual: at("unusual").checked,
});

const atStart = () => ({...kept.study, steps: ""});

// The turn under way, or else the last one, with the study before it.
function played() {
  const {turns = [], steps} = kept.study;
  if (steps) return {study: atStart(), turn: steps};
  if (turns.length && turns.at(-1)) return {study: {...kept.study, turns: turns.slice(0, -1), steps: ""}, turn: turns.at(-1)};
  throw new Error("Play a turn on the board first.");
}

let job = null; // that is shown

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

const bytes = n => n < 2 ** 20 ? `${Math.ceil(n / 1024)} KiB` : `${(n / 2 ** 20).toFixed(1)} MiB`;

// How far a job is, in a line.
function progress(j) {
  const time = j.seconds < .1 ? "under 0.1 s" : `${j.seconds.toFixed(1)} s`;
  const bounds = [j.refuted && `no win in ${j.refuted}`, j.within && `wins in at most ${j.within}, with ${j.first}`].filter(Boolean).join("; ");
  const known = bounds && `. Known: ${bounds}`;
  if (j.state === "waiting") return "Waiting for other jobs.";
  if (j.state === "running" && j.total) return `Checking: ${number(j.done)} of ${number(j.total)}, ${time}`;
  if (j.state === "running") return `${j.trying ? `Is there a win in ${j.trying}? ` : ""}${amount(j.nodes, "node")}, ${time}${known}`;
  return `${amount(j.nodes, "node")}, ${time}${j.result?.kept ? "; kept in the workspace" : ""}`;
}

// The turns of the line that is listed: each with its button, the study before it, and what is shown there.
let places = [];

const written = study => [study.position, ...(study.turns || []), study.steps || ""].join();
export const same = (a, b) => written(a) === written(b);

// Marks the turn of the line that the board shows.
function mark() {
  for (const [b, study, turn] of places) b.setAttribute("aria-current", turn === kept.show && same(study, kept.study));
}

function show(j) {
  job = j;
  const r = j.result;
  at("progress").textContent = progress(j);
  at("stop").hidden = over(j);
  at("answer").hidden = !over(j);
  if (!over(j)) return;
  at("says").textContent = r ? r.says : j.error;
  const study = j.request.study, line = r?.line || [];
  at("line-part").hidden = !line.length;
  at("line-title").textContent = r?.verdict === "proved" ? "Line, with the longest defence" : "The turn, and the reply";
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
  at("certify").hidden = !(j.request.kind === "solve" && r && r.verdict !== "unknown");
  at("save").hidden = !r?.certificate;
  if (r?.certificate) at("save").textContent = `Save the certificate (${bytes(r.certificate)})`;
}

// The turns of the win that the last job knows at a study, or 0: that of its own position, or what is left of it after the
// turn that was tried and the reply.
function known(study) {
  const r = job?.result;
  if (!r?.within) return 0;
  const {study: first, kind} = job.request;
  if (same(study, first)) return kind === "solve" ? r.within : 0;
  const after = {...first, turns: [...(first.turns || []), ...r.line.slice(0, 2).map(t => t.turn)]};
  return kind === "try" && same(study, after) ? r.within - 1 : 0;
}

// The best reply to a turn that has ended, on the board: the longest defence, or what refutes the turn.
async function defend({study, turn}) {
  say("The defence is thinking.");
  const ended = await begin({...resources(), kind: "try", study, turn, win_in: known(study) || whole("win-in")});
  const r = ended.result, reply = r?.line[1];
  if (!reply) return say(r ? r.says : ended.error);
  await inTurn(() => change("turn", {study: {...study, turns: [...(study.turns || []), turn]}, turn: reply.turn}));
  say(`${reply.label} ${reply.turn}`);
}

export function download(blob, name) {
  const a = make(document.body, "a", {href: URL.createObjectURL(blob), download: name});
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

async function list() {
  const {jobs} = await get("jobs");
  at("jobs").replaceChildren();
  if (!jobs.length) make(at("jobs"), "li", {className: "note", textContent: "There is none."});
  for (const j of jobs) {
    const b = make(make(at("jobs"), "li"), "button", {type: "button"});
    b.textContent = `${j.id}: ${j.request.kind}${j.request.turn ? " " + j.request.turn : ""}, ${j.state}. ${j.result?.says || j.error || progress(j)}`;
    b.onclick = aside(async () => {
      if (j.request.study) await inTurn(() => go(j.request.study));
      kept.job = j.id;
      keep();
      await watch(await get("jobs/" + j.id));
    });
  }
}

export function solving() {
  at("question").onsubmit = aside(() => begin({...resources(), kind: "solve", study: {...kept.study}, all: at("all").checked, any: at("any").checked}));
  at("judge").onclick = aside(() => begin({...resources(), kind: "try", ...played()}));
  at("certify").onclick = aside(() => begin({...resources(), kind: "certificate", algorithm: "dfpns", study: job.request.study,
    win_in: job.result.within || job.result.refuted, unusual: job.request.unusual}));
  at("save").onclick = aside(async () => download(await file(`jobs/${job.id}/certificate`), "goalproof.proof"));
  at("stop").onclick = aside(() => remove("jobs/" + job.id));
  at("list-jobs").onclick = aside(list);
  at("proof").onchange = aside(async () => {
    const chosen = at("proof").files[0];
    if (!chosen) return;
    if (chosen.size > 1e6) throw new Error("The file has more than a megabyte: goalproof check reads it.");
    await begin({kind: "check", text: await chosen.text(), seconds: resources().seconds});
    at("proof").value = "";
  });
  document.addEventListener("viewed", mark);
  document.addEventListener("ended", ({detail}) => {
    if (at("defends").checked && kept.view !== "train") aside(() => defend(detail))();
  });
  if (kept.job) aside(async () => watch(await get("jobs/" + kept.job)))();
}
