// The place Board: the games of the window, the board with what it shows of them, and the mode it is in.

import {post} from "../lib/api.js";
import {batch, computed} from "../lib/view.js";
import * as state from "../state/desk.js";
import {atStart, same} from "../state/study.js";
import * as tree from "../state/tree.js";
import {amount} from "../state/words.js";
import {createBoard, standing} from "./board.js";
import {kept} from "./kept.js";
import {say} from "./messages.js";

export const desk = kept("desk", state.again, state.light); // state/desk.js
export const mode = kept("mode", was => was || "analyse"); // of the board: analyse, edit or play

const followers = []; // of turns that a person has ended

// Calls a handler with {study, turn, side, over} after a person has ended a turn on the board: see createBoard.
export const onTurn = handler => followers.push(handler);

export const board = createBoard({
  flipped: kept("flipped", was => !!was),
  took: (study, how) => desk.value = state.took(desk.value, study, how),
  ended: turn => followers.forEach(handler => handler(turn)),
});

export const game = computed(() => state.game(desk.value));
export const here = computed(() => state.here(desk.value)); // {node, looked}
export const study = computed(() => desk.value.study); // with the steps of a turn under way
export const start = computed(() => atStart(desk.value.study)); // without them: what questions are about

const {inTurn, visit} = board;

// Changes the desk by a function of state/desk.js after which it shows something else, with a turn drawn as arrows. The desk
// changes with the board, when the studio has answered: what stands beside the board is about the desk.
async function lead(act, shown = "") {
  let next = act(desk.value), found;
  do {
    found = await post("view", {study: next.study, flipped: board.flipped.value, show: shown});
  } while (!same(next.study, (next = act(desk.value)).study)); // it may have changed meanwhile
  batch(() => {
    desk.value = next;
    board.display(found, "look", {shown});
  });
  return next.present;
}

// Looks at a study, with a turn drawn as arrows. It is no part of the game.
export const look = board.look;

// Shows a node of the present game.
export const goTo = node => board.look(tree.studyAt(game.value, node));

// Where a key leads in the present game (tree.walk), or undefined.
export function walk(key) {
  const {node, looked} = here.value, steps = study.value.steps;
  if (key === "ArrowLeft" && (looked.length || steps)) return {node, looked: steps ? looked : looked.slice(0, -1)};
  const to = tree.walk(game.value, node, key);
  return to === undefined ? undefined : {node: to, looked: []};
}

// Goes where a key leads.
export const go = key => inTurn(async () => {
  const to = walk(key);
  if (to) await visit(tree.studyAt(game.value, to.node, to.looked));
});

// Edits the present game: act(game, node) gets it with the node of what is shown, which it has then if it was only looked at, and
// returns {game, node}, or null for no edit. kind is as of state.edited.
export const edit = (act, kind) => inTurn(async () => {
  const edited = d => {
    const {game: g, node} = state.adopted(d), found = act(g, node);
    return found ? state.edited(d, {node, ...found}, kind) : d;
  };
  const next = edited(desk.value);
  if (same(next.study, board.view.value?.study)) desk.value = next;
  else await lead(edited);
});

// Says to those who listen what was opened, and who is to move.
const announce = what => say(`${what} was opened. ${standing(board.view.value)}.`);

// Opens a game as a new one: {position, number, tags, nodes} (state/tree.js), with its file as doc if it has one. Returns its id:
// a promise, of undefined if the studio has not shown it.
export const openGame = (g, node) => inTurn(async () => {
  const id = await lead(d => state.opened(d, g, node)), turns = g.nodes.length - 1;
  announce(turns ? `A game of ${amount(turns, "turn")}` : "A position");
  return id;
});

// Opens a study as a new game.
export const openStudy = (s, shown = "") => inTurn(async () => {
  const {game: g, node} = tree.along(tree.begin(s), s.turns || []);
  const id = await lead(d => state.opened(d, g, node), shown);
  announce("A position");
  return id;
});

// Begins a match with a study, by default the one on the board, and returns the id of its game, as openGame does.
export function restart(s = start.value, tags = {}) {
  const {game: g, node} = tree.along(tree.begin({...s, tags}), s.turns || []);
  return openGame({...g, match: true}, node);
}

// Shows a node of another game of the desk.
export const turnTo = (id, node) => inTurn(() => lead(d => state.turnedTo(d, id, node)));

// Undo and redo of what was played, set up and written. Looking is nothing to undo.
const stepBack = act => inTurn(() => act(desk.value) !== desk.value && lead(act));
export const undo = () => stepBack(state.undo);
export const redo = () => stepBack(state.redo);
export const canUndo = computed(() => desk.value.past.length > 0);
export const canRedo = computed(() => desk.value.future.length > 0);

// Changes the desk by a function of state/desk.js, where the board stays as it is.
export const update = act => desk.value = act(desk.value);

// Changes to another mode of the board.
export function setMode(next) {
  batch(() => {
    mode.value = next;
    board.chosen.value = "";
    board.marking.value = false;
  });
}

// Shows the board for the first time.
export const begin = () => inTurn(async () => {
  try {
    await visit(desk.value.study);
  } catch (error) {
    if (error.status === 401 || !error.status) throw error;
    desk.value = state.begin(); // what was kept is of no use
    await visit(desk.value.study);
    say("What this window had kept could not be shown.");
  }
});

// The text of the position or game in every form: [{name, about, text}].
export const forms = async () => (await post("forms", {study: study.value})).forms;
