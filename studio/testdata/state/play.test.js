import assert from "node:assert/strict";
import {test} from "node:test";

import * as desk from "../../assets/state/desk.js";
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
  assert.equal(p.words(match("gold"), true), "You play gold. Play your turn on the board, and end it.");
  assert.equal(p.words(match("silver"), true), "The engine is to move.");
  assert.equal(p.words({...match("silver"), job: "kqzvbm-1"}, true), "The engine is thinking.");
  assert.equal(p.words({...match("silver"), fault: "it was stopped"}, true), "The engine has not moved: it was stopped. The engine is to move.");
  const replied = p.reached(match("gold"), opening, null, {reply: "ed7s"});
  assert.equal(p.words(replied, true), "The engine plays ed7s. You play gold. Play your turn on the board, and end it.");
  assert.equal(p.words(p.reached(replied, opening, "gold wins by goal"), true), "The game is over: gold wins by goal.");
});

test("nobody is told to play on a board that shows another position", () => {
  const elsewhere = "The board shows another position than the game.";
  assert.equal(p.words(match("gold"), false), `You are to move. ${elsewhere}`);
  assert.equal(p.words(match("silver"), false), `The engine is to move. ${elsewhere}`);
  assert.equal(p.words(p.resigned(match("gold")), false), "You resign after 0 turns: silver wins.");
});

const job = (more = {}) => ({state: "running", request: {kind: "game", gold: "you", silver: "quick"}, result: null, error: null,
  game: {study: opening, to_move: "gold", clocks: [{turn: 90, reserve: 60}, {turn: 60, reserve: 30}]}, ...more});
const silver = {game: {...job().game, to_move: "silver"}};

test("a game with clocks in words", () => {
  const elsewhere = "The board shows another position than the game.";
  assert.equal(p.stands(job(), true), "You are to move, with gold. Play your turn on the board, and end it.");
  assert.equal(p.stands(job(), false), `You are to move, with gold. ${elsewhere}`);
  assert.equal(p.stands(job(silver), true), "quick is to move, with silver.");
  assert.equal(p.stands(job(silver), false), `quick is to move, with silver. ${elsewhere}`);
  assert.equal(p.stands(job({state: "waiting", game: null}), true), "Waiting for other jobs, or for the programs to start.");
  assert.equal(p.stands(job({state: "ended", result: {says: "gold wins by goal."}}), false), "gold wins by goal.");
  assert.equal(p.stands(job({state: "ended", error: "no such program"}), false), "The game was not played: no such program.");
  assert.deepEqual([p.yours(job()), p.yours(job(silver)), p.yours(job({game: null})), p.yours(job({state: "ended"}))], [true, false, false, false]);
});

test("the clock of the side to move runs", () => {
  assert.deepEqual(p.clocks(job(), 12.5), {gold: 77.5, silver: 60});
  assert.deepEqual(p.clocks(job(silver), 100), {gold: 90, silver: 0});
  assert.deepEqual(p.clocks(job({state: "ended"}), 100), {gold: 90, silver: 60});
  assert.deepEqual(p.clocks(job({game: null}), 1), {gold: null, silver: null});
});

test("the board follows the game", () => {
  const at = (...turns) => turns.reduce(after, opening), begun = p.begin({study: opening}).study;
  assert.ok(p.follows(opening, begun, at("a")));
  assert.ok(p.follows(at("a"), begun, at("a", "b"))); // the turn of the person
  assert.ok(p.follows({...at("a"), steps: "Ee2n"}, at("a"), at("a", "b")));
  assert.ok(!p.follows(at("a", "b"), begun, at("a", "b"))); // it is there
  assert.ok(!p.follows(opening, at("a"), at("a", "b"))); // one looks back
  assert.ok(!p.follows(at("c"), begun, at("a", "b"))); // one looks elsewhere
});

test("names become tags", () => {
  assert.deepEqual(p.tags({gold: "you", silver: "goalproof"}), {Gold: "You", Silver: "goalproof"});
});

test("a time control in words", () => {
  assert.equal(p.control("30s/5m/100/10m/8h"),
    "30s for each turn, 5m in reserve, 100 % of unused time goes to the reserve, which holds at most 10m, 8h for the game.");
  assert.equal(p.control("0.5/2//0:30/60t/1"), "0.5 min for each turn, 2 min in reserve, 100 % of unused time goes to the reserve, " +
    "which holds at most 0:30, 60 turns of each player at most, at most 1 min for one turn.");
  assert.equal(p.control("0:30/0/0"), "0:30 for each turn, 0 in reserve, 0 % of unused time goes to the reserve.");
  assert.equal(p.control("soon"), "");
  assert.equal(p.control("1/2/3/4/5/6/7"), "");
});

test("the desk turns to the game, which has its turns again", () => {
  const two = "ab".split("").reduce(after, opening), other = "g [" + "R".padEnd(64) + "]";
  let d = desk.took(desk.opened(desk.begin(), {...opening, tags: {Gold: "You"}, nodes: [{parent: -1, turn: "", sign: "", comment: ""}]}), {...opening, turns: ["c"]}, "turn");
  const id = d.present;
  d = desk.continued(desk.took(d, {position: other, number: 2}, "edit"), id, two);
  assert.deepEqual([d.present, d.study.turns, desk.game(d).tags.Gold], [id, ["a", "b"], "You"]);
  assert.deepEqual(desk.game(d).nodes.map(n => n.turn), ["", "a", "b", "c"]); // the turn that was tried is a variation
  const again = desk.continued({...d, games: d.games.filter(g => g.id !== id), present: d.games.find(g => g.id !== id).id}, id, two);
  assert.notEqual(again.present, id); // it was no longer kept
  assert.deepEqual(again.study.turns, ["a", "b"]);
});
