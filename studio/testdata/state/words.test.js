import assert from "node:assert/strict";
import {test} from "node:test";
import {amount, firstWords, located, since} from "../../assets/state/words.js";

test("places in errors are words", () => {
  assert.equal(located("1:1: a position begins"), "Line 1: a position begins");
  assert.equal(located("2: position: the brackets"), "Line 2: position: the brackets");
  assert.equal(located("my game.txt:12:3: no turn"), "my game.txt, line 12: no turn");
  assert.equal(located("47g: 1:2: x\n3:1: y"), "47g: 1:2: x\nLine 3: y");
  assert.equal(located("the goal: nothing"), "the goal: nothing");
});

test("long numbers are grouped", () => {
  assert.deepEqual([0, 1, 999, 1000, 12345, 123456, 1234567].map(n => amount(n, "turn")),
    ["0 turns", "1 turn", "999 turns", "1,000 turns", "12,345 turns", "123,456 turns", "1,234,567 turns"]);
});

test("times and texts are told in a few words", () => {
  const now = 1e12, minute = 60_000;
  assert.deepEqual([0, 1, 59, 60, 150, 24 * 60, 50 * 60].map(m => since(now - m * minute, now)),
    ["just now", "1 minute ago", "59 minutes ago", "1 hour ago", "2 hours ago", "1 day ago", "2 days ago"]);
  assert.equal(since(now + minute, now), "just now");
  assert.equal(firstWords("# 47g\n  Ra5  rh7 "), "47g Ra5 rh7");
  assert.equal(firstWords("Ra5 rh7 ed4", 9), "Ra5 rh7…");
});
