import assert from "node:assert/strict";
import {test} from "node:test";

import {ending, none, progress, reduce, tray} from "../../assets/state/jobs.js";

const job = (n, state, more) => ({id: `kqzvbm-${n}`, kind: "solve", state, says: "", seconds: 0, nodes: 0, done: 0, total: 0, ...more});
const told = (events, state = none) => events.reduce((s, [event, data]) => reduce(s, event, data), state);
const studio = ["studio", {studio: "kqzvbm", version: "1"}], ready = ["ready", {}];

test("the stream becomes lists of the tray", () => {
  const s = told([studio, ["job", job(2, "running")], ["job", job(10, "waiting")], ["tree", {id: "kqzvbm-3"}], ready,
    ["job", job(11, "running")], ["job", job(2, "done")], ["job", job(9, "failed")], ["file", {kind: "games"}]]);
  assert.ok(s.ready);
  const ids = list => list.map(j => j.id);
  assert.deepEqual(ids(tray(s).running), ["kqzvbm-11"]);
  assert.deepEqual(ids(tray(s).waiting), ["kqzvbm-10"]);
  assert.deepEqual(ids(tray(s).ended), ["kqzvbm-9", "kqzvbm-2"]);
  assert.deepEqual(Object.keys(s.trees), ["kqzvbm-3"]);
  const gone = told([["gone", {id: "kqzvbm-9"}], ["gone", {id: "kqzvbm-3"}]], s);
  assert.deepEqual(ids(tray(gone).ended), ["kqzvbm-2"]);
  assert.deepEqual(gone.trees, {});
});

test("the same studio again tells what is left; another one begins anew", () => {
  const s = told([studio, ["job", job(1, "done")], ["job", job(2, "done")], ready]);
  const again = told([studio, ["job", job(2, "done")]], s);
  assert.equal(Object.keys(again.jobs).length, 2); // the list does not blink
  assert.deepEqual(Object.keys(told([ready], again).jobs), ["kqzvbm-2"]);
  assert.deepEqual(told([["studio", {studio: "abcdef"}]], s).jobs, {});
});

test("progress says what its fields say", () => {
  const running = more => progress(job(1, "running", {seconds: 1.25, ...more}));
  for (const [got, want] of [
    [progress(job(1, "waiting")), "Waiting for other jobs."],
    [progress(job(1, "waiting", {waits_for: "memory: verify (kqzvbm-3) has it"})), "Waiting for memory: verify (kqzvbm-3) has it."],
    [running({nodes: 1}), "1 node, 1.3 s"],
    [running({nodes: 2000, trying: 3, seconds: .01}), "Is there a win in 3? 2,000 nodes, under 0.1 s"],
    [running({refuted: 1, repetition: "set aside"}), "0 nodes, 1.3 s. Known: no win in 1"],
    [running({refuted: 2, repetition: "set aside"}), "0 nodes, 1.3 s. Known: no win in 2 (the third repetition set aside)"],
    [running({refuted: 2, repetition: "counted", within: 4, first: "Ee2n"}), "0 nodes, 1.3 s. Known: no win in 2; wins in at most 4, with Ee2n"],
    [running({within: 2, line: ["a", "b"], labels: ["2g", "2s"], first: "a"}), "0 nodes, 1.3 s. Known: wins in at most 2, with 2g a 2s b"],
    [running({total: 2000, done: 1000}), "Checking: 1,000 of 2,000, 1.3 s"],
    [running({kind: "verify", total: 1, done: 0}), "0 of 1 puzzle, 1.3 s"],
    [running({kind: "verify"}), "Reading the puzzles, 1.3 s"],
    [running({kind: "mine"}), "Reading the games, 1.3 s"],
    [running({kind: "mine", mined: {positions: 1, games: 2, puzzles: 0}}), "1 position of 2 games: 0 puzzles so far, 1.3 s"],
    [running({kind: "review", total: 40, done: 3}), "Reviewing: 3 of 40 positions, 1.3 s"],
    [running({kind: "review"}), "Reviewing, 1.3 s"],
    [running({kind: undefined, request: {kind: "play"}}), "The engine is thinking, 1.3 s"],
    [running({kind: "compose", total: 1000, done: 20}), "20 of 1,000 tried, 1.3 s"],
    [running({kind: "compose", done: 1}), "1 position judged, 1.3 s"],
    [running({kind: "game"}), "The game is being played, 1.3 s"],
    [progress(job(1, "done", {nodes: 5, seconds: 2, result: {kept: true}})), "5 nodes, 2.0 s; kept in the workspace"],
    [progress(job(1, "failed")), "under 0.1 s"],
  ]) assert.equal(got, want);
});

test("how a job ended", () => {
  assert.equal(ending(job(1, "running", {says: ""})), "");
  assert.equal(ending(job(1, "done", {says: "Proved."})), "Proved.");
  assert.equal(ending(job(1, "done", {result: {says: "Proved."}})), "Proved.");
  assert.equal(ending(job(1, "failed", {error: "no memory"})), "no memory");
  assert.equal(ending(job(1, "stopped")), "Stopped.");
  assert.equal(ending(job(1, "done")), "");
});
