import assert from "node:assert/strict";
import {test} from "node:test";

import * as d from "../../assets/state/desk.js";
import {unsaved} from "../../assets/state/documents.js";
import {after} from "../../assets/state/study.js";
import * as tree from "../../assets/state/tree.js";
import {random} from "./random.js";

const {opening} = d;
const other = n => ({...opening, position: "s [" + " ".repeat(62) + "Rr"[n % 2] + "]", number: 2 + (n >> 1)}); // positions that differ

// The study with turns, and steps.
const at = (line, steps = "", from = opening) => ({...from, turns: line ? line.split(" ") : [], steps});

const game = (desk, id = desk.present) => d.byId(desk, id);
const lines = g => tree.rows(g).filter(r => r.kind === "turns").map(r => r.goldTurn + r.silverTurn).join(" ");
const comments = g => g.nodes.map(n => n.comment).join("|");

// The desk where a person plays turns, one after the other.
const play = (desk, ...turns) => turns.reduce((desk, turn) => d.took(desk, after(desk.study, turn), "turn"), desk);
const look = (desk, line) => d.took(desk, at(line), "look");

// The desk where a person types a comment on what is shown.
const type = (desk, comment) => {
  const {game, node} = d.adopted(desk);
  return d.edited(desk, tree.annotate(game, node, {comment}), "comment " + node);
};
const saved = (desk, name, id = desk.present) =>
  d.happened(d.happened(desk, id, {type: "sending"}), id, {type: "saved", name, version: name + Math.random()});

test("turns that are played are part of the game, those that are looked at are not", () => {
  let desk = play(d.begin(), "a", "b");
  desk = look(desk, "a x");
  assert.equal(lines(game(desk)), "ab");
  assert.deepEqual(d.here(desk), {node: 1, looked: ["x"]});
  desk = play(desk, "y"); // what was looked at leads to it
  assert.deepEqual(d.wholeLine(desk).turns, ["a", "x", "y"]);
  assert.deepEqual(d.wholeLine(look(desk, "a")).turns, ["a", "b"]);
  assert.equal(unsaved(game(desk).doc), true);
});

test("undo does not undo looking", () => {
  let desk = play(d.begin(), "a", "b");
  desk = look(look(desk, ""), "a");
  const undone = d.undo(desk);
  assert.equal(lines(game(undone)), "a");
  assert.deepEqual(undone.study, at("a"));
  assert.deepEqual(d.redo(undone).study, at("a")); // where undo was pressed
  assert.equal(lines(game(d.redo(undone))), "ab");
  assert.equal(d.redo(desk), desk);
  assert.equal(d.undo(d.begin()).past.length, 0);
});

test("steps are undone one by one", () => {
  let desk = d.took(d.begin(), at("", "s1"), "step");
  desk = d.took(desk, at("", "s1 s2"), "step");
  desk = d.took(desk, at("t"), "turn");
  desk = d.undo(desk);
  assert.deepEqual(desk.study, at("", "s1 s2"));
  assert.equal(lines(game(desk)), "");
  assert.deepEqual(d.undo(desk).study, at("", "s1"));
});

test("a comment that is typed is one edit, until something else is done", () => {
  let desk = play(d.begin(), "a", "b");
  for (const text of ["g", "go", "good"]) desk = type(desk, text);
  assert.equal(comments(game(desk)), "||good");
  assert.equal(comments(game(d.undo(desk))), "||");
  desk = type(look(look(desk, "a"), "a b"), "good!"); // looking is something else
  assert.equal(comments(game(d.undo(desk))), "||good");
  desk = type(look(desk, "a"), "x");
  assert.equal(comments(game(d.undo(d.undo(d.undo(desk))))), "||");
});

test("a comment on what is only looked at adopts it; steps under way stay", () => {
  let desk = type(look(play(d.begin(), "a"), "x y"), "why");
  assert.deepEqual(d.here(desk).looked, []);
  assert.equal(comments(game(desk)), "|||why");
  assert.equal(lines(game(d.undo(desk))), "a");
  desk = d.took(desk, at("x y", "s1"), "step");
  assert.equal(type(desk, "why?").study.steps, "s1");
});

test("an edit that is no other game is none", () => {
  const desk = play(d.begin(), "a");
  assert.equal(d.edited(desk, tree.add(game(desk), 0, "a")), desk);
});

