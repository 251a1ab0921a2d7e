import assert from "node:assert/strict";
import {test} from "node:test";

import * as r from "../../assets/state/review.js";
import * as tree from "../../assets/state/tree.js";

const position = "g [" + " ".repeat(63) + "R]";
const game = tree.along(tree.begin({position}), ["a", "b", "c"]).game;
const study = tree.studyAt(game, 3);

test("signs of a review stand in the list where a person has set none", () => {
  const mine = tree.annotate(tree.add(game, 1, "x").game, 2, {sign: "!"}).game;
  const positions = [{sign: "?"}, {sign: "??"}, {sign: ""}, {sign: ""}], before = tree.rows(mine), rows = r.marked(before, [0, 1, 2, 3], positions);
  const signs = all => all.filter(row => row.kind === "turns").map(row => row.goldSign + "/" + row.silverSign);
  assert.deepEqual(signs(rows), ["?/!", "/", "/"]);
  assert.deepEqual(signs(before), ["/!", "/", "/"]);
  assert.equal(rows.at(-1), before.at(-1));
});

test("mistakes: a doubtful turn is one where it delays a proved win", () => {
  const of = (sign, proved = "") => r.isMistake({sign, side: "gold", proved});
  assert.deepEqual([of("?"), of("??"), of("?!"), of("?!", "gold"), of("?!", "silver"), of("")], [true, true, false, true, false, false]);
});

test("moments: those that lost something are red", () => {
  const found = [{position: 3, label: "3s", sign: "?", says: "misses the win in 2"}, {position: 4, label: "4g", sign: "", says: "wins"}];
  assert.deepEqual(r.moments(found), [{at: 3, tone: "lost", text: "misses the win in 2"}, {at: 4, tone: "", text: "wins"}]);
});

test("a chance belongs to a position of the line alone", () => {
  const review = {study, positions: [{chance: 0.5}, {chance: 1}, {chance: null}, {chance: 0}]};
  const at = (...turns) => r.chanceAt(review, {...study, turns});
  assert.deepEqual([at(), at("a"), at("a", "b"), at("a", "b", "c")], [0, 1, null, -1]);
  assert.deepEqual([at("b"), at("a", "x"), at("a", "b", "c", "d")], [null, null, null]);
  assert.equal(r.chanceAt(review, {...study, turns: [], steps: "Ra1n"}), null);
  assert.equal(r.chanceAt(review, {...study, position: "s" + position.slice(1), turns: []}), null);
});

test("the remark is about the turn that was played last, or else about the one that is meant", () => {
  assert.equal(r.turnAt(3, false, -1), 2);
  assert.equal(r.turnAt(3, false, 3), 3);
  assert.equal(r.turnAt(3, true, -1), 3);
});

test("a judgement says no more than was proved", () => {
  const won = {side: "gold", proved: "gold", within: 2}, open = {side: "gold", proved: "", within: 0};
  const lost = {side: "gold", proved: "silver", within: 2};
  const of = (verdict, before) => r.judged({result: {verdict, within: 2, refuted: 3}}, before);
  assert.deepEqual(of("proved", won), {tone: "won", badge: "Keeps the win in 2"});
  assert.equal(of("proved", open).badge, "Wins in 2");
  assert.deepEqual(of("disproved", won), {tone: "lost", badge: "Misses the win in 2"});
  assert.deepEqual(of("disproved", lost), {tone: "open", badge: "No win in 3"});
  assert.equal(of("unknown", won).badge, "Not decided");
  assert.equal(r.judged({result: null, error: "the memory is short"}, won).badge, "Not judged");
});

test("reviews that the studio has lost stay behind those that it has, and go when they are made again", () => {
  const other = {...study, number: 3};
  let all = [8, 9].reduce((all, n) => r.remembered(all, `old-${n}`, n === 8 ? study : other), []);
  const lost = r.forgotten(all, id => id.startsWith("old-"));
  assert.deepEqual(lost.map(one => one.gone), [true, true]);
  assert.equal(r.forgotten(lost, id => id.startsWith("old-")), lost);
  all = r.remembered(lost, "new-1", study);
  assert.deepEqual(all.map(one => one.id), ["new-1", "old-9"]);
  for (let n = 2; n < 12; n++) all = r.remembered(all, `new-${n}`, study);
  assert.deepEqual([all.length, all[0].id], [8, "new-11"]);
});
