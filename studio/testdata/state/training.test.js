import assert from "node:assert/strict";
import {test} from "node:test";

import * as t from "../../assets/state/training.js";

const exercise = (n, difficulty) => ({study: {position: `g [${n}]`, number: 2}, win_in: 2, difficulty, themes: []});
const [one, two, three] = [exercise(1, 3), exercise(2, null), exercise(3, 1)];
const session = t.take(t.from("examples"), [one, two, three]);
const begun = t.begin(session, one, {study: {...one.study, turns: [], steps: ""}, side: "gold"}, 1000);

test("exercises in order of difficulty", () => {
  assert.deepEqual(session.exercises, [two, three, one]);
  assert.equal(t.index(session), -1);
  assert.equal(t.index(begun), 2);
  assert.equal(t.index({...begun, exercises: [two]}), -1);
});

test("right, wrong, solved", () => {
  const right = t.judged({...begun.now, level: 2}, "a", {verdict: "proved", within: 2, line: ["a", "b", "c"]});
  assert.equal(right.outcome, "right");
  assert.deepEqual([right.now.at.turns, right.now.left, right.now.level], [["a", "b"], 1, 0]);
  assert.equal(right.says, "Right. The reply is b. Win in 1.");
  const solved = t.judged(right.now, "c", {verdict: "proved", within: 1, line: ["c"]});
  assert.ok(solved.outcome === "done" && solved.now.over);
  const wrong = t.judged(begun.now, "x", {verdict: "disproved", says: "Disproved.", refutation: ["x", "y"]});
  assert.deepEqual([wrong.outcome, wrong.now.mistakes, wrong.reply, wrong.says], ["wrong", 1, "y", "Disproved. Try again."]);
  assert.equal(wrong.now.at, begun.now.at);
  assert.equal(t.judged(begun.now, "x", {verdict: "disproved", says: "", refutation: ["x"]}).reply, undefined);
  assert.deepEqual(t.judged(begun.now, "x", {verdict: "unknown", says: "Time."}),
    {outcome: "unknown", now: begun.now, reply: undefined, says: "Time."});
});

test("hints come step by step", () => {
  assert.equal(t.next(begun.now), "the piece");
  const first = t.hint(begun.now, "Ed4n rd6n Ed5w");
  assert.deepEqual([first.piece, first.square, first.show], ["E", "d4", []]);
  assert.equal(t.next(first.now), "the step");
  const second = t.hint(first.now, "Ed4n rd6n Ed5w");
  assert.deepEqual(second.show, ["Ed4n", "Ed4n rd6n"]);
  assert.equal(second.now.hints, 2);
  assert.deepEqual(t.hint(first.now, "Ed4n").show, ["Ed4n"]);
});

test("the turn that hints lead to", () => {
  assert.equal(t.right({verdict: "proved", line: ["a"], solutions: [{turn: "b", essential: false}, {turn: "c", essential: true}]}), "c");
  assert.equal(t.right({verdict: "proved", line: ["a"], solutions: null}), "a");
  assert.equal(t.right({verdict: "unknown", line: []}), undefined);
});

test("what is reported", () => {
  const now = {...begun.now, mistakes: 2, hints: 1};
  assert.deepEqual(t.attempt(now, true, 3500), {study: now.study, win_in: 2, solved: true, mistakes: 2, hints: 1, seconds: 2.5});
  assert.equal(t.attempt(now, true, 1e12).seconds, 86400);
  assert.equal(t.attempt(now, true, 0).seconds, 0); // the clock was set back
  assert.equal(t.help(now), "with 2 mistakes and 1 hint");
  assert.equal(t.help({mistakes: 0, hints: 1}), "with 1 hint");
  assert.equal(t.help({mistakes: 0, hints: 0}), "without a mistake");
});

test("the next one", () => {
  const training = (...clean) => ({exercises: clean.map(e => ({position: e.study.position, win_in: 2, clean: 1}))});
  assert.equal(t.following(session, training()), two);
  assert.equal(t.following(begun, training()), two); // from the beginning again
  assert.equal(t.following(begun, training(two)), three);
  assert.equal(t.following(begun, training(one, two, three)), two);
  assert.equal(t.following(t.from("x"), training()), undefined);
});
