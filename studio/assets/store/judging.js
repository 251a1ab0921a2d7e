// Turns that are tried at an exercise: the studio judges and answers them, and shows hints and the solution.

import {computed, signal} from "../lib/view.js";
import {plies} from "../state/answers.js";
import {after, atStart, key, same} from "../state/study.js";
import * as state from "../state/training.js";
import {board, later, leaving, mode, now, onTurn} from "./exercise.js";
import {guarded, say} from "./messages.js";
import {begin, followed} from "./studio.js";
import {keep} from "./training.js";

const awaited = signal({}); // {began, text}: what is awaited, in words, and of which attempt
export const busy = computed(() => awaited.value.began === now.value?.began ? awaited.value.text : "");

// Waits, and says what for.
async function waits(text, wait) {
  const mine = awaited.value = {began: now.value?.began, text};
  try {
    return await wait();
  } finally {
    if (awaited.value === mine) awaited.value = {};
  }
}

const pause = time => new Promise(done => setTimeout(done, time));

// Runs a job about the exercise to its end, and returns its result.
async function run(body) {
  const job = await begin({seconds: 60, unusual: true, ...body});
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
onTurn(guarded(async ({study, turn}) => {
  const x = now.value;
  if (mode.value !== "train" || !x || x.over) return;
  if (!same(study, x.at)) return say("This is not the position of the exercise. “Back to the exercise” leads there.");
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
  if (outcome === "wrong") await failed();
  if (reply) await answer(then, reply, good, here);
}));

// Plays the answer to a turn on the board.
const answer = (x, reply, good, here) => waits("The answer", async () => {
  const square = board.stamp.value;
  await pause(700);
  if (!here()) return;
  await board.play(reply);
  board.stamp.value = square;
  const {study} = board.view.value;
  if (good && now.value === x && same(study, x.at)) put({at: study, line: study.turns}); // as the studio writes it
});

// Records that the exercise has failed, once: with the first mistake, hint or look at the solution.
async function failed() {
  const x = now.value;
  if (x.failed) return;
  put({failed: true});
  await keep(state.attempt(x, false, Date.now()));
}

async function solved() {
  const attempt = state.attempt(now.value, true, Date.now());
  put({says: `Solved in ${state.time(attempt.seconds)}, ${state.help(now.value)}.`});
  if (state.clean(now.value)) later(now.value);
  await keep(attempt);
}

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
  try {
    return await waits("Looking for the solution.", () => best.answer);
  } catch (error) {
    best = {key: "", answer: null};
    throw error;
  }
}

async function find(study, win_in) {
  const r = await run({kind: "solve", study, win_in, all: true}), turn = state.right(r);
  if (!turn) throw new Error(r.says);
  return {turn, only: state.only(r), line: turn === r.line[0] ? r.line : plies(await run({kind: "try", study, turn, win_in}))};
}

const occupied = () => busy.value || leaving() || now.value?.state === "looking";

// Reports whether an attempt is still the one that is tried.
const stays = x => now.value === x && !leaving();

// Reports whether the board shows steps of the turn that is to be found.
const underWay = ({at}) => {
  const {study} = board.view.value;
  return !!study.steps && same(atStart(study), at);
};

// Shows the next hint.
export const hint = guarded(async () => {
  const x = now.value;
  if (!x || x.over || !state.next(x) || occupied()) return;
  const {turn} = await answerTo(x.at, x.left);
  if (!stays(x)) return;
  const {now: then, square, show} = state.hint(x, turn), look = shown => board.visit(x.at, shown, "look", {still: true});
  now.value = {...then, ...x.state !== "right" && {state: "ask", says: state.ask}};
  // The hint is drawn before any step that a person takes at it; steps that were taken before stay.
  const looks = [board.inTurn(() => underWay(x) || look(show[0]).catch(() => look(show[1])))];
  if (square) looks.push(board.draw(square, square));
  await Promise.all([failed(), ...looks]);
});

// Shows the whole solution: of the position to play from, or of the exercise when it is over.
export const solution = guarded(async () => {
  const x = now.value;
  if (!x || occupied()) return;
  const at = x.over ? x.study : x.at, {line, only} = await answerTo(at, x.over ? x.win_in : x.left);
  if (!stays(x)) return;
  const says = `${only ? "The solution" : "A solution"} is ${line[0]}.`;
  now.value = {...x, line: [...at.turns || [], ...line], ...!x.over && {over: true, state: "shown", says}};
  await Promise.all([!x.over && failed(), board.look(at, line[0], {still: true})]);
});
