import assert from "node:assert/strict";
import {test} from "node:test";

import * as t from "../../assets/state/training.js";

const exercise = (number, difficulty, win_in = 2, themes = []) => ({number, study: {position: `g [${number}]`, number: 2}, win_in, difficulty, themes});
const [one, two, three] = [exercise(1, 3), exercise(2, null), exercise(3, 1, 3, ["quiet"])];
const all = t.ordered([one, two, three]);
const begun = t.begin("collection", one, {study: {...one.study, turns: [], steps: ""}, side: "gold"}, 1000);

test("exercises in order of difficulty", () => {
  assert.deepEqual(all, [two, three, one]);
});

test("an exercise that was begun is known by more than its number", () => {
  assert.ok(t.same(begun, one));
  assert.ok(!t.same(begun, {...two, number: 1}) && !t.same(begun, {...one, number: 2}) && !t.same(begun, {...one, win_in: 3}));
});

test("right, wrong, solved, unknown", () => {
  const right = t.judged({...begun, level: 2, given: [{}]}, "a", {verdict: "proved", within: 2, line: ["a", "b", "c"]});
  assert.equal(right.outcome, "right");
  assert.deepEqual([right.now.at.turns, right.now.left, right.now.level, right.now.given, right.now.line], [["a", "b"], 1, 0, [], ["a", "b"]]);
  assert.equal(right.now.says, "The reply is b. Now gold wins in 1 turn.");
  assert.equal(t.task(right.now), "Gold wins in 2 turns. 1 left.");
  const solved = t.judged(right.now, "c", {verdict: "proved", within: 1, line: ["c"]});
  assert.deepEqual([solved.outcome, solved.now.over, solved.now.line], ["done", true, ["a", "b", "c"]]);
  assert.equal(t.task(solved.now), "Gold wins in 2 turns.");
  const wrong = t.judged(begun, "x", {verdict: "disproved", says: "Disproved.", refutation: ["x", "y"]});
  assert.deepEqual([wrong.outcome, wrong.now.mistakes, wrong.reply, wrong.now.says, wrong.now.line], ["wrong", 1, "y", "Disproved.", ["x", "y"]]);
  assert.equal(wrong.now.at, begun.at);
  assert.equal(t.judged(begun, "x", {verdict: "disproved", says: "", refutation: ["x"]}).reply, undefined);
  const unknown = t.judged(begun, "x", {verdict: "unknown", says: "Time."});
  assert.deepEqual([unknown.outcome, unknown.now.state, unknown.now.says, unknown.now.mistakes, unknown.reply], ["unknown", "unknown", "Time.", 0, undefined]);
});

test("hints come step by step", () => {
  assert.equal(t.next(begun), "the piece");
  const turn = "Ed4n rd6n Ed5w hc3x", first = t.hint(begun, turn);
  assert.deepEqual([first.square, first.show, first.now.given], ["d4", [], [{piece: "E", square: "d4"}]]);
  assert.equal(t.next(first.now), "the first step");
  const second = t.hint(first.now, turn);
  assert.deepEqual(second.show, ["Ed4n", "Ed4n rd6n"]);
  assert.equal(second.now.hints, 2);
  const third = t.hint(second.now, turn), last = t.hint(third.now, turn);
  assert.equal(t.next(third.now), "one more step");
  assert.deepEqual(last.show, [turn]); // a capture is no step
  assert.equal(t.next(last.now), null);
  assert.deepEqual(t.hint(first.now, "Ed4n").show, ["Ed4n"]);
});

test("the turn that hints lead to", () => {
  assert.equal(t.right({verdict: "proved", line: ["a"], solutions: [{turn: "b", essential: false}, {turn: "c", essential: true}]}), "c");
  assert.equal(t.right({verdict: "proved", line: ["a"], solutions: null}), "a");
  assert.equal(t.right({verdict: "unknown", line: []}), undefined);
  assert.ok(t.only({solutions: [{essential: true}, {essential: false}]}));
  assert.ok(!t.only({solutions: [{essential: true}, {essential: true}]}) && !t.only({solutions: [{essential: null}]}) && !t.only({solutions: null}));
});

