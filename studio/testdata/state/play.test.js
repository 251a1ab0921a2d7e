import assert from "node:assert/strict";
import {test} from "node:test";

import * as p from "../../assets/state/play.js";
import {after} from "../../assets/state/study.js";

const opening = {position: "g [" + " ".repeat(63) + "R]", number: 2};
const match = (side, ...turns) => p.begin({side, seconds: 5, study: turns.reduce(after, opening), over: null});

test("whose turn it is", () => {
  assert.equal(p.whose(match("gold")), "you");
  assert.equal(p.whose(match("gold", "a")), "engine");
  assert.equal(p.whose(match("silver")), "engine");
  assert.equal(p.whose(p.reached(match("gold"), after(opening, "a"), "gold wins by goal")), "");
});

test("which turns are the game's", () => {
  const m = match("gold", "a", "b");
  assert.equal(p.ended(m, {...m.study, steps: "Ee2n"}, true), "turn");
  assert.equal(p.ended(m, m.study, false), "aside"); // in another mode
  assert.equal(p.ended(m, opening, true), "aside");
  assert.equal(p.ended(match("gold", "a"), after(opening, "a"), true), "engine");
  assert.equal(p.ended(p.resigned(m), m.study, true), "over");
  assert.equal(p.ended(p.resigned(m), opening, true), "over");
  assert.equal(p.ended(p.resigned(m), opening, false), "aside");
  assert.ok(p.onBoard(m, {...m.study, steps: "Ee2n"}) && !p.onBoard(m, opening));
});

test("taking back", () => {
  assert.equal(p.takenBack(match("gold")), null);
  assert.equal(p.takenBack(match("silver", "a")), null); // the engine began
  assert.deepEqual(p.takenBack(match("gold", "a")).turns, []); // while the engine thinks
  assert.deepEqual(p.takenBack(match("gold", "a", "b", "c", "d")).turns, ["a", "b"]);
  const m = match("gold", "a", "b");
  assert.deepEqual(p.takenBack(p.resigned(m)), m.study); // a resignation
  const back = p.reached(p.resigned(m), p.takenBack(p.resigned(m)), null);
  assert.deepEqual([back.end, back.resigned], ["", false]);
});

test("resigning", () => {
  const m = {...match("gold", "a", "b"), job: "kqzvbm-1"};
  assert.equal(p.question(m), "Resign this game? Silver then wins.");
  assert.equal(p.resigned(m).end, "You resign after 2 turns: silver wins.");
  assert.equal(p.resigned(match("silver", "a")).end, "You resign after 1 turn: gold wins.");
  assert.equal(p.resigned(m).job, null);
});

test("how the game stands", () => {
  assert.equal(p.words(match("gold")), "You play gold. Play your turn on the board, and end it.");
  assert.equal(p.words(match("silver")), "The engine is to move.");
  assert.equal(p.words({...match("silver"), job: "kqzvbm-1"}), "The engine is thinking.");
  assert.equal(p.words(p.reached(match("gold"), opening, "gold wins by goal")), "The game is over: gold wins by goal.");
});
