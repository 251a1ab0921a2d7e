import assert from "node:assert/strict";
import {test} from "node:test";

import * as s from "../../assets/state/study.js";

const gold = "g [" + " ".repeat(63) + "R]", silver = "s" + gold.slice(1);

test("a study as the studio writes it is the same as one with all its fields", () => {
  assert.ok(s.same({position: gold, number: 2}, {position: gold, number: 2, turns: [], steps: ""}));
  assert.ok(s.same({position: gold, number: 1}, {position: gold}));
  assert.ok(!s.same({position: gold, number: 2}, {position: gold, number: 9})); // lines of an answer are labelled by the number
  assert.ok(!s.same(null, {position: gold, number: 2}));
});

test("keys tell histories apart", () => {
  const lines = [["a"], ["b"], ["a", "b"], ["b", "a"], [""], ["a,b"], ["a b"]].map(turns => ({position: gold, turns}));
  const studies = [{position: gold}, {position: silver}, {position: gold, steps: "a"}, ...lines];
  assert.equal(new Set(studies.map(s.key)).size, studies.length);
});

test("turns after and before", () => {
  const one = s.after({position: gold, number: 5, steps: "Rh1n"}, "Rh1n");
  assert.deepEqual(one, {position: gold, number: 5, turns: ["Rh1n"], steps: ""});
  assert.deepEqual(s.before(one), s.study({position: gold, number: 5}));
  assert.equal(s.before({position: gold, number: 5}), null);
  assert.deepEqual(s.atStart({position: gold, number: 2, turns: ["a"], steps: "x"}).steps, "");
});

test("what leads from one study to another", () => {
  const at = (turns, steps = "") => ({position: gold, number: 2, turns, steps});
  assert.deepEqual(s.between(at([]), at(["a", "b"])), ["a", "b"]);
  assert.deepEqual(s.between(at(["a"]), at(["a", "b"], "c")), ["b"]);
  assert.deepEqual(s.between(at(["a"], "c"), at(["a"], "c")), []);
  assert.equal(s.between(at(["a"], "c"), at(["a", "b"])), null);
  assert.equal(s.between(at(["b"]), at(["a", "b"])), null);
  assert.equal(s.between(at(["a", "b"]), at(["a"])), null);
  assert.equal(s.between({position: silver}, at([])), null);
  assert.equal(s.between(at([]), {...at(["a"]), number: 9}), null);
});

test("labels and sides", () => {
  assert.deepEqual([0, 1, 2, 3].map(n => s.label({position: gold, number: 12}, n)), ["12g", "12s", "13g", "13s"]);
  assert.deepEqual([0, 1, 2, 3].map(n => s.label({position: silver, number: 12}, n)), ["12s", "13g", "13s", "14g"]);
  assert.equal(s.label({position: gold, turns: ["a"]}), "2s");
  assert.equal(s.mover({position: silver, turns: ["a"]}), "gold");
  assert.equal(s.mover({position: gold}), "gold");
});

test("a position alone", () => {
  const squares = "R" + " ".repeat(62) + "e"; // a1, and h8
  assert.equal(s.alone({squares, side: "silver"}), "s [" + " ".repeat(7) + "e" + " ".repeat(48) + "R" + " ".repeat(7) + "]");
});
