// The page: it begins each view, and then shows what the window has kept.

import {Refused} from "./lib/api.js";
import {at, say} from "./lib/dom.js";
import {listen, on} from "./lib/events.js";
import {forget, kept} from "./lib/kept.js";
import {inTurn} from "./lib/order.js";
import {annotations} from "./views/annotate.js";
import {clocks} from "./views/clocks.js";
import {plays} from "./views/play.js";
import {positions} from "./views/position.js";
import {reviews} from "./views/review.js";
import {sets} from "./views/set.js";
import {refresh, showView} from "./views/shown.js";
import {solving} from "./views/solve.js";
import {texts} from "./views/texts.js";
import {trainings} from "./views/train.js";
import {trees} from "./views/tree.js";

for (const b of at("views").children) b.onclick = () => showView(b.dataset.view);
positions();
showView(at("view-" + kept.view) ? kept.view : "solve");
for (const begin of [annotations, solving, texts, trees, sets, reviews, trainings, plays, clocks]) begin();
on("lost", error => say(error.message));
on("found", ({other}) => other ? location.reload() : say("The studio answers again."));
inTurn(async () => {
  try {
    await refresh();
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401) throw error;
    forget();
    await refresh();
  }
});
listen();
