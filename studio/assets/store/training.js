// The place Puzzles: its board, the exercise that is tried on it or the row of a table that it shows, and the training.

import {Refused, get, post} from "../lib/api.js";
import {on} from "../lib/events.js";
import {computed, effect, signal, untracked} from "../lib/view.js";
import {plies} from "../state/answers.js";
import {drawn, line as lineOf, solution as solutionOf} from "../state/sets.js";
import {after, atStart, between, key, mover, same} from "../state/study.js";
import * as state from "../state/training.js";
import {capital} from "../state/words.js";
import {place, visit} from "./address.js";
import {createBoard} from "./board.js";
import {openStudy} from "./desk.js";
import {kept} from "./kept.js";
import {failed, guarded, say} from "./messages.js";
import {examples, loadExamples, set, tab, wins} from "./sets.js";
import {begin as beginJob, followed} from "./studio.js";

const began = (() => { // the window has kept something
  try {
    return Object.keys(sessionStorage).some(k => k.startsWith("studio."));
  } catch {
    return false;
  }
})();

const pause = time => new Promise(done => setTimeout(done, time));

export const training = signal({streak: 0, best: 0, exercises: []}); // GET /api/training
const known = signal(false); // it has come
export const now = kept("exercise", state.again); // the exercise that is tried (state/training.js), or null
export const filter = kept("exercises", was => was || {state: "", length: "", theme: ""}); // of the shelf, and of what comes next
export const auto = kept("next-by-itself", was => was ?? true); // the next exercise comes by itself
export const busy = signal(""); // what is awaited, in words
export const part = kept("puzzle-part", was => was || "task"); // of the sheet on a phone

const unsent = kept("attempts", was => was || []); // bodies of POST /api/training that the studio does not have yet
const seen = kept("puzzle", was => was || null); // the study that the board shows

export const board = createBoard({flipped: kept("puzzle-flipped", was => !!was), took: study => seen.value = study, ended: turn => judge(turn)});

// What the place shows of a set: "train", "rows" (its table), or "new".
export const mode = computed(() => {
  const {kind} = set.value;
  return kind === "new" ? "new" : kind === examples || tab.value === "train" ? "train" : "rows";
});

const ordered = computed(() => state.take({}, wins.value).exercises);
// The exercises that the shelf shows, in the order in which they come.
export const chosen = computed(() => state.filtered(ordered.value, training.value, filter.value));
const session = () => ({source: set.value.id, exercises: chosen.value, now: now.value});

// The exercise that is tried, as its set has it, or undefined.
export const exercise = computed(() => now.value?.source === set.value.id ? ordered.value.find(e => e.number === now.value.number) : undefined);
export const left = computed(() => ordered.value.length - state.solved(training.value, ordered.value)); // exercises that were never solved
export const count = computed(() => ordered.value.length);

// The row that the board shows, {number, puzzle}, or null.
export const row = computed(() => {
  const number = place.value.puzzle, puzzle = mode.value === "rows" && set.value.rows[number - 1];
  return puzzle?.study?.position ? {number, puzzle} : null;
});

// An empty board is shown where nothing was shown before.
const blank = () => void (!board.view.value && board.look({position: `g [${" ".repeat(64)}]`, number: 2}));

// What the board was led to. The address, and what is known of a set, lead it elsewhere.
let led = "";

function settle() {
  const {id, rows} = set.value, {puzzle: wanted} = place.value;
  if (place.value.place !== "puzzles") return;
  if (mode.value === "new") blank();
  if (!rows.length || !known.value) return;
  if (mode.value === "rows") {
    if (row.value && led !== `${id} row ${wanted}`) {
      led = `${id} row ${wanted}`;
      showRow(row.value.puzzle);
    } else if (!row.value) {
      blank();
    }
    return;
  }
  const x = now.value?.source === id ? now.value : null;
  const number = wanted || x?.number || state.following(session(), training.value)?.number;
  const e = ordered.value.find(e => e.number === number);
  if (!number) return blank();
  if (led === `${id} ${number}`) return;
  if (e) led = `${id} ${number}`;
  if (e && x?.number === number) resume(x);
  else if (e) begin(e);
  else if (rows[number - 1]) tab.value = set.value.kind; // it is no exercise
}

effect(() => {
  void [set.value, place.value, mode.value, known.value];
  untracked(settle);
});

// The side that solves a study is below.
const below = study => ({still: true, flip: mover(study) === "silver"});

// Shows a row with its solution, or what refutes it, as arrows.
const showRow = puzzle => board.inTurn(async () => {
  const shown = solutionOf(puzzle), visit = shown => board.visit(puzzle.study, shown, "look", below(puzzle.study));
  await visit(drawn(puzzle)).catch(() => visit("")); // the published solution may be no turn
  say([shown && `Solution: ${shown}`, puzzle.shows && `${capital(puzzle.shows)}: ${puzzle.refutation.join(" / ")}`]
    .filter(Boolean).join(". "));
});

