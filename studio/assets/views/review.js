// The review of the game on the board, as a job whose page opens in a window of its own.

import {get, post, remove} from "../lib/api.js";
import {at, say} from "../lib/dom.js";
import {follow, resume, over} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {ending, progress} from "../state/jobs.js";
import {takeReview, wholeLine} from "./annotate.js";
import {go, showView} from "./shown.js";
import {ask, judge} from "./solve.js";

function show(job) {
  const page = job.result?.page;
  at("stop-review").hidden = over(job);
  at("review-page").hidden = at("take-review").hidden = !page;
  at("review-link").setAttribute("href", page || "/");
  at("review-state").textContent = ending(job) || progress(job);
  at("review-progress").hidden = over(job);
  at("review-progress").max = job.total || 1;
  at("review-progress").value = job.done;
}

async function watch(id) {
  const mine = job => kept.review === id && show(job);
  mine(await follow("jobs/" + id, job => !over(job), mine));
  document.dispatchEvent(new Event("reviewed"));
}

const begin = aside(async () => {
  const name = at("game-about").textContent.slice(0, 200); // of the present game
  const job = await post("jobs", {kind: "review", study: wholeLine(), seconds: +at("turn-seconds").value || 0, ...(name && {name})});
  kept.review = job.id;
  keep();
  show(job);
  await watch(job.id);
});

// Begins the review of the game.
export function reviewGame() {
  showView("game");
  begin();
}

export function reviews() {
  at("review").onclick = begin;
  // Questions about a position of the game are those of the view that solves.
  const solving = question => {
    showView("solve");
    question();
  };
  at("won").onclick = () => inTurn(async () => {
    await go({...kept.study, steps: ""});
    solving(ask);
  });
  at("other").onclick = () => inTurn(() => solving(judge));
  at("take-review").onclick = () => inTurn(async () => {
    await takeReview(await get(`jobs/${kept.review}/annotated`));
    say("What the review has found stands in the comments and variations.");
  });
  at("stop-review").onclick = aside(() => remove("jobs/" + kept.review));
  resume("review", job => {
    show(job);
    return watch(job.id);
  });
}
