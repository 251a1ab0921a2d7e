// The review of the game on the board, as a job whose page opens in a window of its own.

import {takeReview, wholeLine} from "./annotate.js";
import {follow, get, over, post, remove} from "./api.js";
import {aside, at, go, goOn, inTurn, keep, kept, say, showView} from "./studio.js";

function show(job) {
  const page = job.result?.page;
  at("stop-review").hidden = over(job);
  at("review-page").hidden = at("take-review").hidden = !page;
  at("review-link").setAttribute("href", page || "/");
  if (over(job)) at("review-state").textContent = job.result ? job.result.says : job.error;
  else at("review-state").textContent = job.state === "waiting" ? "Waiting for other jobs." : "Reviewing.";
  at("review-progress").hidden = over(job);
  at("review-progress").max = job.total || 1;
  at("review-progress").value = job.done;
}

async function watch(id) {
  const mine = job => kept.review === id && show(job);
  mine(await follow("jobs/" + id, job => !over(job), mine));
  document.dispatchEvent(new Event("reviewed"));
}

// Begins the review of the game.
export function reviewGame() {
  showView("game");
  at("review").click();
}

export function reviews() {
  at("review").onclick = aside(async () => {
    const name = at("game-about").textContent.slice(0, 200); // of the present game
    const job = await post("jobs", {kind: "review", study: wholeLine(), seconds: +at("turn-seconds").value || 0, ...(name && {name})});
    kept.review = job.id;
    keep();
    show(job);
    await watch(job.id);
  });
  // Questions about a position of the game are those of the view that solves.
  const ask = button => {
    showView("solve");
    at(button).click();
  };
  at("won").onclick = () => inTurn(async () => {
    await go({...kept.study, steps: ""});
    ask("solve");
  });
  at("other").onclick = () => inTurn(() => ask("judge"));
  at("take-review").onclick = () => inTurn(async () => {
    await takeReview(await get(`jobs/${kept.review}/annotated`));
    say("What the review has found stands in the comments and variations.");
  });
  at("stop-review").onclick = aside(() => remove("jobs/" + kept.review));
  goOn("review", job => {
    show(job);
    return watch(job.id);
  });
}
