// The view that trains: puzzles as exercises, played against the best defence.

import {get, post} from "../lib/api.js";
import {amount, at, make, number} from "../lib/dom.js";
import {chosen, textOf} from "../lib/files.js";
import {follow, followPuzzles, over, plies} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {same} from "../lib/study.js";
import {pieceName} from "../ui/board.js";
import {change, go, showView} from "./shown.js";

// kept.train is where the exercises come from: the number of a job, or "examples". kept.exercise is the one that is tried: its
// first study and number of turns, the study before the turn that is to be played with the turns that are left, what was
// done so far, and the time when it began.
let exercises = []; // in order of difficulty
let training = {streak: 0, best: 0, exercises: []};

const hints = ["the piece", "the step", "the turn"];
const seconds = s => s < 60 ? `${s.toFixed(0)} s` : `${Math.floor(s / 60)} min ${(s % 60).toFixed(0)} s`;
const hard = e => e.difficulty === null ? "easy" : `difficulty ${e.difficulty.toFixed(1)}`;
const done = e => training.exercises.find(d => d.position === e.study.position && d.win_in === e.win_in);
const index = () => exercises.findIndex(e => kept.exercise && e.win_in === kept.exercise.win_in && same(e.study, kept.exercise.study));

// Shows the list, and which exercise is tried.
function list() {
  at("training").hidden = !exercises.length;
  at("exercises").replaceChildren();
  const current = index();
  exercises.forEach((e, i) => {
    const d = done(e);
    const b = make(make(at("exercises"), "li"), "button", {type: "button"});
    b.textContent = `${i + 1}. ${hard(e)}, win in ${e.win_in}` + (d?.solved ? `. Solved${d.clean ? "" : " with help"}, fastest in ${seconds(d.seconds)}` : d ? ". Tried" : "");
    if (i === current) b.setAttribute("aria-current", "true");
    b.onclick = () => inTurn(() => begin(e));
  });
  at("streak").textContent = `Streak without a mistake or a hint: ${training.streak}, the longest ${training.best}.`;
  const e = exercises[current];
  at("exercise").hidden = !e;
  if (!e) return;
  const themes = kept.exercise.over && e.themes.length ? ` Themes: ${e.themes.join(", ")}.` : "";
  at("exercise-title").textContent = `Exercise ${current + 1} of ${exercises.length}, ${hard(e)}`;
  at("task").textContent = `${kept.exercise.side} wins in ${amount(e.win_in, "turn")}.${kept.exercise.left < e.win_in && !kept.exercise.over ? ` ${kept.exercise.left} left.` : ""}${themes}`;
  at("hint").disabled = at("solution").disabled = kept.exercise.over;
  at("hint").textContent = `Hint: ${hints[Math.min(kept.exercise.level, 1)]}`;
}

function tell(text) {
  at("train-says").textContent = text;
}

// Begins an exercise.
async function begin(e) {
  const view = await go(e.study);
  kept.exercise = {study: view.study, win_in: e.win_in, at: view.study, left: e.win_in, side: view.side, mistakes: 0, hints: 0, level: 0, began: Date.now(), over: false};
  e.study = view.study; // as the studio writes it
  tell("Play the turn on the board, and end it.");
  list();
  keep();
}

// Reports an exercise that has ended, for the time and the streak.
async function finish(x, solved) {
  x.over = true;
  keep();
  const time = Math.min((Date.now() - x.began) / 1000, 86400);
  training = await post("training", {study: x.study, win_in: x.win_in, solved, mistakes: x.mistakes, hints: x.hints, seconds: time});
  list();
  return seconds(time);
}

// Runs a job about the exercise to its end.
async function ask(task) {
  const job = await post("jobs", {seconds: 60, ...task});
  const ended = over(job) ? job : await follow("jobs/" + job.id, j => !over(j), () => {});
  if (!ended.result) throw new Error(ended.error);
  return ended.result;
}

// Judges a turn that was played, and answers it.
async function judge(x, {study, turn}) {
  const mine = () => kept.exercise === x && same(kept.study, after);
  const after = {...study, turns: [...(study.turns || []), turn]};
  tell("Looking at your turn.");
  const r = await ask({kind: "try", study, turn, win_in: x.left, unusual: true});
  if (!mine()) return;
  const reply = plies(r)[1];
  if (r.verdict === "proved" && r.within === 1) {
    const time = await finish(x, true);
    const help = [x.mistakes && amount(x.mistakes, "mistake"), x.hints && amount(x.hints, "hint")].filter(Boolean).join(" and ");
    return tell(`Solved in ${time}, ${help ? "with " + help : "without a mistake"}.`);
  }
  if (r.verdict === "proved" && reply) {
    await inTurn(async () => {
      await change("turn", {study: after, turn: reply.turn});
      Object.assign(x, {at: kept.study, left: r.within - 1, level: 0});
      keep();
      list();
      tell(`Right. The reply is ${reply.turn}. Win in ${x.left}.`);
    });
    return;
  }
  if (r.verdict !== "disproved") return tell(r.says);
  x.mistakes++;
  keep();
  tell(`${r.says} Try again.`);
  if (reply) await inTurn(() => go(after, reply.turn));
}

