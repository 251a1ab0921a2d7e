// Games that are played on the place Board: against the engine, whose turns are jobs, and with clocks, where the studio keeps the
// game and its clocks. A window has one of them at a time, which survives a reload.

import {get, outlive, post, silence} from "../lib/api.js";
import {batch, computed, effect, signal, untracked} from "../lib/view.js";
import {plies} from "../state/answers.js";
import {continued, mainLine, opening} from "../state/desk.js";
import {over} from "../state/jobs.js";
import * as play from "../state/play.js";
import {atStart, label, same} from "../state/study.js";
import {board, desk, mode, onTurn, restart, setMode, start, study, update} from "./desk.js";
import {kept} from "./kept.js";
import {confirmed, guarded, say, tell} from "./messages.js";
import {begin, followed, jobs, stop} from "./studio.js";

export const match = kept("match", was => was || null); // against the engine, as state/play.js has it
export const clocked = kept("clocked", was => was || null); // with clocks: {job, study, record, gone, unsent}, as below
export const thinking = signal(null); // the job that looks for the engine's turn, as it was told last
export const played = signal(null); // the job of the game with clocks, as the studio has answered last

const current = () => match.value ? match : clocked;

// Whether the board shows the game as it is, perhaps with steps of a turn under way.
export const seen = computed(() => {
  const m = current().value;
  return !!m && desk.value.present === m.record && play.onBoard(m, study.value);
});

// Whether that game has ended: nobody is to move, though the position may not say so.
export const finished = computed(() => seen.value && (match.value ? !!match.value.end : !!played.value && over(played.value)));

// Whether what the game has come to may be shown: nothing that a person tries elsewhere is lost.
const free = () => mode.value === "play" || !study.value.steps;

// Shows the game at a study of it. Returns the view, or undefined if the studio refuses.
const show = to => board.inTurn(async () => {
  const m = current(), found = await post("view", {study: to, flipped: board.flipped.value});
  return batch(() => {
    update(d => continued(d, m.value.record, to));
    m.value = {...m.value, record: desk.value.present};
    return board.display(found, "look");
  });
});

// Leads back to the game, from wherever the board is.
export async function back() {
  setMode("play");
  await show(current().value.study);
}

// Ends the game of this window, for another one.
async function quit() {
  const id = current().value?.job;
  batch(() => match.value = clocked.value = thinking.value = played.value = null);
  if (id) await stop(id);
}

// Reports whether this window may end its game, for another one.
const mayQuit = async () => !clocked.value || !played.value || over(played.value) || confirmed("Stop the game with clocks?", "Stop it", "Play on");

// Turns the board for the players of a game.
const turned = ({gold, silver}) => board.flipped.value !== (silver === "you" && gold !== "you") && board.flip();

// The study that a game begins with: the one on the board, the usual one, or one that the engine sets up around what is placed.
async function setUp(how, placed) {
  if (how === "usual") return opening;
  if (how !== "board") return (await post("setup", {gold: "", silver: "", ...placed})).study;
  if (!board.view.value.squares.trim()) throw new Error("The board is empty. Put pieces on it, or choose another setup.");
  return start.value;
}

// Begins a game. kind is "engine", with side, the person's, seconds, the engine's for a turn, setup (usual, chosen, typed, board)
// and placed, the person's pieces if they are typed; or "clocks", with gold and silver, the names of players, control and setup.
// What is wrong is thrown, for the form.
export async function newGame({kind, side, seconds, setup, placed, gold, silver, control}) {
  const typed = kind === "engine" && setup === "typed";
  if (typed && !placed.trim()) throw new Error("Type where your pieces stand, such as Ra1 Rb1 Cc1.");
  if (!await mayQuit()) return;
  const from = atStart(await setUp(kind === "clocks" && setup === "typed" ? "usual" : setup, typed ? {[side]: placed.trim()} : {}));
  if (kind === "engine") [gold, silver] = side === "gold" ? ["you", "goalproof"] : ["goalproof", "you"];
  const job = kind === "clocks" && await begin({kind: "game", study: from, gold, silver, clock: control.trim(), unusual: true});
  const record = await restart(from, play.tags({gold, silver}));
  if (!record) return job ? void await stop(job.id) : undefined; // it is said why
  await quit();
  setMode("play");
  turned({gold, silver});
  if (job) return void (clocked.value = {job: job.id, study: from, record});
  match.value = play.begin({side, seconds: Math.max(+seconds || 5, .1), record, study: from, over: board.view.value.over});
  answer();
}

