// Boards: what one shows, as the studio views it, and what is done on it. The places Board and Puzzles have one each.

import {post} from "../lib/api.js";
import {sound} from "../lib/sounds.js";
import {batch, signal} from "../lib/view.js";
import {after, atStart, same} from "../state/study.js";
import {amount} from "../state/words.js";
import {failed, say} from "./messages.js";
import {settings} from "./settings.js";

// What has just been done on a board, in words.
const stepped = v => v.study.steps ? `${v.study.steps}.${v.no_end && !v.over ? ` The turn may not end yet: ${v.no_end}.` : ""}` : "";

const count = v => v.squares.replaceAll(" ", "").length;

// A turn is heard, and a step that captures.
function sounds(before, found, turn) {
  if (count(found) < count(before)) sound("capture");
  else if (turn) sound("turn");
}

// The letter of the piece on a square of a view, " " for none.
export const pieceAt = (v, square) => v.squares[8 * (square[1] - 1) + square.charCodeAt(0) - 97];

// The steps that the turn has left, in words.
export const stepsLeft = v => `${amount(v.steps_left, "step")} left`;

// How a position stands, in words: "12g, gold to move, 4 steps left". ended: its game has ended, though it may not say so.
export function standing(v, ended) {
  if (!v.squares.trim()) return `${v.label}: the board is empty`;
  if (v.over) return `${v.label}: the game is over, ${v.over}`;
  if (ended) return `${v.label}: the game is over`;
  return `${v.label}, ${v.side} to move, ${stepsLeft(v)}`;
}

// A board, with signals and actions. The actions happen one after the other; what is wrong with one is shown.
// flipped is a signal with the way round that it has. took(study, how) is called before something else is shown: how is "look",
// "step", "turn" or "edit" (state/desk.js). ended({study, turn, side, over}) is called after a turn was ended by a person: the
// study before it, and how the game has ended or null.
export function createBoard({flipped = signal(false), took = () => {}, ended = () => {}} = {}) {
  const view = signal(null); // as the studio has answered, null before the first answer
  const show = signal(""); // a turn that is drawn as arrows
  const marks = signal([]); // squares such as "d4" and arrows such as "d4e6"
  const chosen = signal(""); // the square of a piece that is taken
  const marking = signal(false); // presses on squares mark them
  const played = signal(null); // {squares, turn}: the turn that is animated
  const stamp = signal(null); // {square, good}: a tick or a cross

  let last = Promise.resolve();
  const inTurn = action => last = last.then(action).catch(error => {
    chosen.value = "";
    failed(error);
  });

  const ask = (path, body, shown = "") => post(path, {study: view.value?.study, flipped: flipped.value, show: shown, ...body});

  // Shows what the studio has answered. A turn that leads on from what was shown is animated.
  function display(found, how, {shown = "", still = false, flip = flipped.value} = {}) {
    const before = view.value;
    batch(() => {
      took(found.study, how);
      if (!before || !same(before.study, found.study)) chosen.value = "";
      const turn = found.study.turns?.at(-1);
      const next = before && turn && !found.study.steps && same(after(atStart(before.study), turn), found.study);
      played.value = next && !still && settings.value.animate && !before.study.steps ? {squares: before.squares, turn} : null;
      if (settings.value.sounds && (next || how === "step")) sounds(before, found, next);
      [show.value, marks.value, stamp.value, flipped.value, view.value] = [shown, [], null, flip, found];
    });
    return found;
  }

  const refresh = async () => view.value = await ask("view", {marks: marks.value}, show.value);

  // Puts a ring on a square or an arrow between two, or takes it away.
  const draw = (from, to) => inTurn(async () => {
    const one = from === to ? from : from + to, rest = marks.value.filter(m => m !== one);
    marks.value = rest.length < marks.value.length ? rest : [...rest, one];
    await refresh();
    say(marks.value.length ? `Marks: ${marks.value.map(m => m.length > 2 ? `${m.slice(0, 2)} to ${m.slice(2)}` : m).join(", ")}.` : "No marks.");
  });

  // Looks at a study, with a turn drawn as arrows. flip says that it is seen from Silver's side, or from Gold's.
  const visit = async (study, shown = "", how = "look", {flip = flipped.value, ...more} = {}) =>
    display(await ask("view", {study, flipped: flip}, shown), how, {...more, shown, flip});

  return {
    view, show, marks, chosen, marking, played, stamp, flipped, inTurn, display, visit,

    look: (study, shown, more) => inTurn(() => visit(study, shown, "look", more)),

    // Moves a piece by a step, or by several single ones.
    step: (from, to) => inTurn(async () => {
      const found = display(await ask("step", {from, to}), "step");
      say(stepped(found));
    }),

    // Ends the turn under way.
    end: () => inTurn(async () => {
      const v = view.value;
      if (v.no_end) return say(`The turn may not end: ${v.no_end}.`);
      const {over, side} = display(await ask("turn", {turn: ""}), "turn", {still: true});
      say(`${v.label} ${v.study.steps}. ${over ? `The game is over: ${over}.` : `Now ${side} is to move.`}`);
      ended({study: atStart(v.study), turn: v.study.steps, side: v.side, over});
    }),

    // Plays a whole turn, such as the reply of an engine, at the study that is shown.
    play: turn => inTurn(async () => {
      const {label} = view.value, found = display(await ask("turn", {turn}), "turn");
      say(`${label} ${turn}. ${found.over ? `The game is over: ${found.over}.` : ""}`);
    }),

    // Sets a position up: the body of POST /api/edit.
    edit: body => inTurn(async () => {
      const found = display(await ask("edit", body), "edit");
      if (!found.squares.trim()) say("The board is empty.");
      else say(found.unusual.length ? `No game leads to this position: ${found.unusual.join("; ")}.` : "");
    }),

    flip: () => inTurn(async () => {
      flipped.value = !flipped.value;
      await refresh();
    }),

    draw,

    // A person who marks puts down the piece that was taken.
    mark(from, to) {
      chosen.value = "";
      return draw(from, to);
    },

    // Takes the piece on a square, or moves the one that is taken there.
    choose: square => inTurn(async () => {
      const v = view.value, from = chosen.value, empty = pieceAt(v, square) === " ";
      if (from && from !== square && (empty || v.steps.some(s => s.from === from && s.to === square))) {
        return void say(stepped(display(await ask("step", {from, to: square}), "step")));
      }
      chosen.value = from === square || empty ? "" : square;
      if (chosen.value && !v.steps.some(s => s.from === square)) {
        say(v.over ? "The game is over." : `The piece on ${square} cannot move now.`);
      }
    }),
  };
}
