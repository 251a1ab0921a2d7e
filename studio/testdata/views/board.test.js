// The place Board, as a person uses it.

import assert from "node:assert/strict";
import test from "node:test";

import {all, example, has, key, open, paste, press, text, type, until} from "./page.js";

const stands = (square, piece) => until(() => document.querySelector(`[data-square=${square}]`)?.getAttribute("aria-label").includes(piece));

test("a position that is pasted stands on the board, and is asked about", async () => {
  await open();
  paste(example("win-in-2.txt"));
  await has("section.verdict .badge", "Not asked");
  await stands("d6", "gold elephant");
  await press("section.verdict .chip", "in 2");
  await has("section.verdict .badge", "Proved");
  await has("section.verdict .sentence", "Gold wins in 2 turns.");
  await has("[role=status]", "Gold wins in 2 turns.");
  await has("#verdict-panel", "Re1e Rh2w Ed6n Ed7w");
});

test("parts of an answer stay beside each other", async () => {
  await press("[role=tab]", "Solutions");
  await press("#verdict-panel button", "Find all solutions");
  await has("#verdict-panel", "unique");
  await press("[role=tab]", "Defences");
  await press("#verdict-panel button");
  await has("#verdict-panel", "threatens");
  await press("[role=tab]", "Solutions");
  await has("#verdict-panel", "unique");
  await press("[role=tab]", "Line");
  await has("section.verdict .sentence", "Gold wins in 2 turns.");
});

test("a turn of the line leads the board, and its answer stays with its position", async () => {
  await press("#verdict-panel button", "44g");
  await stands("c7", "gold elephant");
  await until(() => location.hash.includes("turns=")); // browsers allow few changes in a second
  await has("section.verdict", "Gold wins in 2 turns.");
  key("ArrowLeft");
  await stands("d6", "gold elephant");
});

test("no answer stands beside another position", async () => {
  paste(example("no-win-in-2.txt"));
  await has("section.verdict .badge", "Not asked");
  assert.doesNotMatch(text("section.verdict"), /wins in 2 turns/);
  await press("section.verdict .chip", "in 2");
  await has("section.verdict .sentence", "Gold has no win in 2 turns");
  assert.match(text("section.verdict .badge"), /Disproved/);
});

test("a game has its turns in two columns, and a comment saves it", async () => {
  paste(example("game.turns"));
  await until(() => all(".turns .turn").length === 50);
  await press(".turns .turn", "22g");
  await until(() => all(".turns .turn[aria-current]", "22g").length);
  key("ArrowRight");
  await until(() => all(".turns .turn[aria-current]", "22s").length);
  await press("button", "Comment");
  await type("#comment", "<b>too slow</b>");
  await has(".file", "Saved as ");
  assert.equal(all(".turns b, .writing b").filter(e => e.textContent === "too slow").length, 0);
});

test("to resign is asked about", async () => {
  await press("button", "Play");
  await press(".new-game button", "Begin");
  await press("button", "Resign");
  await has("dialog[open]", "Resign this game?");
});