// Shows the exercise that was tried before.
const resume = x => board.look(seen.value && between(x.study, {...seen.value, steps: ""}) ? seen.value : x.at, "", {still: true});

// Begins an exercise of the set that is shown, unless another set is shown before it is there.
function begin(e) {
  const source = set.value.id, other = () => set.value.id !== source;
  return board.inTurn(async () => {
    const view = other() || await board.visit(e.study, "", "look", below(e.study));
    if (other()) return;
    now.value = state.begin({source}, e, view, Date.now()).now;
    say(`${state.task(now.value)} ${state.ask}`);
  });
}

// Begins an exercise, also once more.
export function start(e) {
  stay();
  part.value = "task";
  led = `${set.value.id} ${e.number}`;
  visit({place: "puzzles", set: set.value.id, puzzle: e.number});
  return begin(e);
}

// Begins the next exercise of those that the shelf shows.
export async function next() {
  const e = state.following(session(), training.value);
  if (e) await start(e);
  else say("No exercise is left on this shelf.");
}

let timer = 0;

// The next exercise does not come by itself.
const stay = () => clearTimeout(timer);
for (const type of ["pointerdown", "keydown"]) addEventListener(type, stay, true);

// Lets the next exercise come, unless something is pressed before.
function later(x) {
  stay();
  if (auto.value) timer = setTimeout(() => place.value.place === "puzzles" && now.value === x && next(), 1500);
}

// Shows a row of the table, by its number.
export function pick(number) {
  part.value = "task";
  visit({place: "puzzles", set: set.value.id, puzzle: number});
}

// Runs a job about the exercise to its end, and returns its result.
async function run(body) {
  const job = await beginJob({seconds: 60, unusual: true, ...body});
  const {result, error} = await followed(job.id);
  if (!result) throw new Error(error);
  return result;
}

const put = more => now.value = {...now.value, ...more};

// Stamps the square on which the last piece of a side has come to stand.
function stamp(side, good) {
  const step = board.view.value?.last?.steps.findLast(s => (s.piece < "a") === (side === "gold"));
  if (step) board.stamp.value = {square: step.to, good};
}

let judging = 0; // turns, those that were looked at before included

// Judges a turn that was played, and answers it.
const judge = guarded(async ({study, turn}) => {
  const x = now.value;
  if (mode.value !== "train" || !x || x.over) return;
  if (!same(study, x.at)) return say("That is another position than the one of the exercise: “Back to the exercise” leads to it.");
  const mine = ++judging, played = after(study, turn), here = () => mine === judging && same(board.view.value.study, played);
  put({state: "looking", says: "Looking at your turn."});
  let result;
  try {
    result = await run({kind: "try", study, turn, win_in: x.left});
  } finally {
    if (mine === judging && now.value?.began === x.began) put({state: x.state === "looking" ? "ask" : x.state, says: x.says});
  }
  if (!here() || now.value?.began !== x.began) return;
  const {outcome, now: then, reply} = state.judged(x, turn, result), good = {done: true, right: true, wrong: false}[outcome];
  now.value = then;
  if (good !== undefined) stamp(x.side, good);
  if (outcome === "done") await solved();
  if (reply) await answer(then, reply, good, here);
});

// Plays the answer to a turn on the board.
async function answer(x, reply, good, here) {
  busy.value = "The answer";
  const square = board.stamp.value;
  await pause(700);
  if (here()) {
    await board.play(reply);
    board.stamp.value = square;
    const {study} = board.view.value;
    if (good && now.value === x && same(study, x.at)) put({at: study, line: study.turns}); // as the studio writes it
  }
  busy.value = "";
}

async function solved() {
  const attempt = state.attempt(now.value, true, Date.now());
  put({says: `Solved in ${state.time(attempt.seconds)}, ${state.help(now.value)}.`});
  if (!attempt.mistakes && !attempt.hints) later(now.value);
  await keep(attempt);
}

let sent = Promise.resolve(); // after the last attempt

// Sends the attempts that the studio does not have yet, the oldest first.
const send = () => sent = sent.catch(() => {}).then(async () => {
  while (unsent.value.length) {
    try {
      training.value = await post("training", unsent.value[0]);
    } catch (error) {
      if (!(error instanceof Refused) || error.status === 401) throw error; // it is sent when the studio answers again
      failed(error);
    }
    unsent.value = unsent.value.slice(1);
  }
});

// Keeps an attempt until the studio has it.
const keep = attempt => {
  unsent.value = [...unsent.value, attempt];
  return send();
};

