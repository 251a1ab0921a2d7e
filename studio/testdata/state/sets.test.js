import assert from "node:assert/strict";
import {test} from "node:test";

import * as s from "../../assets/state/sets.js";

const row = more => ({label: "p", study: {position: "g []"}, claim_true: null, solution_ok: null, second: [], essentially_unique: null, verdict: "proved",
  least: 2, difficulty: null, themes: null, solution: null, solutions: null, refutation: null, line: null, ...more});

test("rows by what was found", () => {
  const rows = {false: row({claim_true: false}), wrong: row({solution_ok: false}), second: row({second: ["a"]}), unknown: row({verdict: "error", least: null})};
  for (const finding of Object.keys(rows)) {
    assert.deepEqual(Object.keys(rows).filter(k => s.shown(rows[k], undefined, {finding})), [finding]);
  }
  assert.ok(s.shown(row({essentially_unique: false}), undefined, {finding: "second"}));
  assert.ok(s.shown(row(), {what: []}, {finding: "changed"}) && !s.shown(row(), undefined, {finding: "changed"}));
  assert.ok(s.shown(row(), undefined, {length: "2"}) && !s.shown(row(), undefined, {length: "3"}));
  assert.ok(s.shown(row({themes: ["quiet"]}), undefined, {theme: "quiet"}) && !s.shown(row(), undefined, {theme: "quiet"}));
});

test("what there is to choose from", () => {
  const rows = [row({least: 10, themes: ["push", "goal"]}), row({least: 2, themes: ["goal"]}), row({least: null}), {win_in: 3, themes: [], study: {}}];
  assert.deepEqual(s.lengths(rows), [2, 3, 10]);
  assert.deepEqual(s.allThemes(rows), ["goal", "push"]);
  assert.deepEqual(s.exercises(rows).map(e => [e.number, e.win_in, e.themes]), [[1, 10, ["push", "goal"]], [2, 2, ["goal"]], [4, 3, []]]);
});

test("solution and line", () => {
  assert.equal(s.solution(row({solution: "a", solutions: [{turn: "b"}]})), "a");
  assert.equal(s.solution(row({solutions: [{turn: "b"}]})), "b");
  assert.equal(s.solution(row({solution: "a", solution_ok: false})), "");
  assert.equal(s.solution(row()), "");
  assert.deepEqual([row({solution: "a"}), row({refutation: ["b", "c"]}), row()].map(s.drawn), ["a", "b", ""]);
  assert.deepEqual(s.line(row({refutation: ["a", "b"], line: ["c"]})), ["a", "b"]);
  assert.deepEqual(s.line(row()), []);
});

test("remarks", () => {
  const texts = (p, change) => s.remarks(p, change).map(r => r.text);
  assert.deepEqual(texts(row()), []);
  assert.deepEqual(texts(row({difficulty: 4.82, themes: ["quiet", "goal"]})), ["Difficulty 4.8: quiet, goal"]);
  assert.deepEqual(texts(row({claim_true: false, solution_ok: false, second: ["a", "b", "c", "d"]}), {what: ["turns"], was: "win in 3"}),
    ["Changed (turns). Earlier: win in 3.", "The claim is false.", "The solution is wrong.", "Second: a; b; c; 1 more"]);
});

test("names", () => {
  assert.deepEqual([{label: "a.tsv", kind: "mine"}, {label: "", kind: "mine"}, {label: "", kind: "verify"}].map(s.nameOf),
    ["a.tsv", "Puzzles mined from a text", "Pasted puzzles"]);
});
