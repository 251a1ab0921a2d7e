// Training: puzzles as exercises {number, study, win_in, difficulty, themes, idea}, played against the best defence. The one
// that is tried is {source, number, study, win_in, difficulty, side, at, left, mistakes, hints, failed, level, steps, given,
// began, over, state, says, line}: number is that of the exercise in its source, at the study before the turn to play, left the
// turns to the win, failed says that its failure was sent to be recorded, level how many hints were given for this turn, steps
// how many steps it has, given these hints {piece, square} or {steps}, began a time in milliseconds, state and says what has
// become of the last turn (ask, looking, right, wrong, unknown, solved, shown), and line the turns from study that can be walked
// through.

import {after} from "./study.js";
import {plies} from "./answers.js";
import {amount, capital} from "./words.js";

// What is said before a turn is played.
export const ask = "Play the turn on the board, and end it.";

// Exercises, the easiest first. Those without a difficulty come before the others.
export const ordered = exercises => exercises.toSorted((a, b) => (a.difficulty ?? -1) - (b.difficulty ?? -1));

// An exercise of a source that begins; study and side are those of its view.
export const begin = (source, {number, win_in, difficulty}, {study, side}, time) => ({
  source, number, study, win_in, difficulty, side, at: study, left: win_in,
  mistakes: 0, hints: 0, failed: false, level: 0, steps: 0, given: [], began: time, over: false, state: "ask", says: ask, line: []});

// Whether an exercise that was begun is this one of its source, which may have other numbers since.
export const same = (now, {number, study, win_in}) => now.number === number && now.study.position === study.position && now.win_in === win_in;

// The task in words.
export const task = ({side, win_in, left, over}) =>
  `${capital(side)} wins in ${amount(win_in, "turn")}.${left < win_in && !over ? ` ${left} left.` : ""}`;

// What a turn that was played is worth, by the result of a job of the kind try with win_in left: {outcome, now, reply}.
// outcome: "done"; "right": the line continues with reply; "wrong": reply refutes the turn, or is undefined; "unknown".
export function judged(now, turn, result) {
  const played = now.at.turns || [], reply = plies(result)[1], line = [...played, turn, ...plies(result).slice(1)];
  if (result.verdict === "proved" && result.within === 1) {
    return {outcome: "done", now: {...now, over: true, state: "solved", says: "Solved.", line: [...played, turn]}};
  }
  if (result.verdict === "proved" && reply) {
    const at = [turn, reply].reduce(after, now.at), left = result.within - 1;
    const says = `The reply is ${reply}. Now ${now.side} wins in ${amount(left, "turn")}.`;
    return {outcome: "right", now: {...now, at, left, level: 0, steps: 0, given: [], state: "right", says, line: at.turns}, reply};
  }
  if (result.verdict === "disproved") {
    return {outcome: "wrong", now: {...now, mistakes: now.mistakes + 1, state: "wrong", says: result.says, line}, reply};
  }
  return {outcome: "unknown", now: {...now, state: "unknown", says: result.says, line: [...played, turn]}};
}

// The turn that hints lead to, by the result of a job of the kind solve with every solution, or undefined.
export const right = result => result.verdict === "proved" ? result.solutions?.find(s => s.essential)?.turn || result.line[0] : undefined;

// Whether a result of that job says that there is one essential solution.
export const only = result => result.solutions?.filter(s => s.essential).length === 1;

// The steps of a turn, each with the captures that follow from it.
const stepsOf = turn => turn.match(/\S+(?: \w\w\dx)*/g) || [];

// The next hint towards a turn: {now, square, show}: first the square of the piece that moves first, then steps to show, one
// more each time. Where these have no meaning without the next one, as those of a push, the second of show has it, too.
export function hint(now, turn) {
  const all = stepsOf(turn), k = Math.min(now.level, all.length), shown = n => all.slice(0, n).join(" ");
  const one = k ? {steps: shown(k)} : {piece: turn[0], square: turn.slice(1, 3)};
  const next = {...now, hints: now.hints + 1, level: k + 1, steps: all.length, given: [...now.given, one]};
  return {now: next, square: k ? "" : one.square, show: k ? [shown(k), ...k < all.length ? [shown(k + 1)] : []] : []};
}

// What the next hint shows, in words, or null if there is none.
export const next = now => now.level && now.level > now.steps ? null : ["the piece", "the first step", "one more step"][Math.min(now.level, 2)];

