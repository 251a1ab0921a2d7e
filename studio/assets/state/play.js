// A game against the engine, as a mode of the board. A match is {side, seconds, study, job, proof, end, resigned}: the side of
// the person, the engine's time for a turn in seconds, the game so far, the id of the job that looks for the engine's turn or
// null, what is proved about the position before it, how the game has ended or "", and whether the person has resigned. What is
// shown elsewhere on the board, or played there, is no part of the game.

import {atStart, mover, same} from "./study.js";
import {amount} from "./words.js";

const other = {gold: "silver", silver: "gold"};

// The match that begins at a study; over is how the game has ended there (View.over), or null.
export const begin = ({side, seconds, study, over}) => reached({side, seconds, job: null, proof: ""}, study, over);

// The match after a turn, or at another study of it.
export const reached = (m, study, over) => ({...m, study: atStart(study), resigned: false, end: over ? `The game is over: ${over}.` : ""});

// Who is to move: "you", "engine", or "" when the game is over.
export const whose = m => m.end ? "" : mover(m.study) === m.side ? "you" : "engine";

// Reports whether the board has the game as it is, perhaps with steps of a turn under way.
export const onBoard = (m, study) => same(atStart(study), m.study);

// What a turn that was ended on the board is, of a study before it: "turn" of the game; "aside", a turn elsewhere, or while the
// board is not in the game's mode; "over", the game has ended; "engine", it is the engine's turn.
export function ended(m, study, playing) {
  if (!playing || !same(atStart(study), m.study)) return m.end && playing ? "over" : "aside";
  return {"": "over", you: "turn", engine: "engine"}[whose(m)];
}

// The number of turns that are left when the person takes back its last turn, or a resignation; negative: there is none.
const left = m => m.study.turns.length - (m.resigned ? 0 : mover(m.study) === m.side ? 2 : 1);

// The study after taking back, or null if there is nothing to take back.
export const takenBack = m => left(m) < 0 ? null : {...m.study, turns: m.study.turns.slice(0, left(m))};

// The question before the person resigns.
export const question = m => `Resign this game? ${other[m.side] === "gold" ? "Gold" : "Silver"} then wins.`;

// The match after the person has resigned.
export const resigned = m => ({...m, job: null, resigned: true,
  end: `You resign after ${amount(m.study.turns.length, "turn")}: ${other[m.side]} wins.`});

// How the game stands, in words.
export function words(m) {
  if (m.end) return m.end;
  if (whose(m) === "engine") return m.job ? "The engine is thinking." : "The engine is to move.";
  return `You play ${m.side}. Play your turn on the board, and end it.`;
}
