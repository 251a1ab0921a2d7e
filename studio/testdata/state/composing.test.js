// Tests of what a window has composed: go test ./studio -run State.

import assert from "node:assert/strict";
import {test} from "node:test";

import {about, aimOf, aims, measures, noted} from "../../assets/state/composing.js";

const here = {position: "g [1]", number: 2, turns: ["Ra1n"], steps: ""}, there = {...here, turns: []};
const job = (id, aim, study = here) => ({id, request: {aim, study}});

test("a job takes the place of an older one with its aim about the same study", () => {
  const list = [job("x-1", "hard"), job("x-2", "twin"), job("x-3", "hard", there), job("x-4", "hard"), job("x-4", "hard")].reduce(noted, []);
  assert.deepEqual(list.map(c => c.id), ["x-2", "x-3", "x-4"]);
  assert.deepEqual(about(list, here), ["x-4", "x-2"]);
  assert.deepEqual(about(list, {position: "g [1]", turns: []}), ["x-3"]);
  assert.deepEqual(about(list, {position: "g [1]", number: 3}), []);
  assert.equal(aimOf(job("x-1", "twin")), aims[3]);
});

test("of many jobs the oldest are forgotten", () => {
  let list = [];
  for (let i = 0; i < 50; i++) list = noted(list, job(`x-${i}`, "hard", {...here, number: i + 2}));
  assert.equal(list.length, 40);
  assert.equal(list[0].id, "x-10");
});

test("a puzzle is measured beside the one that it was made of", () => {
  assert.equal(measures({difficulty: 6.84, pieces: 14}, {difficulty: 5.3, pieces: 15}), "Difficulty 6.8, before 5.3; pieces: 14, before 15");
  assert.equal(measures({difficulty: 6.84, pieces: 14}, {difficulty: null, pieces: 15}), "Difficulty 6.8; pieces: 14, before 15");
  assert.equal(measures({difficulty: 0, pieces: 3}, null), "Difficulty 0.0; pieces: 3");
  assert.equal(measures({difficulty: null, pieces: 3}, {difficulty: 1, pieces: 3}), "Pieces: 3");
});