test("what is reported", () => {
  const now = {...begun, mistakes: 2, hints: 1};
  assert.deepEqual(t.attempt(now, true, 3500), {study: now.study, win_in: 2, difficulty: 3, solved: true, mistakes: 2, hints: 1, seconds: 2.5});
  assert.ok(!("difficulty" in t.attempt({...now, difficulty: null}, true, 3500)));
  assert.equal(t.attempt(now, true, 1e12).seconds, 86400);
  assert.equal(t.attempt(now, true, 0).seconds, 0); // the clock was set back
  assert.equal(t.help(now), "with 2 mistakes and 1 hint");
  assert.equal(t.help({mistakes: 0, hints: 1}), "with 1 hint");
  assert.equal(t.help({mistakes: 0, hints: 0}), "without a mistake");
  assert.deepEqual([0.4, 46, 59.7, 123].map(t.time), ["0 s", "46 s", "1 min 0 s", "2 min 3 s"]);
});

const training = (...all) => ({exercises: all.map(([e, solved, clean]) => ({position: e.study.position, win_in: e.win_in, solved, clean}))});

test("failures are recorded once", () => {
  assert.ok(t.untried(begun) && !t.clean(begun));
  assert.ok(!("later" in t.attempt(begun, false, 2000)));
  const failed = {...begun, mistakes: 1, failed: true}, solved = {...failed, over: true};
  assert.ok(!t.untried(failed) && !t.clean(solved) && !t.untried(solved) && t.clean({...begun, over: true}));
  assert.equal(t.attempt(solved, true, 2000).later, true);
});

test("what may come next", () => {
  assert.deepEqual(t.offer([one, two]), {exercises: [{position: "g [1]", win_in: 2, difficulty: 3}, {position: "g [2]", win_in: 2}]});
  assert.equal(t.offer(Array(9000).fill(one)).exercises.length, 5000);
});

test("what is due", () => {
  const seen = training([one, 0, 0], [three, 1, 1]);
  for (const r of seen.exercises) r.due = true;
  assert.deepEqual(t.filtered(all, seen, {state: "due"}), [one, three]);
  assert.equal(t.due(seen, all), 2);
  assert.equal(t.due(seen, [two]), 0);
});

test("levels of difficulty", () => {
  const some = [4.96, 4.94, 0, 10, 3.2].map((difficulty, i) => exercise(i, difficulty)), found = [...some, exercise(9, null)];
  assert.deepEqual(t.levels(found).map(l => l.label), ["0.0 to 0.9", "3.0 to 3.9", "4.0 to 4.9", "5.0 to 5.9", "10.0"]);
  const of = difficulty => t.filtered(found, training(), {difficulty}).map(e => e.difficulty);
  assert.deepEqual(["0", "4", "5", "10", "7"].map(of), [[0], [4.94], [4.96], [10], []]); // as they are shown
  assert.equal(of("").length, 6);
});

test("difficulties", () => {
  const tried = difficulty_by_results => ({difficulty_by_results});
  assert.equal(t.hard(exercise(1, 5.12), tried(4.57)), "difficulty 5.1, 4.6 by your results");
  assert.equal(t.hard(exercise(1, 5.12), tried(4.57), "for you"), "difficulty 5.1, 4.6 for you");
  assert.equal(t.hard(exercise(1, 0), tried(0)), "difficulty 0.0, 0.0 by your results");
  assert.equal(t.hard(exercise(1, 5.12), tried(null)), "difficulty 5.1"); // the results say too little
  assert.equal(t.hard(exercise(1, 5.12), undefined), "difficulty 5.1");
  assert.equal(t.hard(exercise(1, null), tried(4.57)), "difficulty 4.6 by your results");
  assert.equal(t.hard(exercise(1, null), undefined), "");
});

test("marks", () => {
  assert.equal(t.marks({streak: 0, best: 0}), "Streak 0"); // the training has not come
  assert.equal(t.marks({streak: 3, best: 5, rating: 1522.6}), "Streak 3, best 5. Rating 1523");
});

test("filters", () => {
  const seen = training([one, 0, 0], [three, 1, 1], [two, 1, 0]), filtered = f => t.filtered(all, seen, f);
  assert.deepEqual(all.map(e => t.standing(t.record(seen, e))), ["helped", "solved", "tried"]);
  assert.equal(t.standing(t.record(training(), one)), "");
  assert.equal(t.solved(seen, all), 2);
  assert.deepEqual(filtered({}), all);
  assert.deepEqual(filtered({state: "open"}), [one]);
  assert.deepEqual(filtered({state: "failed"}), [one, two]); // in the order in which they failed
  assert.deepEqual(filtered({length: "3"}), [three]);
  assert.deepEqual(filtered({theme: "quiet", state: "failed"}), []);
});

test("after the page was loaded again", () => {
  assert.equal(t.again(undefined), null);
  assert.equal(t.again(begun), begun);
  assert.deepEqual(t.again({...begun, state: "looking", says: "Looking."}), begun);
});
