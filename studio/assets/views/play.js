// The view that plays a game against the engine, whose turns are jobs.

import {get, post, remove} from "../lib/api.js";
import {amount, at} from "../lib/dom.js";
import {follow, over, plies} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {same, whole} from "../lib/study.js";
import {restart} from "./annotate.js";
import {endGames, onNewGame, setUp} from "./newgame.js";
import {reviewGame} from "./review.js";
import {display, flip, go} from "./shown.js";

// kept.match is the game: side, seconds and the study so far; job, the number of the one that looks for the engine's turn;
// proof, what is proved about the position before it; end, how the game has ended, and resigned. All of it survives a reload.
const onBoard = m => same(whole(kept.study), m.study);

// The turns that are left when the last one of the person is taken back, or a resignation.
const left = m => m.study.turns.length - (m.resigned ? 0 : mover(m) === m.side ? 2 : 1);

// Who is to move in the game: gold or silver.
function mover(m) {
  const first = m.study.position[0] === "g" ? 0 : 1;
  return ["gold", "silver"][(first + m.study.turns.length) % 2];
}

const tell = text => at("play-says").textContent = text;

function show() {
  const m = kept.match;
  at("playing").hidden = !m;
  if (!m) return;
  const engine = !m.end && mover(m) !== m.side;
  at("play-back").disabled = left(m) < 0;
  at("resign").disabled = !!m.end;
  at("play-now").hidden = !m.job;
  at("play-on").hidden = !engine || !!m.job;
  at("play-return").hidden = onBoard(m);
  at("play-review").hidden = !m.end || !m.study.turns.length;
  at("play-proof").textContent = kept.proofs ? m.proof : "";
  at("play-proofs").checked = !!kept.proofs;
  if (!m.job) at("play-time").textContent = "";
}

// Says how the game stands.
function stand() {
  const m = kept.match;
  if (m.end) tell(m.end);
  else if (mover(m) !== m.side) tell(m.job ? "The engine is thinking." : "The engine is to move.");
  else tell(`You play ${m.side}. Play your turn on the board, and end it.`);
  keep();
  show();
}

// The game has this view after a turn.
function reached(m, view) {
  m.study = whole(view.study);
  m.resigned = false;
  m.end = view.over ? `The game is over: ${view.over}.` : "";
}

// Asks the engine for its turn, and plays it.
async function answer() {
  const m = kept.match;
  if (m.end || m.job || mover(m) === m.side) return stand();
  const job = await post("jobs", {kind: "play", study: m.study, seconds: m.seconds, unusual: true});
  if (kept.match !== m) return void await remove("jobs/" + job.id);
  m.job = job.id;
  stand();
  await watch(m);
}

async function watch(m) {
  const id = m.job, mine = () => kept.match === m && m.job === id;
  let ended;
  try {
    const begun = await get("jobs/" + id);
    ended = over(begun) ? begun : await follow("jobs/" + id, j => !over(j), j => {
      if (mine()) at("play-time").textContent = j.state === "waiting" ? "Waiting for other jobs." : `${j.seconds.toFixed(0)} s of ${m.seconds}`;
    });
  } catch (error) {
    if (mine() && error.status === 404) {
      m.job = null;
      return stand();
    }
    throw error;
  }
  await inTurn(async () => {
    if (!mine()) return;
    m.job = null;
    if (!ended.result) {
      stand();
      return tell(`The engine has not moved: ${ended.error}.`);
    }
    const {turn, label} = plies(ended.result)[0], seen = onBoard(m);
    const view = await post("turn", {study: m.study, turn, flipped: kept.flipped});
    if (kept.match !== m || m.job) return;
    reached(m, view);
    m.proof = `${label}: ${ended.result.says}`;
    if (seen) display(view);
    stand();
    tell(`The engine plays ${turn}. ${at("play-says").textContent}`);
  });
}

// Drops the search for the engine's turn.
async function drop(m) {
  const id = m?.job;
  if (!id) return;
  m.job = null;
  await remove("jobs/" + id).catch(() => {}); // it may have ended
}

async function quit() {
  await drop(kept.match);
  kept.match = null;
  keep();
  show();
}

async function begin() {
  at("play-error").textContent = "";
  const side = at("play-side").value, how = at("setup").value, placed = how === "typed" ? at("placed").value.trim() : "";
  if (how === "typed" && !placed) return at("play-error").textContent = "Type where your pieces stand, such as Ra1 Rb1 Cc1.";
  let view;
  try {
    view = await setUp(how, {[side]: placed});
  } catch (error) {
    return at("play-error").textContent = error.message;
  }
  await endGames();
  restart();
  kept.match = {side, seconds: Math.max(+at("play-seconds").value || 5, .1), job: null, proof: ""};
  reached(kept.match, view);
  if (kept.flipped !== (side === "silver")) inTurn(flip);
  stand();
  aside(answer)();
}

// Back to the last turn of the person.
async function takeBack() {
  const m = kept.match;
  await drop(m);
  if (left(m) < 0) return stand();
  reached(m, await go({...m.study, turns: m.study.turns.slice(0, left(m))}));
  m.proof = "";
  stand();
}

export function plays() {
  onNewGame(quit);
  at("new-game").onsubmit = e => {
    e.preventDefault();
    inTurn(begin);
  };
  at("setup").onchange = () => at("placed-part").hidden = at("setup").value !== "typed";
  at("play-back").onclick = () => inTurn(takeBack);
  at("play-now").onclick = aside(() => kept.match.job && remove("jobs/" + kept.match.job));
  at("play-on").onclick = aside(answer);
  at("play-return").onclick = () => inTurn(() => go(kept.match.study).then(stand));
  at("resign").onclick = () => inTurn(async () => {
    const m = kept.match;
    await drop(m);
    m.resigned = true;
    m.end = `You resign after ${amount(m.study.turns.length, "turn")}: ${m.side === "gold" ? "silver" : "gold"} wins.`;
    stand();
  });
  at("play-review").onclick = () => inTurn(async () => {
    await go(kept.match.study);
    reviewGame();
  });
  at("play-proofs").onchange = () => {
    kept.proofs = at("play-proofs").checked;
    keep();
    show();
  };
  document.addEventListener("viewed", show);
  document.addEventListener("ended", ({detail}) => {
    const m = kept.match;
    if (kept.view !== "play" || !m) return;
    if (m.end) return tell(`${m.end} What you play now is not part of it.`);
    if (!same(detail.study, m.study)) return tell("That is another position than the one of the game: “Back to the game” leads there.");
    if (detail.side !== m.side) {
      tell("It is the engine's turn.");
      return inTurn(() => go(m.study));
    }
    reached(m, {study: kept.study, over: detail.over});
    m.proof = "";
    stand();
    aside(answer)();
  });
  if (!kept.match) return;
  stand();
  if (kept.match.job) aside(() => watch(kept.match))();
}