// Leads back to the position where the next turn is to be played.
export const again = () => {
  if (now.value.state !== "right") put({state: "ask", says: state.ask});
  return board.look(now.value.at, "", {still: true});
};

let best = {key: "", answer: null}; // the last answer

// The turn to play, whether it is the only essential one, and the line that begins with it.
async function answerTo(study, win_in) {
  const k = `${win_in} ${key(study)}`;
  if (best.key !== k) best = {key: k, answer: find(study, win_in)};
  busy.value = "Looking for the solution.";
  try {
    return await best.answer;
  } catch (error) {
    best = {key: "", answer: null};
    throw error;
  } finally {
    busy.value = "";
  }
}

async function find(study, win_in) {
  const r = await run({kind: "solve", study, win_in, all: true}), turn = state.right(r);
  if (!turn) throw new Error(r.says);
  return {turn, only: state.only(r), line: turn === r.line[0] ? r.line : plies(await run({kind: "try", study, turn, win_in}))};
}

const occupied = () => busy.value || now.value?.state === "looking";

// Shows the next hint.
export const hint = guarded(async () => {
  const x = now.value;
  if (!x || x.over || !state.next(x) || occupied()) return;
  const {turn} = await answerTo(x.at, x.left);
  if (now.value !== x) return;
  const {now: then, square, show} = state.hint(x, turn), look = shown => board.visit(x.at, shown, "look", {still: true});
  now.value = {...then, ...x.state !== "right" && {state: "ask", says: state.ask}};
  await board.inTurn(() => look(show[0]).catch(() => look(show[1])));
  if (square) await board.mark(square, square);
});

// Shows the whole solution: of the position to play from, or of the exercise when it is over.
export const solution = guarded(async () => {
  const x = now.value;
  if (!x || occupied()) return;
  const at = x.over ? x.study : x.at, {line, only} = await answerTo(at, x.over ? x.win_in : x.left);
  if (now.value !== x) return;
  const says = `${only ? "The solution" : "A solution"} is ${line[0]}.`;
  now.value = {...x, line: [...at.turns || [], ...line], ...!x.over && {over: true, state: "shown", says}};
  await board.look(at, line[0], {still: true});
  if (!x.over) await keep(state.attempt(x, false, Date.now()));
});

// The turns that can be walked through: {study, line}, or null.
export const trail = computed(() => mode.value === "rows" ? row.value && {study: row.value.puzzle.study, line: lineOf(row.value.puzzle)}
  : exercise.value && {study: now.value.study, line: now.value.line});

// How many turns after the first position a way leads: first, back, forward or last; undefined if nowhere.
export function walk(way) {
  const v = board.view.value;
  if (!v || !trail.value) return undefined;
  const {turns = [], steps} = v.study, {line} = trail.value, n = turns.length;
  const most = turns.every((turn, i) => turn === line[i]) ? Math.max(n, line.length) : n;
  const to = {first: 0, back: steps ? n : n - 1, forward: n + 1, last: most}[way];
  return to >= 0 && to <= most && (to !== n || steps) ? to : undefined;
}

// Shows the position after so many turns.
const stepTo = n => {
  const {turns = []} = board.view.value.study, {study, line} = trail.value;
  return board.look({...atStart(study), turns: (n <= turns.length ? turns : line).slice(0, n)});
};

// Shows the position to which a way leads, if there is one.
export const go = way => {
  const to = walk(way);
  if (to !== undefined) stepTo(to);
};

// Shows the position after the turn of the line with an index.
export const along = i => board.look({...atStart(trail.value.study), turns: trail.value.line.slice(0, i + 1)});

// Opens the puzzle that is shown as a game on the Board.
export async function onTheBoard() {
  const {study} = row.value?.puzzle || now.value;
  await openStudy(study, same(board.view.value.study, study) ? board.show.value : "");
  visit({place: "board"});
}

// Asks for the training. Without an answer it is taken to be empty: the stream says what is wrong.
const load = () => get("training").then(found => training.value = found).catch(() => {}).finally(() => known.value = true);

// The training is asked for when the place is shown first.
effect(() => {
  if (place.value.place === "puzzles" && !known.value) untracked(load);
});
on("ready", () => unsent.value.length && send().catch(() => {})); // the stream says what is wrong
on("file", ({kind}) => kind === "training" && load());

// Reports whether somebody is here for the first time: nothing is kept, and nobody has trained. The page then shows a puzzle.
export async function firstVisit() {
  if (began || location.hash.startsWith("#/")) return false;
  loadExamples().catch(() => {}); // they are asked for again
  if (!await load() || training.value.exercises.length) return false;
  visit({place: "puzzles", set: examples, puzzle: 1});
  return true;
}
