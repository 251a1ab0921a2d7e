import assert from "node:assert/strict";
import {test} from "node:test";

import * as a from "../../assets/state/answers.js";
import {after, label} from "../../assets/state/study.js";
import {random} from "./random.js";

const study = (turns = [], position = "g [" + " ".repeat(63) + "R]") => ({position, number: 44, turns, steps: ""});
const here = study(), elsewhere = study([], "s [" + " ".repeat(63) + "R]");

let last = 0;
// A job that has ended, with a result.
const job = (kind, at, result, request = {}) => ({id: `kqzvbm-${++last}`, state: "done", request: {kind, study: at, ...request},
  result: {line: [], least: null, within: null, refuted: 0, repetition: "counted", seconds: 1, ...result}});
const proved = (within, line = [], more = {}) =>
  ({verdict: "proved", says: `Proved in ${within}.`, within, least: within, refuted: within - 1, line, ...more});
const refuted = (n, more = {}) => ({verdict: "disproved", says: `No win in ${n}.`, refuted: n, ...more});
const unknown = (n, more = {}) => ({verdict: "unknown", says: "Unknown.", refuted: n, ...more});
const all = (...jobs) => jobs.reduce(a.told, a.none);

test("an answer is shown for its own position and history alone", () => {
  const answers = all(job("solve", here, proved(2, ["a", "b", "c"])));
  assert.equal(a.shown(answers, here).verdict.result.within, 2);
  for (const other of [elsewhere, {...here, number: 2}, study(["x"]), {...here, steps: "a"}, study(["x", "y"])]) {
    const s = a.shown(answers, other);
    assert.deepEqual([s.verdict, s.line, s.derived, s.bounds.within, s.running.length], [null, null, null, null, 0]);
  }
});

test("each part stays when another one is asked for", () => {
  const solve = job("solve", here, proved(2, ["a", "b", "c"], {listed: "First turns: unique.", solutions: [{turn: "a"}]}));
  const vary = job("variations", here, proved(2, ["a", "b", "c"])), certify = job("certificate", here, proved(2, ["a", "b", "c"], {certificate: 99}));
  const tried = job("try", here, refuted(2, {try: "x", refutation: ["x", "y"]}), {turn: "x"});
  const s = a.shown(all(solve, vary, certify, tried), here);
  assert.deepEqual([s.solutions, s.defences, s.certificate, s.tries.x].map(j => j.id), [solve, vary, certify, tried].map(j => j.id));
  assert.equal(s.verdict.result.verdict, "proved");
  assert.equal(s.line.result.within, 2);
  assert.deepEqual(s.conflicts, []);
});

test("what says more goes before what says less", () => {
  const order = [proved(2, ["a", "b", "c"]), proved(2), {...proved(2), least: null, refuted: 0}, proved(3),
    refuted(5), refuted(4), refuted(4, {repetition: "set aside"}),
    unknown(3), unknown(1, {seconds: 60}), unknown(1, {seconds: 10})];
  for (let i = 0; i < order.length; i++) for (let k = i + 1; k < order.length; k++) {
    const better = job("solve", here, order[i]), worse = job("solve", here, order[k]);
    for (const both of [all(better, worse), all(worse, better)]) assert.equal(a.shown(both, here).verdict.id, better.id, `${i}, ${k}`);
  }
});

test("the order in which jobs are told does not matter", () => {
  const next = random(7);
  for (let n = 0; n < 50; n++) {
    const result = [() => proved(1 + next(4), ["a", "b", "c"].slice(0, next(4))), () => refuted(1 + next(4)), () => unknown(next(3))];
    const jobs = Array.from({length: 8}, () => job(["solve", "certificate", "variations", "try"][next(4)], next(4) ? here : study(["a", "b"]),
      result[next(3)](), {turn: "ax"[next(2)]}));
    const shuffled = [...jobs];
    for (let i = shuffled.length; i-- > 1;) { const k = next(i + 1); [shuffled[i], shuffled[k]] = [shuffled[k], shuffled[i]]; }
    for (const at of [here, study(["a"]), study(["a", "b"])]) {
      const sorted = s => ({...s, conflicts: s.conflicts.map(c => `${c.yes.id} ${c.no.id}`).sort()});
      assert.deepEqual(sorted(a.shown(all(...jobs), at)), sorted(a.shown(all(...shuffled), at)));
    }
  }
});

