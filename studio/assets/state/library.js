// What the library lists, in words and as games: games of texts and archives, files of the workspace, and rows of a database of
// games. Rows are {id, label, note, kind, position}, as ui/lists.js shows them.

import * as tree from "./tree.js";
import {amount, number, size} from "./words.js";

// A game that was found in a text (POST /api/read), as state/tree.js has it: with its comments and variations, or else with what
// its record says as tags.
export function gameOf({study, game: f = {}, annotated}) {
  const tags = {};
  for (const [name, value] of [["Event", f.event], ["Source", f.name], ["Date", f.date], ["Gold", f.gold], ["Silver", f.silver],
    ["GoldRating", f.gold_rating], ["SilverRating", f.silver_rating], ["Termination", f.ended]]) if (value) tags[name] = String(value);
  if (f.winner) tags.Result = f.winner === "gold" ? "1-0" : "0-1";
  const {position, number: first, tags: given, nodes} = annotated || {...study, tags};
  const game = {...tree.begin({position, number: first, tags: given || {}}), ...(nodes && {nodes})};
  return tree.along(game, study.turns || []).game;
}

const player = (name, rating) => (name || "unknown") + (rating ? ` (${rating})` : "");
const said = (...parts) => parts.filter(Boolean).join(", ");

// The players of a game, in words.
const players = g => g.gold || g.silver ? `${player(g.gold, g.gold_rating)} against ${player(g.silver, g.silver_rating)}` : "";

// What is said about a game of a text or an archive: {label, note}.
export function about(g, error, i) {
  const who = players(g);
  return {label: who || g.name || `Game ${i + 1}`, note: said(who && g.name, g.date, g.event, error || g.result, amount(g.turns, "turn"))};
}

// What a review has found of missed wins, in words.
export const missedWins = m => m.gold + m.silver ? `missed wins: gold ${m.gold}, silver ${m.silver}` : "no missed win found";

const won = {"1-0": "gold won", "0-1": "silver won"};

// A file of the workspace as a row. what is the word for its kind. Games say who played, and how it ended; certificates what they
// claim, unchecked.
export const file = (kind, what, {name, bytes, changed, claim, position, version, last, turns, date, result, ...g}) => ({
  id: `${kind} ${name}`, kind: what, of: kind, name, version, changed: Date.parse(changed), position: last || position, label: name,
  note: said(players(g), last && amount(turns, "turn"), won[result], date, claim && `Not checked: ${claim}`, !last && size(bytes),
    "changed " + new Date(changed).toLocaleString("en", {dateStyle: "medium", timeStyle: "short"}))});

// Rows of a database. The win of these findings is the opponent's.
const gifts = ["loses", "allows", "only-defence"];
const winOf = f => `${gifts.includes(f.finding) ? "gives the opponent a win" : "a win"} in ${f.exact ? "" : "at most "}${f.turns}`;
const results = {gold: "gold won", silver: "silver won", draw: "draw", undecided: "undecided"};
const row = {
  games: g => ({id: `${g.number}`, label: players(g) || g.name || `Game ${g.number}`, position: g.position, kind: `game ${g.number}`,
    note: said(g.date, g.event, g.result ? results[g.result] + (g.ending ? ` by ${g.ending}` : "") : "no result", amount(g.turns, "turn"),
      g.at && `at ${g.at}`)}),
  findings: f => ({id: `${f.number} ${f.at} ${f.finding}`, label: `${f.turn} ${f.finding}: ${player(f.player, f.rating)}`, position: f.position,
    kind: `game ${f.number}`, note: said(f.side, f.turns ? winOf(f) : "the game is over", f.played && `played ${f.played}`,
      f.better && `better ${f.better}`, f.date)}),
  puzzles: p => ({id: `${p.number}`, label: p.name || `Puzzle ${p.number}`, position: p.position, kind: p.name ? `puzzle ${p.number}` : "",
    note: said(p.claim && `win in ${p.claim}`, p.difficulty !== undefined && `difficulty ${p.difficulty.toFixed(1)}`, (p.themes || []).join(", "),
      p.game_number ? `of game ${p.game_number}, ${p.at}` : p.source)}),
};

// A row of a tab of the database: games, findings or puzzles.
export const stored = (tab, item) => ({...row[tab](item), item});

// What a branch of the tree of openings is worth, in words.
export function score(b) {
  const proved = ["gold", "silver"].map(side => [side, b[`${side}_proved`]]).filter(([, p]) => p)
    .map(([side, p]) => `${side} is proved to win in ${amount(p.games, "game")}, in ${p.exact ? "" : "at most "}${amount(p.turns, "turn")} at best`);
  return said(amount(b.games, "game"), `gold won ${number(b.gold_wins)}, silver ${number(b.silver_wins)}`, b.rating && `rating ${b.rating}`,
    b.first_date && (b.first_date === b.last_date ? b.first_date : `${b.first_date} to ${b.last_date}`), ...proved);
}

// The position after both setups, as the tree of openings writes them: each side's second rank, a slash, its first rank.
export function setUp(gold, silver) {
  const [behind, first] = gold.split("/"), [front, last] = silver.toLowerCase().split("/");
  return `g [${last}${front}${" ".repeat(32)}${behind}${first}]`;
}

const counts = ["number", "game_number"];

function count(text) {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${text} is no number of a game: the first one is 1.`);
  return Number(text);
}

// The filter of a request, of the fields of a form: those that are empty ask nothing. here is a position, {study}. Fields that
// another tab has are left out. It throws an error for numbers that no game has.
export function filter(fields, allowed) {
  const asked = {};
  for (const name of allowed) {
    const value = typeof fields[name] === "string" ? fields[name].trim() : fields[name];
    if (!value) continue;
    if (name === "here") asked.study = value.study;
    else if (name === "themes") asked.themes = value.split(/[\s,]+/);
    else asked[name] = counts.includes(name) ? count(value) : value;
  }
  return asked;
}

// A name for a file of the workspace, of that of another file: letters, digits, spaces, - and _, at most 64.
export const fileName = text =>
  text.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9 _-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 64).trim() || "archive";

// A name that none of the others is: it, or it with a number.
export function freeName(name, others) {
  let free = name;
  for (let n = 2; others.includes(free); n++) free = `${name.slice(0, 60)}-${n}`;
  return free;
}
