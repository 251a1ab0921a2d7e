// The view that plays a game against the engine, whose turns are jobs. The game is a mode of the board: what is played while
// another view is open is no part of it.

import {get, post, remove} from "../lib/api.js";
import {at, confirmed, say} from "../lib/dom.js";
import {follow, over} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {plies} from "../state/answers.js";
import {progress} from "../state/jobs.js";
import * as play from "../state/play.js";
import {label} from "../state/study.js";
import {mainLine, restart} from "./annotate.js";
import {endGames, onNewGame, setUp} from "./newgame.js";
import {reviewGame} from "./review.js";
import {display, flip, go, open} from "./shown.js";

// kept.match is the game, as state/play.js has it, and record, the id of the game with comments in which it is written down. It
// survives a reload.

const tell = text => at("play-says").textContent = text;

function show() {
  const m = kept.match;
  at("playing").hidden = !m;
  if (!m) return;
  at("play-back").disabled = !play.takenBack(m);
  at("resign").disabled = !!m.end;
  at("play-now").hidden = !m.job;
  at("play-on").hidden = play.whose(m) !== "engine" || !!m.job;
  at("play-return").hidden = play.onBoard(m, kept.study);
  at("play-review").hidden = !m.end || !m.study.turns.length;
  at("play-proof").textContent = kept.proofs ? m.proof : "";
  at("play-proofs").checked = !!kept.proofs;
  if (!m.job) at("play-time").textContent = "";
}

// Says how the game stands.
function stand() {
  tell(play.words(kept.match));
  keep();
  show();
}

// The game has this study after a turn.
function reached(study, over, proof = "") {
  kept.match = {...play.reached(kept.match, study, over), proof};
  mainLine(kept.match.record, kept.match.study);
}

// Asks the engine for its turn, and plays it.
async function answer() {
  const m = kept.match;
  if (m.job || play.whose(m) !== "engine") return stand();
  const {id} = await post("jobs", {kind: "play", study: m.study, seconds: m.seconds, unusual: true});
  if (kept.match !== m) return void await remove("jobs/" + id);
  kept.match = {...m, job: id};
  stand();
  await watch(id);
}

async function watch(id) {
  const mine = () => kept.match?.job === id;
  let ended;
  try {
    const begun = await get("jobs/" + id);
    ended = over(begun) ? begun : await follow("jobs/" + id, j => !over(j), j => {
      if (mine()) at("play-time").textContent = j.state === "waiting" ? progress(j) : `${j.seconds.toFixed(0)} s of ${kept.match.seconds}`;
    });
  } catch (error) {
    if (!mine() || error.status !== 404) throw error;
    kept.match = {...kept.match, job: null};
    return stand();
  }
  await inTurn(async () => {
    if (!mine()) return;
    const m = kept.match = {...kept.match, job: null};
    if (!ended.result) {
      stand();
      return tell(`The engine has not moved: ${ended.error}.`);
    }
    const [turn] = plies(ended.result), seen = play.onBoard(m, kept.study);
    const view = await post("turn", {study: m.study, turn, flipped: kept.flipped});
    if (kept.match !== m) return;
    reached(view.study, view.over, `${label(m.study)}: ${ended.result.says}`);
    if (seen) display(view);
    stand();
    tell(`The engine plays ${turn}. ${at("play-says").textContent}`);
  });
}

// Drops the search for the engine's turn.
async function drop() {
  const id = kept.match?.job;
  if (!id) return;
  kept.match = {...kept.match, job: null};
  await remove("jobs/" + id).catch(() => {}); // it may have ended
}

async function quit() {
  await drop();
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
  const record = restart();
  kept.match = {...play.begin({side, seconds: Math.max(+at("play-seconds").value || 5, .1), study: view.study, over: view.over}), record};
  if (kept.flipped !== (side === "silver")) inTurn(flip);
  stand();
  aside(answer)();
}

// Back to the last turn of the person.
async function takeBack() {
  await drop();
  const study = play.takenBack(kept.match);
  if (!study) return stand();
  const view = await open(study);
  reached(view.study, view.over);
  stand();
}

// Takes a turn that was ended on the board, if it is one of the game.
function ended({study, over}) {
  const m = kept.match, playing = kept.view === "play";
  if (!m) return;
  switch (play.ended(m, study, playing)) {
    case "over": return tell(`${m.end} What you play now is not part of it.`);
    case "aside":
      if (playing) tell("That is another position than the one of the game: “Back to the game” leads there.");
      else if (!m.end && play.onBoard(m, study)) say(`${at("status").textContent} This is no turn of your game against the engine: see “Play”.`);
      return;
    case "engine":
      tell("It is the engine's turn.");
      return inTurn(() => go(m.study));
  }
  reached(kept.study, over);
  stand();
  aside(answer)();
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
  at("resign").onclick = aside(async () => {
    if (!await confirmed(play.question(kept.match), "Resign", "Play on") || !kept.match || kept.match.end) return;
    await drop();
    kept.match = play.resigned(kept.match);
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
  document.addEventListener("ended", ({detail}) => ended(detail));
  if (!kept.match) return;
  stand();
  if (kept.match.job) aside(() => watch(kept.match.job))();
}
