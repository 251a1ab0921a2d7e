// Games with clocks: between two programs, or of a person against one. The studio keeps the game and its clocks; the page
// shows them, and hands over the turns of the person.

import {get, post, remove} from "../lib/api.js";
import {clockText} from "../lib/clock.js";
import {at, confirmed, make} from "../lib/dom.js";
import {follow, over} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {atStart, same} from "../state/study.js";
import {mainLine, restart} from "./annotate.js";
import {endGames, onNewGame, setUp} from "./newgame.js";
import {reviewGame} from "./review.js";
import {go, open} from "./shown.js";

// kept.clocked is the id of the job, the study that was shown last, and record, the id of the game with comments in which the
// turns are written down. It survives a reload.
const sides = ["gold", "silver"];
let shown = null; // the job as it was shown last

const tell = text => {
  if (at("clocked-says").textContent !== text) at("clocked-says").textContent = text;
};

// Shows a job, and the game on the board if that has the game as it was.
function show(job) {
  const c = kept.clocked, game = job.game;
  shown = job;
  const players = [job.request.gold, job.request.silver], ended = over(job);
  at("clocked").hidden = false;
  sides.forEach((side, i) => {
    const p = at(`clock-${side}`);
    p.textContent = `${side}, ${players[i]}: ${game ? clockText(game.clocks[i].turn) : "–"}`;
    p.classList.toggle("running", !!game && !ended && game.to_move === side);
  });
  at("clocked-stop").hidden = ended;
  at("clocked-resign").hidden = ended || !players.includes("you");
  at("clocked-review").hidden = !ended || !game?.study.turns;
  at("clocked-proof").textContent = kept.proofs && game ? game.proof : "";
  at("clocked-proofs").checked = !!kept.proofs;
  if (ended) tell(job.result ? job.result.says : `The game was not played: ${job.error}.`);
  else if (!game) tell("Waiting for other jobs, or for the programs to start.");
  else if (players[sides.indexOf(game.to_move)] === "you") tell(`You are to move, with ${game.to_move}. Play your turn on the board, and end it.`);
  else tell(`${players[sides.indexOf(game.to_move)]} is to move, with ${game.to_move}.`);
  if (game && !same(atStart(game.study), c.study)) {
    const now = atStart(game.study), before = c.study.turns.length;
    c.study = now;
    mainLine(c.record, now);
    keep();
    inTurn(() => {
      // The board shows the game if it has the study of before, or one after it: the turn of the person is there first.
      const board = atStart(kept.study), n = board.turns.length;
      if (kept.clocked === c && n >= before && n < now.turns.length && same(board, {...now, turns: now.turns.slice(0, n)})) return open(now);
    });
  }
  back();
}

const back = () => at("clocked-return").hidden = !kept.clocked || same(atStart(kept.study), kept.clocked.study);

async function watch(c) {
  const mine = job => kept.clocked === c && show(job);
  try {
    const job = await get("jobs/" + c.job);
    if (job.request.kind !== "game") throw Object.assign(new Error(), {status: 404}); // of another studio
    mine(job);
    if (!over(job)) mine(await follow("jobs/" + c.job, j => !over(j), mine));
  } catch (error) {
    if (kept.clocked !== c) return;
    if (error.status !== 404) throw error;
    tell("The studio has ended since, and with it the game.");
    for (const b of ["stop", "resign", "review"]) at("clocked-" + b).hidden = true;
    at("clocked").hidden = false;
  }
}

async function leave() {
  const c = kept.clocked;
  if (!c) return;
  kept.clocked = shown = null;
  at("clocked").hidden = true;
  keep();
  await remove("jobs/" + c.job).catch(() => {}); // it may have ended
}

async function begin() {
  at("clocked-error").textContent = "";
  try {
    const view = await setUp(at("clocked-setup").value);
    const job = await post("jobs", {kind: "game", study: atStart(view.study), gold: at("player-gold").value, silver: at("player-silver").value,
      clock: at("control").value.trim(), unusual: true});
    await endGames();
    const record = restart();
    kept.clocked = {job: job.id, study: atStart(view.study), record};
    keep();
    aside(() => watch(kept.clocked))();
  } catch (error) {
    at("clocked-error").textContent = error.message;
  }
}

const hand = turn => post(`jobs/${kept.clocked.job}/turn`, {turn, turns: kept.clocked.study.turns.length});

export function clocks() {
  onNewGame(leave);
  aside(async () => {
    const {programs} = await get("studio");
    for (const side of sides) {
      const list = at(`player-${side}`);
      for (const name of ["you", "goalproof", ...programs]) make(list, "option", {value: name, textContent: name});
      list.value = side === "gold" ? "you" : programs[0] || "goalproof";
    }
  })();
  at("new-clocked").onsubmit = e => {
    e.preventDefault();
    inTurn(begin);
  };
  at("clocked-stop").onclick = aside(() => remove("jobs/" + kept.clocked.job));
  at("clocked-resign").onclick = aside(async () => {
    const c = kept.clocked;
    if (await confirmed("Resign this game? The other side then wins.", "Resign", "Play on") && kept.clocked === c) await hand("resign");
  });
  at("clocked-return").onclick = () => inTurn(() => go(kept.clocked.study));
  at("clocked-review").onclick = () => inTurn(async () => {
    await go(kept.clocked.study);
    reviewGame();
  });
  at("clocked-proofs").onchange = () => {
    kept.proofs = at("clocked-proofs").checked;
    keep();
    if (shown) show(shown);
  };
  document.addEventListener("viewed", back);
  document.addEventListener("ended", ({detail}) => {
    const c = kept.clocked;
    if (kept.view !== "play" || !c || !shown || over(shown)) return;
    if (!same(detail.study, c.study)) return tell("That is another position than the one of the game: “Back to the game” leads there.");
    if (shown.request[detail.side] !== "you") return inTurn(() => go(c.study));
    inTurn(async () => {
      try {
        await hand(detail.turn);
      } catch (error) {
        await go(c.study);
        throw error;
      }
    });
  });
  if (kept.clocked) aside(() => watch(kept.clocked))();
}