test("bounds of several jobs are joined, and a shorter win replaces the solutions of a longer one", () => {
  const longer = job("solve", here, {...proved(3, ["a"]), least: null, refuted: 0, listed: "win in 3"});
  let answers = all(longer, job("solve", here, unknown(2, {repetition: "set aside"})));
  assert.deepEqual(a.shown(answers, here).bounds, {within: 3, refuted: 2, least: 3, repetition: "set aside"});
  assert.equal(a.shown(answers, here).solutions.id, longer.id);
  answers = a.told(answers, job("solve", here, {...proved(2, ["b"]), refuted: 0}));
  assert.equal(a.shown(answers, here).solutions, null);
  assert.equal(a.shown(answers, here).line.result.line[0], "b");
  assert.deepEqual(a.shown(a.none, here).bounds, {within: null, refuted: 0, least: null, repetition: undefined});
  assert.equal(a.shown(all(job("solve", here, unknown(0))), here).bounds.least, null);
});

test("the line of a win says what is left of it", () => {
  const solve = job("solve", here, proved(3, ["a", "b", "c", "d", "e"])), answers = all(solve);
  assert.deepEqual(["a", "b", "c", "d"].map((_, k) => a.shown(answers, study(["a", "b", "c", "d"].slice(0, k + 1))).derived),
    [2, 2, 1, 1].map(within => ({job: solve, winner: "gold", within})));
  assert.equal(a.shown(answers, here).derived, null);
  assert.equal(a.shown(answers, study(["a", "b", "c", "d", "e"])).derived, null); // the game is over
  assert.equal(a.shown(answers, study(["a", "x"])).derived, null);
  assert.equal(a.known(answers, here), 3);
  assert.equal(a.known(answers, study(["a", "b"])), 2);
  assert.equal(a.known(answers, study(["a"])), null); // the loser is to move
  assert.equal(a.inherited(a.shown(answers, study(["a", "b", "c"])).derived), "Gold wins in at most 1 turn, by the line of 44g.");
  // An answer of the position's own is preferred, if it proves as much.
  assert.equal(a.shown(a.told(answers, job("solve", study(["a", "b"]), proved(2, ["c"]))), study(["a", "b"])).derived, null);
  assert.equal(a.shown(a.told(answers, job("solve", study(["a", "b"]), unknown(1))), study(["a", "b"])).derived.within, 2);
});

test("a turn that wins proves the position before it", () => {
  const answers = all(job("try", here, proved(2, ["a", "b", "c"], {try: "a"}), {turn: "a"}));
  const s = a.shown(answers, here);
  assert.equal(s.verdict, null); // its sentence is about the turn
  assert.equal(s.derived.within, 2);
  assert.equal(a.known(answers, study(["a", "b"])), 1);
  assert.equal(a.shown(all(job("try", here, refuted(2, {try: "x"}), {turn: "x"})), here).derived, null);
});

test("contradictions are reported", () => {
  const win = job("solve", here, proved(2, ["a", "b", "c"]));
  const found = (...jobs) => a.shown(all(win, ...jobs), here).conflicts.map(c => [c.yes.id, c.no.id, c.certain]);
  const no = job("solve", here, refuted(2)), aside = job("solve", here, refuted(3, {repetition: "set aside"}));
  assert.deepEqual(found(no), [[win.id, no.id, true]]);
  assert.deepEqual(found(aside), [[win.id, aside.id, false]]);
  assert.deepEqual(found(job("solve", here, refuted(1)), job("solve", elsewhere, refuted(9))), []);
  assert.deepEqual(found(job("solve", here, {...proved(4, ["a"]), least: null, refuted: 1})), []); // at most 4
  const longest = job("solve", here, proved(4, ["a"])); // 4 and no less
  assert.deepEqual(found(longest), [[win.id, longest.id, true]]);
  const tried = job("try", here, refuted(2, {try: "a"})), other = job("try", here, refuted(2, {try: "x"}));
  assert.deepEqual(found(tried, other), [[win.id, tried.id, true]]);
  const later = job("solve", study(["a", "b"]), refuted(1));
  assert.deepEqual(a.shown(all(win, later), study(["a", "b"])).conflicts.map(c => [c.yes.id, c.no.id]), [[win.id, later.id]]);
  const early = job("try", here, proved(1, ["a"], {try: "a"}));
  assert.deepEqual(a.shown(all(early, no), here).conflicts.map(c => [c.yes.id, c.no.id]), [[early.id, no.id]]); // once
  assert.match(a.contradiction({yes: win, no, certain: true}), /contradict each other.*none in 2 turns\. One of them is wrong/);
  assert.match(a.contradiction({yes: win, no: aside, certain: false}), /third repetition set aside/);
});

