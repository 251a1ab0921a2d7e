import assert from "node:assert/strict";
import {test} from "node:test";

import * as t from "../../assets/state/tree.js";
import {random} from "./random.js";

const position = "g [" + " ".repeat(63) + "R]";

// A game from lines of turns, each from the first position: "a b c" is a line.
const game = (...lines) => lines.reduce((g, line) => t.along(g, line.split(" ")).game, t.begin({position}));

// A game as text: each turn, its sign and comment, and what follows it in brackets.
function text(g, i = 0) {
  const {turn, sign, comment} = g.nodes[i];
  return turn + sign + (comment && `{${comment}}`) + t.children(g)[i].map(k => `(${text(g, k)})`).join("");
}

const node = (g, line) => {
  const {node, looked} = t.locate(g, line.split(" "));
  assert.deepEqual(looked, []);
  return node;
};

const lines = g => g.nodes.map((_, i) => t.turns(g, i).join(" "));

// A random game with this many turns, each added somewhere.
function grown(next, size) {
  let g = t.begin({position});
  while (g.nodes.length < size) {
    const from = next(2) ? g.nodes.length - 1 : next(g.nodes.length);
    g = t.along(g, Array.from({length: 1 + next(3)}, () => "abc"[next(3)]), from).game;
    if (!next(4)) g = t.annotate(g, next(g.nodes.length), {comment: "c" + next(9)}).game;
  }
  return g;
}

// What holds of every tree.
function wellFormed(g) {
  assert.equal(g.nodes[0].parent, -1);
  g.nodes.forEach((n, i) => i && assert.ok(n.parent >= 0 && n.parent < i, `node ${i}`));
  assert.equal(new Set(lines(g)).size, g.nodes.length, "a line is there twice");
}

test("turns begin variations where the game continues otherwise", () => {
  assert.equal(text(game("a b c", "a d", "a b e")), "(a(b(c)(e))(d))");
  const g = game("a b");
  assert.equal(t.add(g, 1, "b").game, g);
  assert.deepEqual(t.add(g, 1, "x"), {game: {...g, nodes: [...g.nodes, {parent: 1, turn: "x", sign: "", comment: ""}]}, node: 3});
});

test("what is looked at is not added", () => {
  const g = game("a b c");
  assert.deepEqual(t.locate(g, ["a", "b"]), {node: 2, looked: []});
  assert.deepEqual(t.locate(g, ["a", "x", "y"]), {node: 1, looked: ["x", "y"]});
  assert.deepEqual(t.studyAt(g, 1, ["x", "y"]).turns, ["a", "x", "y"]);
  assert.equal(text(g), "(a(b(c)))");
});

test("promoted, cut, folded", () => {
  const g = game("a b c", "a d e", "f");
  const up = t.promote(g, node(g, "a d"));
  assert.equal(text(up.game), "(a(d(e))(b(c)))(f)");
  assert.deepEqual(t.turns(up.game, up.node), ["a", "d"]);
  assert.ok(t.isMain(up.game, up.node) && !t.isMain(g, node(g, "a d")));
  const down = t.cut(g, node(g, "a b"));
  assert.equal(text(down.game), "(a(d(e)))(f)");
  assert.deepEqual(t.turns(down.game, down.node), ["a"]);
  assert.equal(t.size(g, node(g, "a")), 5);
  const folded = t.fold(g, node(g, "a d"), true);
  assert.ok(folded.nodes[node(g, "a b")].folded);
  assert.ok(!t.reveal(folded, node(g, "a d e")).nodes[node(g, "a b")].folded);
  assert.equal(t.reveal(folded, node(g, "a b c")), folded); // nothing hides it
});

test("keys walk", () => {
  const g = game("a b c", "a d e", "a f");
  const from = (line, key) => {
    const to = t.walk(g, node(g, line), key);
    return to === undefined ? to : t.turns(g, to).join(" ");
  };
  assert.equal(from("a d", "ArrowLeft"), "a");
  assert.equal(from("a d", "ArrowRight"), "a d e");
  assert.equal(from("a d", "ArrowUp"), "a b");
  assert.equal(from("a d", "ArrowDown"), "a f");
  assert.equal(from("a f", "ArrowDown"), undefined);
  assert.equal(from("a b", "ArrowUp"), undefined);
  assert.equal(from("a d", "Home"), "");
  assert.equal(from("a", "End"), "a b c");
  assert.equal(t.walk(g, 0, "ArrowLeft"), undefined);
  assert.equal(t.walk(g, 0, "ArrowUp"), undefined);
  assert.equal(t.walk(g, 0, "x"), undefined);
});

