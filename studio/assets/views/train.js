// The view that trains: puzzles as exercises, played against the best defence.

import {get, post} from "../lib/api.js";
import {at, make} from "../lib/dom.js";
import {chosen, textOf} from "../lib/files.js";
import {follow, followPuzzles, over} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {after, same} from "../state/study.js";
import * as state from "../state/training.js";
import {amount, number} from "../state/words.js";
import {pieceName} from "../ui/board.js";
import {change, go, open, showView} from "./shown.js";

// kept.train is where the exercises come from: the id of a job, or "examples". kept.exercise is the one that is tried, as
// state/training.js has it.
let exercises = []; // in order of difficulty
let training = {streak: 0, best: 0, exercises: []};

const session = () => ({source: kept.train, exercises, now: kept.exercise || null});

const seconds = s => s < 60 ? `${s.toFixed(0)} s` : `${Math.floor(s / 60)} min ${(s % 60).toFixed(0)} s`;
const hard = e => e.difficulty === null ? "easy" : `difficulty ${e.difficulty.toFixed(1)}`;

// Shows the list, and which exercise is tried.
function list() {
  at("training").hidden = !exercises.length;
  at("exercises").replaceChildren();
  const current = state.index(session());
  exercises.forEach((e, i) => {
    const d = state.record(training, e);
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
  at("hint").textContent = `Hint: ${state.next(kept.exercise)}`;
}

function tell(text) {
  at("train-says").textContent = text;
}

// Begins an exercise.
async function begin(e) {
  const view = await open(e.study);
  kept.exercise = state.begin(session(), e, view, Date.now()).now;
  e.study = view.study; // as the studio writes it
  tell("Play the turn on the board, and end it.");
  list();
  keep();
}

// Reports the exercise, which has ended, for the time and the streak. Returns the time.
async function finish(solved) {
  const attempt = state.attempt(kept.exercise, solved, Date.now());
  kept.exercise = {...kept.exercise, over: true};
  keep();
  training = await post("training", attempt);
  list();
  return seconds(attempt.seconds);
}

// Runs a job about the exercise to its end.
async function ask(task) {
  const job = await post("jobs", {seconds: 60, ...task});
  const ended = over(job) ? job : await follow("jobs/" + job.id, j => !over(j), () => {});
  if (!ended.result) throw new Error(ended.error);
  return ended.result;
}

// Judges a turn that was played, and answers it.
async function judge({study, turn}) {
  const x = kept.exercise, next = after(study, turn);
  tell("Looking at your turn.");
  const r = await ask({kind: "try", study, turn, win_in: x.left, unusual: true});
  if (kept.exercise !== x || !same(kept.study, next)) return;
  const {outcome, now, reply, says} = state.judged(x, turn, r);
  kept.exercise = now;
  keep();
  if (outcome === "done") {
    const time = await finish(true);
    return tell(`Solved in ${time}, ${state.help(now)}.`);
  }
  if (outcome === "right") return inTurn(async () => {
    await change("turn", {study: next, turn: reply});
    kept.exercise = {...now, at: kept.study};
    keep();
    list();
    tell(says);
  });
  tell(says);
  if (reply) await inTurn(() => go(next, reply));
}

// The turn to play: an essential one.
async function right(x) {
  const r = await ask({kind: "solve", study: x.at, win_in: x.left, all: true, unusual: true}), turn = state.right(r);
  if (!turn) throw new Error(r.says);
  return turn;
}

async function hint() {
  const x = kept.exercise, turn = await right(x);
  if (kept.exercise !== x || x.over) return;
  const {now, piece, square, show: [first, more]} = state.hint(x, turn);
  if (!first) {
    await go(x.at);
    tell(`The ${pieceName(piece)} on ${square} moves first.`);
  } else {
    // A step that captures, or begins a push, may have no meaning without what follows it.
    await go(x.at, first).catch(() => go(x.at, more));
    tell(`The first step is ${first}.`);
  }
  kept.exercise = now;
  keep();
  list();
}

async function solution() {
  const x = kept.exercise, turn = await right(x);
  if (kept.exercise !== x || x.over) return;
  await go(x.at, turn);
  await finish(false);
  tell(`The solution is ${turn}.`);
}

// The next exercise that has not been solved without help, or else the next one.
const next = () => begin(state.following(session(), training));

function take(found) {
  ({exercises} = state.take(session(), found));
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

// Trains on the puzzles of a job that verifies or mines, also while it runs.
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
    aside(() => judge(detail))();
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
