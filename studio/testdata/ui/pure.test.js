// The pure parts of the components.

import assert from "node:assert/strict";
import test from "node:test";

import {clockText} from "../../assets/lib/clock.js";
import {squareName} from "../../assets/ui/board.js";
import {corner, displacements, frames} from "../../assets/ui/steps.js";
import {area, path} from "../../assets/ui/turns.js";

const board = pieces => Array.from({length: 64}, (_, i) => pieces[squareName(i)] || " ").join("");

test("squares and corners", () => {
  assert.equal(squareName(0) + squareName(7) + squareName(63), "a1h1h8");
  assert.deepEqual(corner("a8", false), [0, 0]);
  assert.deepEqual(corner("b3", false), [100, 500]);
  assert.deepEqual(corner("b3", true), [600, 200]);
});

test("a push and a pull, step by step", () => {
  const {pieces, count} = displacements(board({d4: "E", d5: "r", a1: "R"}), "rd5n Ed4n Ed5w rd6s");
  assert.equal(count, 4);
  const of = letter => pieces.find(p => p.letter === letter);
  assert.deepEqual(of("r").path, [{time: 0, square: "d5"}, {time: 1, square: "d6"}, {time: 4, square: "d5"}]);
  assert.deepEqual(of("E").path, [{time: 0, square: "d4"}, {time: 2, square: "d5"}, {time: 3, square: "c5"}]);
  assert.deepEqual(of("R"), {letter: "R", path: [{time: 0, square: "a1"}], lost: null});
});

test("captures end a piece, and another one may take its square", () => {
  const {pieces, count} = displacements(board({c4: "R", b3: "C"}), "Rc4s Rc3x Cb3n");
  assert.equal(count, 2);
  assert.deepEqual(pieces.map(p => [p.letter, p.lost]), [["C", null], ["R", 1]]);
  const gone = frames(pieces[1], count, false);
  assert.deepEqual(gone.map(f => [f.offset, f.opacity]), [[0, undefined], [0, undefined], [0.5, undefined], [0.5, 1], [0.75, 0], [1, 0]]);
  assert.equal(frames({path: [{time: 0, square: "c4"}, {time: 2, square: "c3"}], lost: 2}, 2, false).at(-1).opacity, 0);
});

test("frames keep still until the step of the piece", () => {
  const [before, waits, arrives, end] = frames({path: [{time: 0, square: "a1"}, {time: 3, square: "a2"}], lost: null}, 4, false);
  assert.deepEqual([before.transform, waits.transform, arrives.transform, end.transform], ["translate(0px, 700px)", "translate(0px, 700px)",
    "translate(0px, 600px)", "translate(0px, 600px)"]);
  assert.deepEqual([before.offset, waits.offset, arrives.offset, end.offset], [0, 0.5, 0.75, 1]);
});

test("setups, empty turns and turns of other positions", () => {
  assert.equal(displacements(board({}), "Ra1 Eb1").pieces.length, 2);
  assert.equal(displacements(board({a1: "R"}), "").count, 0);
  assert.equal(displacements(board({a1: "R"}), "Ra1n Ed4n Ra2n").count, 1);
});

test("the line of a graph, and the area below it", () => {
  assert.equal(path([1, 0.5, 0], 200, 100), "M0 0L100 50L200 100");
  assert.equal(path([null, 0.5, null, 0, 1], 400, 100), "M100 50M300 100L400 0");
  assert.equal(area([null, 0.5, null, 0, 1], 400, 100), "M100 50L100 100L100 100ZM300 100L400 0L400 100L300 100Z");
  assert.equal(path([], 400, 100) + area([null], 400, 100), "");
});

test("clocks", () => assert.deepEqual([0, 59.2, 60, 754, 3661, -3].map(clockText), ["0:00", "1:00", "1:00", "12:34", "1:01:01", "0:00"]));
