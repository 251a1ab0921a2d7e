// The place Puzzles, on a first visit.

import assert from "node:assert/strict";
import test from "node:test";

import {all, has, key, open, press, text, until} from "./page.js";

test("a first visit shows a puzzle", async () => {
  await open();
  await has(".task", "Collection: puzzle ");
  assert.match(location.hash, /^#\/puzzles\/collection\/\d+$/);
  await has(".task .badge", "Your turn");
  await until(() => all(".shelf .puzzle").length >= 12);
});

test("hints come one by one, and then the solution, which is walked through", async () => {
  await press(".task button", "Hint");
  await until(() => all(".hints li").length === 1);
  await press(".task button", "Hint");
  await until(() => all(".hints li").length === 2);
  await press(".task button", "Show the solution");
  await has(".task .badge", "Solution");
  await has(".shelf .puzzle[aria-current]", "tried");
});

test("the next puzzle comes by a key, with its address", async () => {
  const first = text(".task .between");
  key("n");
  await until(() => text(".task .between") !== first && text(".task .badge") === "Your turn");
  assert.match(location.hash, /^#\/puzzles\/collection\/\d+$/);
  assert.equal(all(".hints li").length, 0);
});

test("an attempt that the studio could not save is sent again", async () => {
  const {fetch} = globalThis, sent = [];
  globalThis.fetch = (path, options) => {
    if (path !== "/api/training" || options.method !== "POST") return fetch(path, options);
    sent.push(JSON.parse(options.body));
    return sent.length > 1 ? fetch(path, options) : Promise.resolve(Response.json({error: "the disk is full"}, {status: 503}));
  };
  const tried = () => all(".shelf .puzzle").filter(e => e.textContent.includes("tried")).length, before = tried();
  await press(".task button", "Hint");
  await has(".toast", "The disk is full");
  await until(() => all(".hints li").length === 1);
  assert.equal(tried(), before);
  key("n");
  await until(() => tried() === before + 1);
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[1], sent[0]);
});
