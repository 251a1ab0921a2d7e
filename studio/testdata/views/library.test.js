// The place Library, and what lies above the page.

import assert from "node:assert/strict";
import test from "node:test";

import {all, has, key, open, press, text, until} from "./page.js";

test("the files of the workspace are listed, and a game is opened", async () => {
  await open();
  await press("nav button", "Library");
  await until(() => all(".searchlist .item", "race").length);
  await press(".searchlist .item", "race");
  await until(() => location.hash.startsWith("#/game/race"));
  await until(() => all(".turns .turn").length === 3);
});

test("the keys are explained, and settings change the page", async () => {
  key("?");
  await has("dialog[open]", "flip the board");
  await press("dialog[open] button", "Close");
  await press("button", "Settings");
  await until(() => all("dialog[open] select, dialog[open] input").length > 4);
});

test("an empty list says what to do", async () => {
  await press("nav button", "Library");
  await press("button", "Certificates");
  await until(() => all(".empty button").length || text(".empty"));
  assert.equal(all(".searchlist .item").length, 0);
});