test("rows of gold and silver, comments, and variations between them", () => {
  let g = game("a b c d", "a x y", "a b c z");
  g = t.annotate(g, node(g, "a"), {comment: "first"}).game;
  g = t.annotate(g, 0, {comment: "head"}).game;
  const name = i => g.nodes[i]?.turn || "-";
  const about = r => r.kind === "turns" ? `${r.number} ${name(r.gold)} ${name(r.silver)}` : r.text || `${r.count} for ${r.label} ${name(r.node)}`;
  const shown = t.rows(g).map(r => `${r.depth} ${r.kind} ${about(r)}`);
  assert.equal(new Set(t.rows(g).map(r => r.key)).size, shown.length);
  assert.deepEqual(shown, ["0 comment head", "0 turns 2 a -", "0 comment first", "0 turns 2 - b", "0 variations 1 for 2s b",
    "1 turns 2 - x", "1 turns 3 y -", "0 turns 3 c d", "0 variations 1 for 3s d", "1 turns 3 - z"]);
  g = t.fold(g, node(g, "a x"), true);
  assert.equal(t.rows(g).filter(r => r.depth).length, 1);
  const silver = t.along(t.begin({position: "s" + position.slice(1), number: 7}), ["a", "b"]).game;
  assert.deepEqual(t.rows(silver).map(r => [r.number, r.gold, r.silver]), [[7, null, 1], [8, 2, null]]);
  const signed = t.annotate(game("a b"), 2, {sign: "?"}).game;
  assert.deepEqual(t.rows(signed), [{kind: "turns", key: "t1", number: 2, depth: 0, gold: 1, goldTurn: "a", goldSign: "", silver: 2, silverTurn: "b",
    silverSign: "?"}]);
});

test("the rows show every turn of a random game once", () => {
  const next = random(1);
  for (let k = 0; k < 50; k++) {
    const g = grown(next, 60);
    const seen = t.rows(g).flatMap(r => r.kind === "turns" ? [r.gold, r.silver].filter(i => i !== null) : []);
    assert.deepEqual(seen.toSorted((a, b) => a - b), g.nodes.map((_, i) => i).slice(1));
    assert.equal(new Set(t.rows(g).map(r => r.key)).size, t.rows(g).length);
    assert.equal(t.rows(g).filter(r => r.kind === "comment").length, g.nodes.filter(n => n.comment).length);
  }
});

test("places lead back to their nodes", () => {
  const g = game("a b c", "a d e f", "a g h");
  assert.equal(t.place(g, 0), "0");
  assert.equal(t.place(g, node(g, "a b c")), "3");
  assert.equal(t.place(g, node(g, "a d")), "1-1-0");
  assert.equal(t.place(g, node(g, "a d e f")), "1-1-2");
  assert.equal(t.place(g, node(g, "a g h")), "1-2-1");
  const next = random(2);
  for (let k = 0; k < 30; k++) {
    const g = grown(next, 40);
    g.nodes.forEach((_, i) => assert.equal(t.nodeAt(g, t.place(g, i)), i));
  }
  assert.equal(t.nodeAt(g, "99"), node(g, "a b c"));
  assert.equal(t.nodeAt(g, "1-9-1"), node(g, "a"));
  for (const odd of ["x", "", "-1", "1.5-e", "1--5"]) assert.ok(t.nodeAt(g, odd) < g.nodes.length);
});

test("edits keep parents before children and all other lines, and change no game", () => {
  const next = random(3);
  for (let k = 0; k < 60; k++) {
    let g = grown(next, 30);
    for (let step = 0; step < 12; step++) {
      const at = next(g.nodes.length), before = new Set(lines(g)), line = t.turns(g, at), frozen = JSON.stringify(g);
      const edit = ["promote", "cut", "add", "write"][at ? next(4) : 2 + next(2)];
      const result = {promote: () => t.promote(g, at), cut: () => t.cut(g, at), add: () => t.add(g, at, "n" + step),
        write: () => t.write(g, at, "w" + step)}[edit]();
      wellFormed(result.game);
      const now = new Set(lines(result.game));
      switch (edit) {
        case "promote":
          assert.deepEqual(now, before);
          assert.ok(t.isMain(result.game, result.node));
          assert.deepEqual(t.turns(result.game, result.node), line);
          break;
        case "cut":
          assert.deepEqual([...now].sort(), [...before].filter(l => l !== line.join(" ") && !l.startsWith(line.join(" ") + " ")).sort());
          assert.deepEqual(t.turns(result.game, result.node), line.slice(0, -1));
          break;
        case "add":
          assert.equal(now.size, before.size + 1);
          assert.deepEqual(t.turns(result.game, result.node), [...line, "n" + step]);
      }
      assert.equal(JSON.stringify(g), frozen);
      g = result.game;
    }
  }
});

