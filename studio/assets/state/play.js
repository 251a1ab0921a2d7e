// Games as a mode of the board. What is shown elsewhere on the board, or played there, is no part of them.
//
// A match is a game against the engine: {side, seconds, record, study, job, reply, fault, proof, end, resigned}: the side of the
// person, the engine's time for a turn in seconds, the id of the game of the desk in which it is written down, the game so far,
// the id of the job that looks for the engine's turn or null, the turn that the engine has just played, why it has not moved,
// what was proved about the position before it, how the game has ended or "", and whether the person has resigned.
//
// A game with clocks is a job of the studio (kind game), which has its players, its clocks and how it stands.

import {over} from "./jobs.js";
import {atStart, mover, same} from "./study.js";
import {amount, capital} from "./words.js";

const other = {gold: "silver", silver: "gold"};
const aside = "The board shows another position than the game.";

// The match that begins at a study; over is how the game has ended there (View.over), or null.
export const begin = ({side, seconds, record, study, over}) => reached({side, seconds, record, job: null}, study, over);

// The match after a turn, or at another study of it. The turn of the engine comes with reply, and with proof if it was proved.
export const reached = (m, study, over, {reply = "", proof = ""} = {}) => ({...m, study: atStart(study), reply, proof, fault: "",
  resigned: false, end: over ? `The game is over: ${over}.` : ""});

// Who is to move: "you", "engine", or "" when the game is over.
export const whose = m => m.end ? "" : mover(m.study) === m.side ? "you" : "engine";

// Reports whether the board has a game as it is, perhaps with steps of a turn under way.
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
export const question = m => `Resign this game? ${capital(other[m.side])} then wins.`;

// The match after the person has resigned.
export const resigned = m => ({...m, job: null, resigned: true, reply: "",
  end: `You resign after ${amount(m.study.turns.length, "turn")}: ${other[m.side]} wins.`});

// How a match stands, in words. seen says whether the board has it as it is.
export function words(m, seen) {
  const reply = m.reply && `The engine plays ${m.reply}.`, who = whose(m);
  let now = m.end;
  if (who === "engine") now = m.job ? "The engine is thinking." : "The engine is to move.";
  else if (who) now = seen ? `You play ${m.side}. Play your turn on the board, and end it.` : "You are to move.";
  return [m.fault && `The engine has not moved: ${m.fault}.`, reply, now, !m.end && !seen && aside].filter(Boolean).join(" ");
}

// The players of a game with clocks by their sides, as requests name them: "you", "goalproof", or a program.
export const seats = ({request: {gold, silver}}) => ({gold, silver});

// Reports whether it is the person who is to move in a game with clocks.
export const yours = job => !over(job) && !!job.game && seats(job)[job.game.to_move] === "you";

// How a game with clocks stands, in words. seen says whether the board has it as it is.
export function stands(job, seen) {
  if (over(job)) return job.result ? job.result.says : `The game was not played: ${job.error}.`;
  if (!job.game) return "Waiting for other jobs, or for the programs to start.";
  const side = job.game.to_move;
  if (yours(job)) return seen ? `You are to move, with ${side}. Play your turn on the board, and end it.` : `You are to move, with ${side}. ${aside}`;
  return `${seats(job)[side]} is to move, with ${side}.${seen ? "" : ` ${aside}`}`;
}

// The clocks of a game with clocks, in seconds that are left for the turn under way or for the next one, so many seconds after
// the studio has answered; null before the game begins.
export function clocks(job, since) {
  const runs = side => !over(job) && side === job.game.to_move;
  const left = (side, i) => job.game ? Math.max(0, job.game.clocks[i].turn - (runs(side) ? since : 0)) : null;
  return {gold: left("gold", 0), silver: left("silver", 1)};
}

// Reports whether the board follows a game from one study to a later one: it shows the first, or one in between, since the turn
// of the person stands on the board before the studio has it.
export function follows(shown, before, now) {
  const board = atStart(shown), n = board.turns.length;
  return n >= before.turns.length && n < now.turns.length && same(board, {...now, turns: now.turns.slice(0, n)});
}

// The tags of a game between players, as requests name them.
export const tags = ({gold, silver}) => ({Gold: gold === "you" ? "You" : gold, Silver: silver === "you" ? "You" : silver});

// The parts of a time control, such as "30s/5m/100/10m/8h", in words, or "" where it is none.
export function control(text) {
  const [turn, reserve, percent = "", most, game, longest, ...more] = text.trim().split("/");
  if (!turn || !reserve || more.length) return "";
  const all = game && (/t$/i.test(game) ? `${game.slice(0, -1)} turns of each player at most` : `${unit(game, "h")} for the game`);
  return [`${unit(turn)} for each turn`, `${unit(reserve)} in reserve`, `${percent || 100} % of unused time goes to the reserve`,
    most && `which holds at most ${unit(most)}`, all, longest && `at most ${unit(longest)} for one turn`].filter(Boolean).join(", ") + ".";
}

// A time without a unit is in minutes, that of the game in hours.
const unit = (time, of = "min") => /^[\d.]+$/.test(time) && +time ? `${time} ${of}` : time;