// The difficulty in a request, where it is known.
const rated = ({difficulty}) => difficulty != null && {difficulty};

// The body of POST /api/training for an exercise that has failed or ended at a time.
export const attempt = (now, solved, time) => ({study: now.study, win_in: now.win_in, ...rated(now), ...now.failed && {later: true},
  solved, mistakes: now.mistakes, hints: now.hints, seconds: Math.min(Math.max(time - now.began, 0) / 1000, 86400)});

// The help that a solver had, in words: "without a mistake", "with 2 mistakes and 1 hint".
export function help({mistakes, hints}) {
  const all = [mistakes && amount(mistakes, "mistake"), hints && amount(hints, "hint")].filter(Boolean).join(" and ");
  return all ? "with " + all : "without a mistake";
}

// A time in words: "46 s", "2 min 3 s".
export function time(seconds) {
  const s = Math.round(seconds);
  return s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;
}

const keys = new WeakMap(); // the records of a training by exercise
const key = (position, win_in) => `${win_in} ${position}`;

// The record of an exercise in the training of the studio, or undefined.
export function record(training, e) {
  if (!keys.has(training)) keys.set(training, new Map(training.exercises.map(d => [key(d.position, d.win_in), d])));
  return keys.get(training).get(key(e.study.position, e.win_in));
}

// What a record says: "solved" without help, "helped", "tried" without success, or "".
export const standing = r => !r ? "" : r.clean ? "solved" : r.solved ? "helped" : "tried";

// The difficulty of an exercise in words, as predicted and by the results of its record, as far as they are known:
// "difficulty 5.1, 4.6 by your results", or "". Where room is short, whose is "for you".
export function hard({difficulty}, r, whose = "by your results") {
  const results = r?.difficulty_by_results ?? null;
  const all = [difficulty !== null && difficulty.toFixed(1), results !== null && `${results.toFixed(1)} ${whose}`].filter(Boolean);
  return all.length ? `difficulty ${all.join(", ")}` : "";
}

// The person's marks in a training, in words: "Streak 3, best 5. Rating 1523".
export const marks = ({streak, best, rating}) =>
  `Streak ${streak}${best > streak ? `, best ${best}` : ""}${rating ? `. Rating ${Math.round(rating)}` : ""}`;

// How many exercises are due: they failed, and are to be tried again now.
export const due = (training, exercises) => exercises.filter(e => record(training, e)?.due).length;

// How many exercises were solved, with help or without.
export const solved = (training, exercises) => exercises.filter(e => record(training, e)?.solved).length;

// The whole points of a difficulty as it is shown: 4 of 4.0 to 4.9.
const level = difficulty => Math.floor(difficulty.toFixed(1));

// The levels of difficulty that there are among exercises, as choices {id, label}.
export const levels = exercises => [...new Set(exercises.filter(e => e.difficulty !== null).map(e => level(e.difficulty)))]
  .sort((a, b) => a - b).map(n => ({id: String(n), label: n < 10 ? `${n}.0 to ${n}.9` : "10.0"}));

// The exercises that a filter {state, length, theme, difficulty} lets through. state "open" is for those that were never solved,
// "failed" for those that were tried and never solved without help, "due" for those that failed and are to be tried again now: of
// these two kinds the one that was tried longest ago comes first.
export function filtered(exercises, training, {state = "", length = "", theme = "", difficulty = ""}) {
  const found = exercises.filter(e => (!length || e.win_in === +length) && (!theme || e.themes.includes(theme)) &&
    (!difficulty || e.difficulty !== null && level(e.difficulty) === +difficulty));
  if (state === "open") return found.filter(e => !record(training, e)?.solved);
  if (state !== "failed" && state !== "due") return found;
  const place = e => training.exercises.indexOf(record(training, e)), takes = r => state === "due" ? r?.due : r?.clean === 0;
  return found.filter(e => takes(record(training, e))).toSorted((a, b) => place(a) - place(b));
}

// Whether an exercise has ended without help, and whether it is left without an attempt.
export const clean = now => now.over && !now.failed;
export const untried = now => !now.over && !now.failed;

const most = 5000; // exercises of a request

// The body of POST /api/training/next.
export const offer = exercises => ({exercises: exercises.slice(0, most).map(e => ({position: e.study.position, win_in: e.win_in, ...rated(e)}))});

// The exercise as it is after the page was loaded again: a turn that was looked at then is to be played again.
export const again = now => now?.state === "looking" ? {...now, state: "ask", says: ask} : now || null;