test("what is not decided says more than what was refuted in fewer turns", () => {
  const no = job("solve", here, refuted(2)), open = job("solve", here, unknown(4));
  assert.equal(a.shown(all(no, open), here).verdict.id, open.id);
  const equal = job("solve", here, unknown(2));
  assert.equal(a.shown(all(no, equal), here).verdict.id, no.id);
});

test("the sentence of the card", () => {
  const first = (id, ...jobs) => a.foremost(a.shown(all(...jobs), here), id)?.id;
  const win = job("solve", here, proved(2, ["a", "b", "c"])), no = job("solve", here, refuted(1)), open = job("solve", here, unknown(1));
  const tried = job("try", here, refuted(2, {try: "x"}), {turn: "x"}), other = job("try", here, refuted(2, {try: "y"}), {turn: "y"});
  const certificate = job("certificate", here, refuted(1));
  assert.equal(first("", no, open), no.id);
  assert.equal(first(open.id, no, open), open.id); // it was asked for last
  assert.equal(first(certificate.id, no, certificate), certificate.id); // the later one of two that say the same
  assert.equal(first(no.id, job("solve", here, refuted(3)), no), `kqzvbm-${last}`); // what says more answers it too
  assert.equal(first(no.id, no, win), win.id);
  assert.equal(first(tried.id, win, tried), tried.id);
  assert.equal(first("", win, tried), win.id);
  assert.equal(first("", tried, other), other.id);
  assert.equal(a.foremost(a.shown(a.none, here), ""), null);
});

test("the words of an answer come from the studio", () => {
  const words = (says, error = null) => Object.values(a.worded({state: "done", error, result: error ? null : {says}}));
  assert.deepEqual(words("Proved: gold wins in 2 turns."), ["Proved", "Gold wins in 2 turns.", ""]);
  assert.deepEqual(words("Disproved: gold has no win in 2 turns (the third repetition set aside). Near tries: 1, essential ones: 1."),
    ["Disproved", "Gold has no win in 2 turns (the third repetition set aside).", "Near tries: 1, essential ones: 1."]);
  assert.deepEqual(words("Unknown: time is up while looking for a win in 5 turns. There is none in 4 turns."),
    ["Unknown", "Time is up while looking for a win in 5 turns.", "There is none in 4 turns."]);
  assert.deepEqual(words("", "no game leads to this position:\nthere is no rabbit"), ["Not answered", "No game leads to this position:\nthere is no rabbit", ""]);
});

test("an answer stays beside the board along the lines to which it has led, and nowhere else", () => {
  const about = {study: here, led: [[], ["a", "b"]], first: ""};
  for (const [turns, want] of [[[], true], [["a"], true], [["a", "b"], true], [["b"], false], [["a", "b", "c"], false], [["a", "x"], false]]) {
    assert.equal(a.covers(about, study(turns)), want, turns.join());
  }
  assert.equal(a.covers(about, elsewhere), false);
  assert.equal(a.covers(null, here), false);
  const later = {study: study(["a"]), led: [[]], first: ""};
  assert.deepEqual([here, study(["a"]), study(["a", "b"])].map(s => a.covers(later, s)), [false, true, false]);
});

test("near tries are a part, unless a shorter win was found", () => {
  const near = job("tries", here, {...refuted(3), tries: {win_in: 3, total: 1, tries: [{turn: "x"}]}});
  assert.equal(a.shown(all(near), here).near.id, near.id);
  assert.equal(a.shown(all(near), elsewhere).near, null);
  const sure = {...proved(2, ["a", "b", "c"]), tries: {win_in: 2, total: 0, tries: []}};
  assert.equal(a.shown(all(near, job("solve", here, proved(2, ["a", "b", "c"]))), here).near, null);
  assert.equal(a.shown(all(near, job("tries", here, sure)), here).near.id, `kqzvbm-${last}`);
  assert.equal(a.shown(all(job("tries", here, unknown(1))), here).near, null);
});

