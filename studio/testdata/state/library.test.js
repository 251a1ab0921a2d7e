// Tests of the Library's words and filters.

import assert from "node:assert/strict";
import test from "node:test";

import {about, fileName, file, filter, freeName, gameOf, missedWins, score, setUp, stored} from "../../assets/state/library.js";
import {endOf, turns} from "../../assets/state/tree.js";

const position = "g [" + " ".repeat(64) + "]";

test("a game that was found has what its record says as tags", () => {
  const study = {position, number: 2, turns: ["Ra1n", "ra8s"]};
  const game = gameOf({study, game: {name: "17", gold: "ann", silver: "", gold_rating: 1800, silver_rating: "", event: "", date: "2020-01-31",
    winner: "silver", ended: "goal"}});
  assert.deepEqual(game.tags, {Source: "17", Date: "2020-01-31", Gold: "ann", GoldRating: "1800", Termination: "goal", Result: "0-1"});
  assert.deepEqual(turns(game, endOf(game, 0)), ["Ra1n", "ra8s"]);
});

test("comments and variations of a game stay, and its turns are followed", () => {
  const nodes = [{parent: -1, turn: "", sign: "", comment: "c"}, {parent: 0, turn: "Ra1n", sign: "!", comment: ""}];
  const game = gameOf({study: {position, number: 2, turns: ["Ra1n"]}, annotated: {position, number: 2, tags: {Gold: "ann"}, nodes}});
  assert.deepEqual([game.nodes, game.tags], [nodes, {Gold: "ann"}]);
  assert.deepEqual(gameOf({study: {position, number: 3}}).nodes.length, 1);
});

test("rows say what is known, and no more", () => {
  assert.deepEqual(about({name: "7", gold: "ann", silver: "bob", gold_rating: 1500, date: "2020", event: "", result: "gold won", turns: 1}, "", 0),
    {label: "ann (1500) against bob", note: "7, 2020, gold won, 1 turn"});
  assert.deepEqual(about({name: "", gold: "", silver: "", turns: 0, result: "not finished"}, "1:2: no game", 4),
    {label: "Game 5", note: "1:2: no game, 0 turns"});
  assert.match(file("certificates", "certificate", {name: "a", bytes: 2048, changed: "2026-01-31T12:00:00Z", claim: "a win in 2", version: "v"}).note,
    /^Not checked: a win in 2, 2 KiB, /);
  const kept = {name: "b", bytes: 2048, changed: "2026-01-31T12:00:00Z", version: "v", gold: "ann", silver: "", result: "1-0", date: "2025",
    turns: 3, last: position};
  assert.match(file("games", "game", kept).note, /^ann against unknown, 3 turns, gold won, 2025, changed /);
  assert.equal(file("games", "game", kept).position, position);
  assert.match(file("games", "game", {...kept, gold: "", result: "", date: "", turns: 0, last: ""}).note, /^2 KiB, changed /);
  assert.equal(missedWins({gold: 0, silver: 0}), "no missed win found");
  const row = {number: 3, at: 12, turn: "8g", finding: "misses", side: "gold", player: null, turns: 2, exact: false, position};
  assert.equal(stored("findings", row).note, "gold, a win in at most 2");
  assert.equal(stored("findings", {...row, finding: "allows", exact: true}).note, "gold, gives the opponent a win in 2");
  const played = {games: 2, gold_wins: 1, silver_wins: 0};
  assert.equal(score({...played, first_date: "2020-01-31", last_date: "2020-01-31"}), "2 games, gold won 1, silver 0, 2020-01-31");
  assert.equal(score({...played, first_date: "2020-01-31", last_date: "2021"}), "2 games, gold won 1, silver 0, 2020-01-31 to 2021");
  assert.equal(score({games: 2, gold_wins: 1, silver_wins: 0, gold_proved: {games: 1, turns: 3, exact: false}, silver_proved: null}),
    "2 games, gold won 1, silver 0, gold is proved to win in 1 game, in at most 3 turns at best");
});

test("a filter has the fields of its tab that ask something", () => {
  const study = {position, number: 2, turns: [], steps: ""};
  const fields = {player: " ann ", date: "", here: {study, position}, twins: false, number: "17", themes: "push, goal", pattern: "Eb6"};
  assert.deepEqual(filter(fields, ["player", "date", "here", "twins", "number", "pattern"]),
    {player: "ann", study, number: 17, pattern: "Eb6"});
  assert.deepEqual(filter(fields, ["themes", "difficulty"]), {themes: ["push", "goal"]});
  for (const number of ["0", "-3", "17a", "1.5"]) assert.throws(() => filter({number}, ["number"]), {message: /^[-.\da]+ is no number of a game/});
});

test("setups make a position", () => {
  assert.equal(setUp("DHCEMCHD/RRRRRRRR", "dhcmechd/RRRRRRRR"), `g [rrrrrrrrdhcmechd${" ".repeat(32)}DHCEMCHDRRRRRRRR]`);
});

test("names of files become names of the workspace", () => {
  const names = [["archive.tsv", "archive"], ["my games (old).tsv", "my games -old-"], ["../../etc", "archive"], ["…", "archive"],
    ["_a.b.tsv", "a-b"]];
  for (const [given, want] of names) assert.equal(fileName(given), want);
  assert.equal(fileName("a".repeat(99)).length, 64);
});

test("a name that is taken gets a number", () => {
  assert.equal(freeName("many", ["few"]), "many");
  assert.equal(freeName("many", ["many", "many-2"]), "many-3");
  assert.equal(freeName("x".repeat(64), ["x".repeat(64)]), "x".repeat(60) + "-2");
});