// Against the engine

// The game has this study after a turn.
function reached(m, to, ended, more) {
  match.value = play.reached(m, to, ended, more);
  update(d => mainLine(d, m.record, match.value.study));
}

// Asks the engine for its turn, and plays it.
export const answer = guarded(async () => {
  const m = match.value;
  if (!m || m.job || play.whose(m) !== "engine") return;
  const {id} = await begin({kind: "play", study: m.study, seconds: m.seconds, unusual: true});
  if (match.value !== m) return stop(id);
  match.value = {...m, job: id, fault: ""};
  await watch(id);
});

async function watch(id) {
  const mine = () => match.value?.job === id;
  let ended;
  try {
    ended = await followed(id, job => mine() && (thinking.value = job));
  } catch (error) {
    if (!mine()) return;
    match.value = {...match.value, job: null};
    if (error.status !== 404) throw error;
    return answer(); // the studio has forgotten it, or is another one
  }
  await board.inTurn(async () => {
    if (!mine()) return;
    thinking.value = null;
    const m = match.value = {...match.value, job: null, fault: ended.result ? "" : ended.error};
    if (m.fault) return;
    const [turn] = plies(ended.result), found = await post("turn", {study: m.study, turn, flipped: board.flipped.value});
    if (match.value !== m) return;
    if (seen.value && free()) board.display(found, "turn");
    reached(m, found.study, found.over, {reply: turn, proof: `${label(m.study)}: ${ended.result.says}`});
    if (mode.value !== "play") say(`${label(m.study)} ${turn}, in your game against the engine.`);
  });
}

// Drops the search for the engine's turn.
async function drop() {
  const id = match.value?.job;
  if (!id) return;
  thinking.value = null;
  match.value = {...match.value, job: null};
  await stop(id);
}

// Has the engine play what it has found so far.
export const moveNow = () => match.value?.job && stop(match.value.job);

// Back to the last turn of the person.
export const takeBack = guarded(async () => {
  await drop();
  const to = match.value && play.takenBack(match.value), found = to && await show(to);
  if (found) reached(match.value, to, found.over);
});

// A turn that was ended on the board: of the game, if it is one.
function ended(m, before, gameOver) {
  const here = desk.value.present === m.record, playing = mode.value === "play";
  switch (play.ended(m, before, playing && here)) {
    case "over": return tell(`${m.end} What you play now is not part of the game.`);
    case "aside": return !m.end && aside(here && !playing && play.onBoard(m, before));
    case "engine":
      tell("It is the engine's turn.");
      return show(m.study);
  }
  reached(m, study.value, gameOver);
  answer();
}

// Says that a turn from a position of the game is none of it, since the board is in another mode.
const aside = meant => meant && tell("This turn is not part of your game: you are analysing.", {action: "Back to the game", onAction: back});

// With clocks: a game is {job, study, record, gone, unsent}: the id of its job, the game so far, the id of the game of the desk
// in which it is written down, whether the studio has it no more, and {turn, turns}: a turn of the person, after so many turns,
// that the studio may not have received.

const patience = 2000; // milliseconds
const arrived = "The game has your turn now.";
let loading = 0; // requests for the game
let taken = 0; // when the studio has answered, in milliseconds
const since = signal(0); // seconds

// What changes when the game is to be requested again.
const news = computed(() => {
  const id = clocked.value?.job, brief = jobs.value.jobs[id];
  return id && JSON.stringify([id, brief?.state, brief?.position, jobs.value.ready]);
});
effect(() => void (news.value && untracked(load)));

// The clocks run on the page between the answers of the studio.
effect(() => {
  if (!played.value?.game || over(played.value)) return;
  const timer = setInterval(() => since.value = (performance.now() - taken) / 1000, 1000);
  return () => clearInterval(timer);
});

