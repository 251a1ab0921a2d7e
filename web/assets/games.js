// The games of an archive as a table, each of which leads to its review.

import {begin} from "./annotate.js";
import {get, over, remove} from "./api.js";
import {amount, at, go, inTurn, kept, make, number} from "./studio.js";

const player = (name, rating) => (name || "unknown") + (rating ? ` (${rating})` : "");

let rows = []; // of the table: the element, and its text in small letters

// Shows the rows that have all words of the filter.
function filter() {
  const words = at("games-filter").value.toLowerCase().split(/\s+/);
  const shown = rows.filter(([row, text]) => !(row.hidden = !words.every(w => text.includes(w))));
  at("games-shown").textContent = `${number(shown.length)} of ${amount(rows.length, "game")}`;
}

// Opens a game and begins its review, in place of one that has not ended.
async function open(found) {
  begin(found);
  await go(found.study);
  const job = kept.review && await get("jobs/" + kept.review).catch(() => null); // which may be forgotten
  if (job && !over(job)) await remove("jobs/" + job.id);
  document.querySelector('[data-view="game"]').click();
  at("review").click();
}

// Lists the games of what was found in a text, if there are several, and returns the rest.
export function list(all) {
  const games = all.filter(f => f.game);
  at("games").hidden = games.length < 2;
  if (games.length < 2) return all;
  const body = at("games").querySelector("tbody");
  body.replaceChildren();
  rows = games.map((f, i) => {
    const row = make(body, "tr"), g = f.game;
    const first = make(row, "td");
    const b = make(first, "button", {type: "button", textContent: g.name || `${i + 1}`, disabled: !g.turns});
    if (g.event) make(first, "div", {textContent: g.event});
    b.onclick = () => inTurn(() => open(f));
    const end = g.ended ? `${g.winner} wins: ${g.ended}` : "not finished";
    for (const text of [player(g.gold, g.gold_rating), player(g.silver, g.silver_rating), `${f.error || end}, ${amount(g.turns, "turn")}`]) {
      make(row, "td", {textContent: text});
    }
    return [row, row.textContent.toLowerCase()];
  });
  at("games-filter").value = "";
  at("games-filter").oninput = filter;
  filter();
  return all.filter(f => !f.game);
}
