// The place Puzzles: its board, and the exercise or the row of a table that stands there.

import {post} from "../lib/api.js";
import {computed, effect, untracked} from "../lib/view.js";
import {drawn, solution} from "../state/sets.js";
import {between, mover} from "../state/study.js";
import * as state from "../state/training.js";
import {capital} from "../state/words.js";
import {place, specify, visit} from "./address.js";
import {createBoard} from "./board.js";
import {kept} from "./kept.js";
import {guarded, once, say, tell} from "./messages.js";
import {collection, set, tab, wins} from "./sets.js";
import {known, settled, training} from "./training.js";

export const now = kept("exercise", state.again); // the exercise that is tried (state/training.js), or null
export const filter = kept("exercises", was => was || {}); // of the shelf, and of what comes next
export const auto = kept("next-by-itself", was => was ?? true); // the next exercise comes by itself
export const part = kept("puzzle-part", was => was || "task"); // of the sheet on a phone

const seen = kept("puzzle", was => was || null); // the study that the board shows

let judge = () => {};

// Calls a handler with {study, turn} after a person has ended a turn on the board: see createBoard.
export const onTurn = handler => judge = handler;

export const board = createBoard({flipped: kept("puzzle-flipped", was => !!was), took: study => seen.value = study, ended: turn => judge(turn)});

// What the place shows of a set: "train", "rows" (its table), or "new".
export const mode = computed(() => {
  const {kind} = set.value;
  return kind === "new" ? "new" : kind === collection || tab.value === "train" ? "train" : "rows";
});

export const ordered = computed(() => state.ordered(wins.value)); // the exercises of the set, the easiest first
// The exercises that the shelf shows, in the order in which they come.
export const chosen = computed(() => state.filtered(ordered.value, training.value, filter.value));

const tried = () => now.value?.source === set.value.id ? now.value : null; // if it is of the set that is shown

// The exercise that is tried, as its set has it, or undefined.
export const exercise = computed(() => ordered.value.find(e => tried() && state.same(tried(), e)));

const skipped = new Set(); // exercises that were left without an attempt: they come when no other is left
const nameOf = ({source, number}) => `${source} ${number}`;

// The exercise of the shelf that the schedule of the training chooses, or undefined.
async function choose() {
  await settled();
  const x = tried(), source = set.value.id, ended = x && state.clean(x) ? x.number : 0;
  const all = chosen.value.filter(e => e.number !== ended), others = all.filter(({number}) => !skipped.has(nameOf({source, number})));
  for (const offered of others.length < all.length ? [others, all] : [all]) {
    const {next} = await post("training/next", state.offer(offered));
    if (next !== null) return offered[next];
    skipped.clear();
  }
  return undefined;
}

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
  const x = tried(), number = wanted || x?.number;
  const e = ordered.value.find(e => e.number === number);
  if (!number) return void seek(id);
  if (e && !wanted) specify({place: "puzzles", set: id, puzzle: number});
  if (led === `${id} ${number}`) return;
  if (e) led = `${id} ${number}`;
  if (e && x && state.same(x, e)) resume(x);
  else if (e) begin(e);
  else if (rows[number - 1]) tab.value = set.value.kind; // it is no exercise
  else if (wanted) missing(id, rows.length);
}

// The address names a puzzle that the set does not have.
function missing(id, count) {
  tell(`This set has the puzzles 1 to ${count}.`);
  specify({place: "puzzles", set: id});
}

let sought = ""; // the set of which an exercise is being chosen

// Leads to an exercise of a set where the address names none.
const seek = guarded(async id => {
  if (!chosen.value.length) blank();
  if (!chosen.value.length || sought === id) return;
  sought = id;
  try {
    const e = await choose() || chosen.value[0];
    if (set.value.id === id && place.value.place === "puzzles" && !place.value.puzzle && e) specify({place: "puzzles", set: id, puzzle: e.number});
  } finally {
    sought = "";
  }
});

effect(() => {
  void [set.value, place.value, mode.value, known.value];
  untracked(settle);
});

// The side that solves a study is below.
const below = study => ({still: true, flip: mover(study) === "silver"});

// Shows a row with its solution, or what refutes it, as arrows.
const showRow = puzzle => board.inTurn(async () => {
  const shown = solution(puzzle), visit = shown => board.visit(puzzle.study, shown, "look", below(puzzle.study));
  await visit(drawn(puzzle)).catch(() => visit("")); // the published solution may be no turn
  say([shown && `Solution: ${shown}`, puzzle.shows && `${capital(puzzle.shows)}: ${puzzle.refutation.join(" / ")}`]
    .filter(Boolean).join(". "));
});

// Shows the exercise that was tried before.
const resume = x => board.look(seen.value && between(x.study, {...seen.value, steps: ""}) ? seen.value : x.at, "", {still: true});

let begun = 0; // exercises that are not there yet

// Reports whether another exercise is about to take the place of the one that is tried.
export const leaving = () => begun > 0;

// Begins an exercise of the set that is shown, unless another set is shown before it is there.
function begin(e) {
  const source = set.value.id, other = () => set.value.id !== source;
  begun++;
  return board.inTurn(async () => {
    try {
      const view = other() || await board.visit(e.study, "", "look", below(e.study));
      if (other()) return;
      now.value = state.begin(source, e, view, Date.now());
      say(`${state.task(now.value)} ${state.ask}`);
    } finally {
      begun--;
    }
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
export const next = once(guarded(async () => {
  const x = tried(), here = () => place.value.place === "puzzles" && tried()?.began === x?.began;
  if (x && state.untried(x)) skipped.add(nameOf(x));
  const e = await choose();
  if (!here()) return;
  if (e) await start(e);
  else tell("Nothing here is due, and nothing is new. Show others, or come back later.");
}));

let timer = 0;

// The next exercise does not come by itself.
const stay = () => clearTimeout(timer);
for (const type of ["pointerdown", "keydown"]) addEventListener(type, stay, true);

// Lets the next exercise come, unless something is pressed before.
export function later(x) {
  stay();
  if (auto.value) timer = setTimeout(() => place.value.place === "puzzles" && now.value === x && next(), 1500);
}

// Shows a row of the table, by its number.
export function pick(number) {
  part.value = "task";
  visit({place: "puzzles", set: set.value.id, puzzle: number});
}
