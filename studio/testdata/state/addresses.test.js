import assert from "node:assert/strict";
import {test} from "node:test";

import {from, to} from "../../assets/state/addresses.js";

const position = "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]";
const board = more => ({place: "board", position, number: 2, turns: [], steps: "", show: "", ...more});

test("every place has an address, and back", () => {
  for (const [value, address] of [
    [{place: "board"}, "#/board"],
    [board(), "#/board?position=g+%5Brrrrrrrrdhcemchd++++++++++++++++++++++++++++++++DHCMECHDRRRRRRRR%5D&number=2"],
    [{...board({position: "Ra6 rh7 g", number: 12, turns: ["Ra6n", "", "Ra7n rh7s"], steps: "Ra8e", show: "Ed4n rd5x"})},
      "#/board?position=Ra6+rh7+g&number=12&turns=Ra6n..Ra7n+rh7s&steps=Ra8e&show=Ed4n+rd5x"],
    [board({position: "Ra6 g", turns: [""]}), "#/board?position=Ra6+g&number=2&turns="],
    [{place: "game", name: "ann & bob/1", at: ""}, "#/game/ann%20%26%20bob%2F1"],
    [{place: "game", name: "mine", at: "12-1-3"}, "#/game/mine?at=12-1-3"],
    [{place: "puzzles"}, "#/puzzles"],
    [{place: "puzzles", set: "kqzvbm-3"}, "#/puzzles/kqzvbm-3"],
    [{place: "puzzles", set: "collection", puzzle: 4}, "#/puzzles/collection/4"],
    [{place: "library"}, "#/library"],
    [{place: "library", kind: "archives"}, "#/library/archives"],
    [{place: "library", kind: "games", name: "a?b#c"}, "#/library/games/a%3Fb%23c"],
    [{place: "job", id: "kqzvbm-17"}, "#/job/kqzvbm-17"],
  ]) {
    assert.equal(to(value), address);
    assert.deepEqual(from(address), value);
  }
});

test("odd addresses are none", () => {
  for (const odd of ["", "#", "#0123456789abcdef", "#/", "#/odd", "#/job", "#/job/1/2", "#/game", "#/game/a/b", "#/puzzles/x/0", "#/puzzles/x/y",
    "#/library/odd", "#/library/games/a/b", "#/board/x", "#/board?position=Ra6+g&number=x", "#/board?position=Ra6+g&number=1", "#/game/%",
    "board"]) assert.equal(from(odd), null, odd);
  assert.throws(() => to({place: "odd"}));
});

test("the token is never part of an address", () => {
  assert.ok(!to({...board(), token: "secret"}).includes("secret"));
  assert.ok(!to({place: "game", name: "x", token: "secret"}).includes("secret"));
});
