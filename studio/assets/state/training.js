// Training: puzzles as exercises, played against the best defence. A session is {source, exercises, now}: where the exercises
// come from, the exercises {study, win_in, difficulty, themes} in order of difficulty, and the one that is tried or null:
// {study, win_in, side, at, left, mistakes, hints, level, began, over}: at is the study before the turn to play, left the turns
// to the win, level how many hints were given for this turn, began a time in milliseconds.

import {after, same} from "./study.js";
import {plies} from "./answers.js";
import {amount} from "./words.js";

// A session that has no exercises yet.
export const from = source => ({source, exercises: [], now: null});

// The session with these exercises, the easiest first. Those without a difficulty come before the others.
export const take = (session, exercises) => ({...session, exercises: exercises.toSorted((a, b) => (a.difficulty ?? -1) - (b.difficulty ?? -1))});

// The index of the exercise that is tried, or -1.
export const index = ({exercises, now}) => exercises.findIndex(e => now && e.win_in === now.win_in && same(e.study, now.study));

// The session in which an exercise begins; study and side are those of its view.
export const begin = (session, {win_in}, {study, side}, time) =>
  ({...session, now: {study, win_in, side, at: study, left: win_in, mistakes: 0, hints: 0, level: 0, began: time, over: false}});

// What a turn that was played is worth, by the result of a job of the kind try with win_in left: {outcome, now, reply, says}.
// outcome: "done"; "right": the line continues with reply; "wrong": reply refutes the turn, or is undefined; "unknown".
export function judged(now, turn, result) {
  const reply = plies(result)[1];
  if (result.verdict === "proved" && result.within === 1) return {outcome: "done", now: {...now, over: true}, says: ""};
  if (result.verdict === "proved" && reply) {
    const next = {...now, at: [turn, reply].reduce(after, now.at), left: result.within - 1, level: 0};
    return {outcome: "right", now: next, reply, says: `Right. The reply is ${reply}. Win in ${next.left}.`};
  }
  if (result.verdict === "disproved") return {outcome: "wrong", now: {...now, mistakes: now.mistakes + 1}, reply, says: `${result.says} Try again.`};
  return {outcome: "unknown", now, reply: undefined, says: result.says};
}

// The turn that hints lead to, by the result of a job of the kind solve with every solution, or undefined.
export const right = result => result.verdict === "proved" ? result.solutions?.find(s => s.essential)?.turn || result.line[0] : undefined;

// The next hint towards a turn: {now, square, piece, show}: first the piece that moves first and its square, then the steps to
// show: the first one, or, where that has no meaning alone, the first two.
export function hint(now, turn) {
  const steps = turn.split(" "), next = {...now, hints: now.hints + 1, level: now.level + 1};
  if (!now.level) return {now: next, piece: steps[0][0], square: steps[0].slice(1, 3), show: []};
  return {now: next, piece: steps[0][0], square: steps[0].slice(1, 3), show: [steps[0], ...steps.length > 1 ? [steps.slice(0, 2).join(" ")] : []]};
}

// What the next hint shows, in words.
export const next = now => ["the piece", "the step"][Math.min(now.level, 1)];

// The body of POST /api/training for an exercise that has ended at a time.
export const attempt = (now, solved, time) => ({study: now.study, win_in: now.win_in, solved, mistakes: now.mistakes, hints: now.hints,
  seconds: Math.min(Math.max(time - now.began, 0) / 1000, 86400)});

// The help that a solver had, in words: "without a mistake", "with 2 mistakes and 1 hint".
export function help({mistakes, hints}) {
  const all = [mistakes && amount(mistakes, "mistake"), hints && amount(hints, "hint")].filter(Boolean).join(" and ");
  return all ? "with " + all : "without a mistake";
}

// The record of an exercise in the training of the studio, or undefined.
export const record = (training, e) => training.exercises.find(d => d.position === e.study.position && d.win_in === e.win_in);

// The next exercise after the one that is tried: the first that was never solved without help, or else the next one;
// undefined if there is none.
export function following(session, training) {
  const i = index(session), order = [...session.exercises.slice(i + 1), ...session.exercises.slice(0, i + 1)];
  return order.find(e => !record(training, e)?.clean) || order[0];
}