test("undo leads back into the game that was edited", () => {
  let desk = play(d.begin(), "a");
  const first = desk.present;
  desk = d.opened(desk, tree.along(tree.begin(other(1)), ["p"]).game);
  desk = play(desk, "q");
  const second = desk.present;
  desk = d.undo(d.undo(desk));
  assert.equal(desk.present, first);
  assert.equal(lines(game(desk)), "a");
  assert.equal(lines(game(desk, second)), "p");
  desk = d.undo(desk);
  assert.equal(lines(game(desk)), "");
  desk = d.redo(d.redo(d.redo(desk)));
  assert.equal(desk.present, second);
  assert.equal(game(desk).nodes.length, 3);
  assert.equal(lines(game(desk, first)), "a");
});

test("undo keeps the file of a game, and saves what it changes", () => {
  let desk = saved(type(play(d.begin(), "a"), "x"), "mine");
  assert.equal(unsaved(game(desk).doc), false);
  desk = d.undo(desk);
  assert.equal(game(desk).doc.name, "mine");
  assert.equal(game(desk).doc.state, "dirty");
});

test("folding is no edit, and undo of something else does not save or lose it", () => {
  let desk = play(look(play(d.begin(), "a", "b"), "a"), "c");
  desk = saved(desk, "mine");
  desk = d.folded(look(desk, "a b"), 2);
  assert.ok(game(desk).nodes[2].folded);
  assert.equal(unsaved(game(desk).doc), false);
  desk = d.undo(d.took(desk, at("a b", "s1"), "step"));
  assert.ok(game(desk).nodes[2].folded);
  assert.equal(unsaved(game(desk).doc), false);
  desk = look(desk, "a c"); // what is hidden is shown
  assert.ok(!game(desk).nodes[2].folded);
});

test("what is looked at is not folded when it becomes part of the game", () => {
  let desk = look(play(d.begin(), "a"), "x");
  const {game: next} = tree.along(game(desk), ["x"]);
  desk = d.edited(desk, {game: tree.fold(next, 1, true)});
  assert.deepEqual(desk.study, at("x"));
  assert.ok(!game(desk).nodes[1].folded);
});

test("what undo shows is not folded", () => {
  let desk = play(look(play(d.begin(), "a", "b"), "a"), "c"); // at the variation
  desk = type(desk, "x");
  desk = d.folded(look(desk, "a b"), 2);
  desk = d.undo(desk);
  assert.deepEqual(desk.study, at("a c"));
  assert.ok(!game(desk).nodes[2].folded);
});

test("setting up positions leaves no games behind, and each edit is undone", () => {
  let desk = d.begin();
  for (let n = 0; n < 30; n++) desk = d.took(desk, other(n), "edit");
  assert.equal(desk.games.length, 1);
  for (let n = 28; n >= 0; n--) {
    desk = d.undo(desk);
    assert.equal(desk.study.position + desk.study.number, other(n).position + other(n).number);
    assert.ok(desk.games.length <= 12);
  }
  assert.deepEqual(d.undo(desk).study, opening);
  // A game with turns stays.
  desk = d.took(play(d.begin(), "a"), other(0), "edit");
  assert.equal(desk.games.length, 2);
});

test("a window keeps twelve games: those go first that nothing is lost of", () => {
  let desk = type(d.begin(), "mine");
  const first = desk.present;
  for (let n = 0; n < 11; n++) desk = d.opened(desk, tree.begin(other(n)));
  assert.equal(desk.games.length, 12);
  desk = d.opened(desk, tree.begin(other(11)));
  assert.equal(desk.games.length, 12);
  assert.ok(game(desk, first) && !game(desk, first + 1));
  // Undo does not bring a file back as it was.
  desk = saved(desk, "mine", first);
  for (let n = 12; n < 30; n++) desk = d.opened(desk, tree.begin(other(n)));
  assert.equal(game(desk, first), undefined);
  for (; desk.past.length; desk = d.undo(desk)) assert.equal(game(desk, first), undefined);
});