// The turn to play: an essential one.
async function right(x) {
  const r = await ask({kind: "solve", study: x.at, win_in: x.left, all: true, unusual: true});
  const best = r.solutions?.find(s => s.essential)?.turn || r.line[0];
  if (r.verdict !== "proved" || !best) throw new Error(r.says);
  return best;
}

async function hint() {
  const x = kept.exercise;
  const turn = await right(x);
  if (kept.exercise !== x || x.over) return;
  const steps = turn.split(" "), first = steps[0], from = first.slice(1, 3);
  x.hints++;
  if (x.level === 0) {
    await go(x.at);
    tell(`The ${pieceName(first[0])} on ${from} moves first.`);
  } else {
    // A step that captures, or begins a push, may have no meaning without what follows it.
    await go(x.at, first).catch(() => go(x.at, steps.slice(0, 2).join(" ")));
    tell(`The first step is ${first}.`);
  }
  x.level = 1;
  keep();
  list();
}

async function solution() {
  const x = kept.exercise;
  const turn = await right(x);
  if (kept.exercise !== x || x.over) return;
  await go(x.at, turn);
  await finish(x, false);
  tell(`The solution is ${turn}.`);
}

// The next exercise that has not been solved without help, or else the next one.
function next() {
  const i = index(), order = [...exercises.slice(i + 1), ...exercises.slice(0, i + 1)];
  return begin(order.find(e => !done(e)?.clean) || order[0]);
}

function take(found) {
  exercises = found.sort((a, b) => (a.difficulty ?? -1) - (b.difficulty ?? -1));
  list();
}

// Exercises of a set are the wins whose length is known. They come as they are verified.
async function watch(id) {
  const all = [];
  await followPuzzles(id, () => kept.train === id, job => {
    const wins = `${amount(exercises.length, "exercise")} of ${amount(job.total || job.done, "puzzle")}`; // how many are mined is not known before
    at("train-state").textContent = over(job) ? job.error || `${wins}.` : `${number(job.done)} looked at, ${wins}.`;
  }, puzzles => {
    all.push(...puzzles);
    take(all.filter(p => p.least !== null).map(p => ({...p, win_in: p.least, themes: p.themes || []})));
  });
}

// Trains on the puzzles of a job that verifies or mines, also while it goes on.
export async function trainOn(id) {
  source(id);
  showView("train");
  await watch(id);
}

async function builtIn() {
  const {puzzles} = await get("examples");
  at("train-state").textContent = `${amount(puzzles.length, "exercise")}, mined from games at random.`;
  take(puzzles);
}

function source(name) {
  kept.train = name;
  kept.exercise = null;
  exercises = [];
  keep();
  tell("");
  list();
}

async function set(text, name) {
  at("train-error").textContent = "";
  if (text.length > 1e6) throw new Error("The set has more than a megabyte.");
  let job;
  try {
    job = await post("jobs", {kind: "verify", text, name, describe: true, unusual: true, seconds: 60});
  } catch (error) {
    at("train-error").textContent = error.message;
    return;
  }
  source(job.id);
  await watch(job.id);
}

const setFile = async file => set(await textOf(file), file.name);

export function trainings() {
  at("train").onclick = aside(() => set(at("train-text").value, ""));
  chosen("train-file", setFile);
  at("examples").onclick = aside(async () => {
    source("examples");
    await builtIn();
    await inTurn(next);
  });
  at("hint").onclick = () => inTurn(hint);
  at("solution").onclick = () => inTurn(solution);
  at("again").onclick = () => inTurn(async () => {
    await go(kept.exercise.at);
    tell("Play the turn on the board, and end it.");
  });
  at("next").onclick = () => inTurn(next);
  addEventListener("drop", e => {
    const file = e.dataTransfer.files[0];
    if (kept.view === "train" && file) aside(() => setFile(file))();
  });
  document.addEventListener("ended", ({detail}) => {
    const x = kept.exercise;
    if (kept.view !== "train" || !x || x.over) return;
    if (!same(detail.study, x.at)) return tell("That is another position than the one of the exercise: “Try again” leads back to it.");
    aside(() => judge(x, detail))();
  });
  aside(async () => {
    training = await get("training");
    if (kept.train === "examples") await builtIn();
    else if (kept.train) await get("jobs/" + kept.train).then(() => watch(kept.train), error => {
      if (error.status !== 404) throw error;
      source(null);
    });
    list();
  })();
}