test("jobs that run, end, fail and are forgotten", () => {
  const running = {id: "kqzvbm-901", state: "running", request: {kind: "solve", study: here}, result: null, nodes: 1};
  let answers = all(running);
  assert.deepEqual(a.shown(answers, here).running.map(j => j.nodes), [1]);
  answers = a.brief(answers, {id: "kqzvbm-901", state: "running", nodes: 2});
  assert.deepEqual(a.shown(answers, here).running.map(j => j.nodes), [2]);
  assert.equal(a.brief(answers, {id: "kqzvbm-901", state: "running", nodes: 2}), answers);
  assert.equal(a.brief(answers, {id: "kqzvbm-902", state: "running"}), answers);
  assert.deepEqual(a.missing(answers), []);
  answers = a.brief(answers, {id: "kqzvbm-901", state: "done", says: "Proved."});
  assert.deepEqual(a.missing(answers), ["kqzvbm-901"]);
  answers = a.told(answers, {...running, state: "done", result: {...proved(2), certificate: 9}});
  assert.deepEqual(a.missing(answers), []);
  assert.deepEqual(a.brief(answers, {id: "kqzvbm-901", state: "running"}), answers);
  assert.ok(a.shown(answers, here).certificate);
  answers = a.gone(answers, "kqzvbm-901");
  assert.equal(a.shown(answers, here).certificate, null);
  assert.equal(a.shown(answers, here).verdict.result.within, 2); // it is still true
  answers = a.told(answers, {...running, id: "kqzvbm-903", state: "failed", error: "no memory"});
  assert.equal(a.shown(answers, here).failed.error, "no memory");
  answers = a.brief(a.told(answers, {...running, id: "kqzvbm-904"}), {id: "kqzvbm-904", state: "failed", says: "no memory"});
  assert.deepEqual(a.missing(answers), ["kqzvbm-904"]); // its error is still to be read
  answers = a.gone(answers, "kqzvbm-904");
  assert.deepEqual(a.missing(answers), []);
  answers = a.gone(answers, "kqzvbm-903");
  assert.equal(a.shown(answers, here).failed, null);
  assert.equal(a.gone(answers, "kqzvbm-903"), answers);
});

test("other jobs are none of its business, and a tree is a part", () => {
  assert.equal(a.told(a.none, {id: "k-1", request: {kind: "review", study: here}}), a.none);
  assert.equal(a.told(a.none, {id: "k-1", request: {kind: "check"}}), a.none);
  const tree = {id: "k-2", study: here, state: "paused", verdict: "unknown"}, answers = a.grown(a.none, tree);
  assert.equal(a.grown(answers, tree), answers); // told again, it changes nothing
  assert.equal(a.shown(answers, here).tree.id, "k-2");
  assert.equal(a.shown(answers, here).verdict, null);
  assert.equal(a.shown(a.gone(answers, "k-2"), here).tree, null);
});

test("what a tree has decided is an answer, also when the tree is dropped", () => {
  const tree = (verdict, win_in, at = here) => ({id: `k-${++last}`, study: at, state: "decided", win_in, verdict, nodes: 7});
  const says = (t, at) => a.foremost(a.shown(a.grown(a.none, t), at), "").result.says;
  assert.equal(says(tree("proved", 2), here), "Proved: gold wins in at most 2 turns, by the search as a tree.");
  assert.equal(says(tree("disproved", 1), here), "Disproved: gold has no win in 1 turn, by the search as a tree.");
  assert.equal(says(tree("disproved", 2), here),
    "Disproved: gold has no win in 2 turns (the third repetition set aside), by the search as a tree.");
  assert.equal(says(tree("disproved", 2, study(["x"])), study(["x"])), "Disproved: silver has no win in 2 turns, by the search as a tree.");
  const yes = tree("proved", 3), no = job("solve", here, refuted(4)), answers = a.told(a.grown(a.none, yes), no);
  assert.deepEqual(a.shown(answers, here).conflicts.map(c => [c.yes.id, c.no.id, c.certain]), [[yes.id, no.id, true]]);
  const left = a.shown(a.gone(a.grown(a.none, yes), yes.id), here);
  assert.deepEqual([left.tree, left.bounds.within, left.bounds.least], [null, 3, null]);
  const better = a.told(a.grown(a.none, yes), job("solve", here, proved(2, ["a", "b", "c"])));
  assert.equal(a.foremost(a.shown(better, here), "").request.kind, "solve");
});

test("studies on a line, and their labels", () => {
  const solve = job("solve", here, proved(2, ["a", "b", "c"]));
  assert.deepEqual(a.onLine(solve, 2), after(after(here, "a"), "b"));
  assert.equal(label(a.onLine(solve, 2)), "45g");
});
