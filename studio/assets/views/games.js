// The games of an archive as a table, each of which leads to its review.

import {get, post, remove} from "../lib/api.js";
import {at, make, size} from "../lib/dom.js";
import {listed} from "../lib/files.js";
import {over} from "../lib/jobs.js";
import {kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {amount, number} from "../state/words.js";
import {begin} from "./annotate.js";
import {reviewGame} from "./review.js";
import {open as display} from "./shown.js";

const perPage = 100; // rows that are drawn
const mostArchive = 64 * 2 ** 20; // bytes

const player = (name, rating) => (name || "unknown") + (rating ? ` (${rating})` : "");

let rows = []; // of all games: facts, error, open (which finds the game), text in small letters, and study once it is known
let chosen = []; // those that the filter leaves
let first = 0; // of the page that is drawn
const missed = new Map(); // what reviews have found, by study
const reviews = new Set(); // the ids of those whose findings are there

const written = study => [study.position, ...(study.turns || [])].join();

// Draws the rows of a page.
function draw() {
  const body = at("games").querySelector("tbody");
  body.replaceChildren();
  chosen.slice(first, first + perPage).forEach((r, i) => {
    const row = make(body, "tr"), g = r.facts, name = make(row, "td");
    const b = make(name, "button", {type: "button", textContent: g.name || `${first + i + 1}`, disabled: !g.turns});
    if (g.date) make(name, "div", {className: "date", textContent: g.date});
    if (g.event) make(name, "div", {textContent: g.event});
    b.onclick = () => inTurn(() => open(r));
    for (const text of [player(g.gold, g.gold_rating), player(g.silver, g.silver_rating), `${r.error || g.result}, ${amount(g.turns, "turn")}`]) {
      make(row, "td", {textContent: text});
    }
    const m = r.study && missed.get(written(r.study));
    if (m) make(row.lastChild, "div", {textContent: m.gold + m.silver ? `missed wins: gold ${m.gold}, silver ${m.silver}` : "no missed win found"});
  });
  at("games-shown").textContent = `${number(chosen.length)} of ${amount(rows.length, "game")}`;
  at("games-pages").hidden = chosen.length <= perPage;
  at("games-page").textContent = `${number(first + 1)} to ${number(Math.min(first + perPage, chosen.length))}`;
  at("games-before").disabled = first === 0;
  at("games-after").disabled = first + perPage >= chosen.length;
  at("games-table").scrollTop = 0;
}

// Shows the rows that have all words of the filter.
function filter() {
  const words = at("games-filter").value.toLowerCase().split(/\s+/);
  chosen = rows.filter(r => words.every(w => r.text.includes(w)));
  first = 0;
  draw();
}

// Asks what the reviews of this studio have found.
async function reviewed() {
  const {jobs} = await get("jobs");
  for (const {id, missed: found} of jobs.filter(j => j.missed && !reviews.has(j.id)).toReversed()) {
    const {request} = await get("jobs/" + id);
    reviews.add(id);
    missed.set(written(request.study), found);
  }
}

// Opens a game and begins its review, in place of one that has not ended.
async function open(row) {
  const found = await row.open();
  row.study = found.study;
  begin(found);
  await display(found.study);
  const job = kept.review && await get("jobs/" + kept.review).catch(() => null); // which may be forgotten
  if (job && !over(job)) await remove("jobs/" + job.id);
  reviewGame();
}

// Lists games: facts, and what opens one.
async function table(all) {
  at("games").hidden = false;
  rows = all.map(r => ({...r, text: [r.facts.name, r.facts.date, r.facts.event, player(r.facts.gold, r.facts.gold_rating), player(r.facts.silver, r.facts.silver_rating),
    r.error || r.facts.result].join(" ").toLowerCase()}));
  await reviewed();
  at("games-filter").value = "";
  filter();
}

// Lists the games of what was found in a text, if there are several, and returns the rest.
export async function list(all) {
  const games = all.filter(f => f.game);
  at("games").hidden = games.length < 2;
  if (games.length < 2) return all;
  await table(games.map(f => ({facts: f.game, error: f.error, study: f.study, open: () => f})));
  return all.filter(f => !f.game);
}

// Lists an archive, which is an index of the rows of a text, and read, which asks for what a row holds.
async function listIndex(index, read) {
  at("games-more").hidden = !index.more;
  await table(index.games.map(g => ({facts: g, error: g.error, open: async () => {
    const [found] = (await read(index.header, g.offset, g.bytes)).found;
    return found;
  }})));
}

// Lists the games of a large file. The studio reads it and keeps nothing of it; a game is a part of the file.
export async function listFile(file) {
  if (file.size > mostArchive) throw new Error(`${file.name} has more than ${size(mostArchive)}: the commands read it.`);
  await listIndex(await post("archive", file), async (header, offset, bytes) => {
    const row = new Blob([file.slice(0, header), file.slice(offset, offset + bytes)]);
    return post("read", {text: await row.text(), name: file.name, side: ""});
  });
}

export function archives() {
  at("games-filter").oninput = filter;
  const turn = by => () => {
    first += by;
    draw();
  };
  at("games-before").onclick = turn(-perPage);
  at("games-after").onclick = turn(perPage);
  document.addEventListener("reviewed", aside(async () => {
    if (!rows.length) return;
    await reviewed();
    const top = at("games-table").scrollTop;
    draw();
    at("games-table").scrollTop = top;
  }));
  listed("archives-part", {
    path: "archives", what: "archive", none: "There is no file NAME.tsv.",
    open: async name => {
      const path = "archives/" + encodeURIComponent(name);
      await listIndex(await get(path), (header, offset, bytes) => get(`${path}/game?header=${header}&offset=${offset}&bytes=${bytes}`));
    },
  });
}