test("looking at another position shows its game, or begins one", () => {
  let desk = play(d.begin(), "a");
  const first = desk.present;
  desk = d.took(desk, other(1), "look");
  assert.notEqual(desk.present, first);
  desk = d.took(desk, at("a b"), "look");
  assert.equal(desk.present, first);
  assert.deepEqual(d.here(desk), {node: 1, looked: ["b"]});
  // Of two games of the same position the present one is meant.
  desk = d.opened(desk, tree.begin(opening));
  const second = desk.present;
  assert.equal(look(desk, "a").present, second);
  assert.equal(d.turnedTo(desk, first, 1).present, first);
  assert.deepEqual(d.turnedTo(desk, first, 1).study, at("a"));
});

test("a file that others wrote is taken: the board stays, folds stay, and undo does not take it away", () => {
  let desk = saved(type(play(look(play(d.begin(), "a", "b"), "a"), "c"), "mine"), "f");
  desk = d.folded(look(desk, "a"), 2);
  const id = desk.present, theirs = tree.annotate(tree.along(game(desk), ["a", "b", "e"]).game, 1, {comment: "theirs"}).game;
  const {position, number, tags} = game(desk), nodes = tree.wire(theirs).nodes;
  desk = d.happened(desk, id, {type: "loaded", version: "v9"}, {position, number, tags, nodes});
  assert.equal(game(desk).doc.version, "v9");
  assert.deepEqual(desk.study, at("a"));
  assert.ok(game(desk).nodes[2].folded);
  assert.equal(d.undo(desk), desk);
  const moved = d.happened(desk, id, {type: "loaded", version: "v10"}, {...tree.begin(other(3)), tags: {}});
  assert.equal(moved.study.position, other(3).position);
});

test("the line of a match becomes the main line of its game", () => {
  let desk = play(look(play(d.begin(), "a", "b"), ""), "x");
  const id = desk.present;
  desk = d.mainLine(desk, id, at("x y"));
  assert.deepEqual(tree.turns(game(desk), tree.endOf(game(desk), 0)), ["x", "y"]);
  assert.equal(d.mainLine(desk, 99, at("x")), desk);
});

test("a game whose file was deleted stays, without a file", () => {
  const desk = d.unfiled(saved(type(d.begin(), "x"), "mine"), "mine");
  assert.equal(game(desk).doc.name, "");
  assert.equal(comments(game(desk)), "x");
});

test("what a window keeps while it is loaded again", () => {
  let desk = d.begin();
  for (const turn of "abcdefgh") desk = play(desk, turn);
  const again = d.again(JSON.parse(JSON.stringify(d.light(desk))));
  assert.deepEqual(again.study, desk.study);
  assert.equal(d.undo(again).study.turns.length, 7);
  assert.equal(again.past.length, 5);
  const large = d.opened(desk, tree.along(tree.begin(other(1)), Array.from({length: 12_000}, (_, i) => "t" + i)).game);
  assert.equal(d.light(play(large, "a", "b")).past.length, 1);
  for (const odd of [undefined, null, {}, {games: []}, {games: [{id: 1}], present: 2}]) assert.equal(d.again(odd).games.length, 1);
});

test("whatever is done, undo leads back step by step, and redo forth", () => {
  const next = random(7);
  for (let k = 0; k < 60; k++) {
    let desk = d.begin();
    const states = [];
    const tell = desk => JSON.stringify([tree.wire({tags: {}, ...game(desk)}), desk.study]);
    for (let i = 0; i < 25; i++) {
      const before = tell(desk), points = desk.past.length;
      switch (next(6)) {
        case 0: case 1: desk = play(desk, "abc"[next(3)]); break;
        case 2: desk = d.took(desk, {...tree.studyAt(game(desk), next(game(desk).nodes.length), next(2) ? ["z"] : [])}, "look"); break;
        case 3: desk = type(desk, "c" + i); break;
        case 4: desk = next(3) ? desk : d.opened(desk, tree.along(tree.begin(other(next(3))), ["q"]).game); break;
        case 5: {
          const {node, looked} = d.here(desk);
          if (node && !looked.length) desk = d.edited(desk, next(2) ? tree.promote(game(desk), node) : tree.cut(game(desk), node));
        }
      }
      if (desk.past.length > points) states.push(before);
      assert.ok(desk.games.length <= 12 && game(desk));
    }
    const end = tell(desk), count = desk.past.length;
    assert.equal(count, states.length);
    for (const state of states.toReversed()) assert.equal(tell(desk = d.undo(desk)), state);
    for (let i = 0; i < count; i++) desk = d.redo(desk);
    assert.equal(tell(desk), end);
  }
});