async function load() {
  const id = clocked.value?.job, number = ++loading;
  if (!id) return;
  try {
    const job = await get("jobs/" + id);
    if (number === loading && clocked.value?.job === id) take(job);
  } catch (error) {
    if (error.status === 404 && clocked.value?.job === id) clocked.value = {...clocked.value, gone: true}; // else the stream says what is wrong
  }
}

// Takes what the studio has answered about the game, and shows it on the board if that has the game as it was.
function take(job) {
  const {job: id, study: before, record, unsent} = clocked.value, now = job.game && atStart(job.game.study);
  taken = performance.now();
  batch(() => [played.value, since.value] = [job, 0]);
  if (!now || same(now, before)) return void (unsent && play.yours(job) && deliver(unsent.turn, unsent.turns));
  if (unsent) tell(arrived);
  clocked.value = {...clocked.value, study: now, unsent: null};
  update(d => mainLine(d, record, now));
  board.inTurn(async () => {
    const mine = clocked.value?.job === id && desk.value.present === record;
    if (mine && free() && play.follows(study.value, before, now)) await board.visit(now);
  });
}

const hand = (turn, turns = clocked.value.study.turns.length) => outlive(`jobs/${clocked.value.job}/turn`, {turn, turns});

// Hands a turn of the person over, after so many turns. Without an answer it is handed over again, if the game waits for it.
const deliver = guarded(async (turn, turns) => {
  const {job, unsent} = clocked.value;
  clocked.value = {...clocked.value, unsent: null};
  try {
    await hand(turn, turns);
    if (unsent) tell(arrived);
  } catch (error) {
    if (clocked.value?.job !== job) return;
    if (error.message !== silence) await show(clocked.value.study);
    else if (clocked.value.study.turns.length > turns) return; // the game has it
    else {
      clocked.value = {...clocked.value, unsent: {turn, turns}};
      setTimeout(load, patience);
    }
    throw error;
  }
});

// Hands a turn that was ended on the board over, if it is one of the game.
const handed = guarded(async (c, before, turn) => {
  const job = played.value, playing = mode.value === "play", meant = desk.value.present === c.record && same(before, c.study);
  if (c.gone || !job || over(job)) return;
  if (!meant || !playing) return aside(meant);
  if (play.yours(job)) return deliver(turn, before.turns.length);
  await show(c.study);
  throw new Error("It is not your turn.");
});

// Plays on in a game with clocks that another window has begun.
export async function join(job) {
  if (clocked.value?.job === job.id) return back();
  if (!await mayQuit()) return;
  const players = play.seats(job), study = atStart(job.game?.study || job.request.study), record = await restart(study, play.tags(players));
  if (!record) return;
  await quit();
  setMode("play");
  turned(players);
  clocked.value = {job: job.id, study, record};
}

// Stops a game with clocks.
export const stopGame = async () => {
  const {job} = clocked.value;
  if (await confirmed("Stop this game? It cannot be continued.", "Stop", "Play on")) await stop(job);
};

// Of both kinds

// Resigns the game.
export const resign = guarded(async () => {
  const c = clocked.value;
  if (!await confirmed(play.question(match.value || {side: played.value.game.to_move}), "Resign", "Play on")) return;
  if (c) return c.job === clocked.value?.job && void await hand("resign");
  if (!match.value || match.value.end) return;
  await drop();
  match.value = play.resigned(match.value);
});

// The players of the game and their clocks, for the strips beside the board: {gold: {name, clock}, silver}, or null if there is
// no game or the board has another one.
export const players = computed(() => {
  const m = match.value, job = clocked.value && played.value;
  if (!m && !job || current().value.record !== desk.value.present) return null;
  const {Gold, Silver} = play.tags(job ? play.seats(job) : {gold: "goalproof", silver: "goalproof", [m.side]: "you"});
  const clocks = job ? play.clocks(job, since.value) : {};
  return {gold: {name: Gold, clock: clocks.gold}, silver: {name: Silver, clock: clocks.silver}};
});

onTurn(({study: before, turn, over: gameOver}) => {
  if (match.value) ended(match.value, before, gameOver);
  else if (clocked.value) handed(clocked.value, before, turn);
});
// The engine's turn is still to come, or its request was lost when the page was loaded again.
if (match.value?.job) guarded(watch)(match.value.job);
else if (match.value && !match.value.fault) answer();