test("folds are taken over, and make no other game", () => {
  const g = game("a b", "a c", "d"), folded = t.fold(t.fold(g, node(g, "a c"), true), node(g, "d"), true);
  assert.ok(t.equal(g, folded) && !t.equal(g, t.annotate(g, 1, {sign: "!"}).game));
  const other = t.foldedAs(game("a c", "a b", "e"), folded);
  assert.deepEqual(other.nodes.filter(n => n.folded).map(n => n.turn), ["a", "c"]);
});

// A review of a line; notes are [turn, sign, remark, side that is proved to win, lines that are better].
function review(line, notes) {
  const blank = {sign: "", remark: "", proved: "", others: [], better: -1};
  const positions = [...line, ""].map((played, i) => ({...blank, played, side: i % 2 ? "silver" : "gold"}));
  for (const [i, sign, remark, proved, ...others] of notes) {
    Object.assign(positions[i], {sign, remark, proved, others: others.map(o => ({line: o, worth: "wins in 2"})), better: others.length ? 0 : -1});
  }
  return {study: t.studyAt(game(line.join(" ")), line.length), headline: "3 turns, 1 mistake.", positions};
}

test("a review is taken at mistakes only, with one line, folded", () => {
  const found = review(["a", "b", "c", "d", "e"], [[0, "?!", "doubtful: gold 60% -> 54%", "", ["o", "p"]],
    [1, "", "perhaps misses the win in 3", "", ["m"]],
    [2, "??", "THROWS AWAY the win in 2", "gold", ["x", "y", "z"], ["v"]], [3, "", "keeps the win", "silver", ["q"]],
    [4, "?!", "misses the win in 2, still wins in 3", "gold", ["w"]]]);
  const mine = t.write(game("a b c d e"), 3, "mine").game, merged = t.merge(mine, found);
  assert.equal(text(merged), "{3 turns, 1 mistake.}(a(b(c??{mine THROWS AWAY the win in 2}" +
    "(d(e?!{misses the win in 2, still wins in 3})(w{wins in 2})))(x{wins in 2}(y(z)))))");
  wellFormed(merged);
  assert.deepEqual(merged.nodes.filter(n => n.folded).map(n => n.turn), ["c", "e"]);
  assert.equal(text(t.merge(merged, found)), text(merged)); // taken twice
  // Signs that a person set stay, and variations that were open stay open.
  let own = t.annotate(game("a b c d e", "a b k"), 3, {sign: "!"}).game;
  own = t.merge(own, found);
  assert.equal(own.nodes[3].sign, "!");
  assert.ok(!own.nodes[3].folded);
});

test("a review of another game is not taken", () => {
  const found = review(["a", "b"], []);
  assert.equal(t.merge(game("a c"), found), null);
  assert.equal(t.merge({...game("a b"), number: 3}, found), null);
  assert.equal(t.merge({...game("a b"), position: "s" + position.slice(1)}, found), null);
  assert.ok(t.merge(game("c", "a b"), found)); // as a variation
});

test("a game of 20,000 turns is edited, listed and merged", () => {
  const line = Array.from({length: 19_000}, (_, i) => "t" + i);
  let g = t.along(t.begin({position}), line).game;
  for (let i = 0; i < 100; i++) g = t.add(g, 180 * i, "v").game;
  g = t.annotate(g, 10_000, {comment: "x"}).game;
  assert.equal(t.rows(g).filter(r => r.kind === "variations").length, 100);
  const up = t.promote(g, t.locate(g, [...line.slice(0, 17_820), "v"]).node);
  assert.equal(t.cut(up.game, 1).game.nodes.length, 2); // the first variation
  assert.equal(t.nodeAt(g, "19000"), t.endOf(g, 0));
});

test("the studio gets what is its own", () => {
  const g = t.fold(game("a", "b"), 1, true);
  assert.deepEqual(t.wire(g).nodes[1], {parent: 0, turn: "a", sign: "", comment: ""});
});

test("a game holds another one if it has all of its turns, signs and comments", () => {
  const small = t.annotate(t.along(t.begin({position: "g"}), ["a", "b"]).game, 2, {comment: "good"}).game;
  const larger = t.annotate(t.add(small, 1, "c").game, 2, {comment: "good, and more", sign: "!"}).game;
  assert.ok(t.holds(larger, small) && t.holds(small, small));
  assert.ok(!t.holds(small, larger) && !t.holds({...larger, number: 5}, small));
  assert.ok(!t.holds(t.annotate(larger, 2, {comment: "bad"}).game, small));
});
