// New games, against the engine and with clocks: how their positions are set up. A window has one game at a time.

import {post} from "../lib/api.js";
import {kept} from "../lib/kept.js";
import {opening, whole} from "../lib/study.js";
import {display, go} from "./shown.js";

const ends = []; // each ends the game of one kind, if there is one

export const onNewGame = end => ends.push(end);

// Ends the games of this window, for another one.
export async function endGames() {
  for (const end of ends) await end();
}

// The view of the position that a game begins with: the one on the board, the usual one, or one that the engine sets up around
// what is placed.
export async function setUp(how, placed) {
  if (how === "board") return go(whole(kept.study));
  if (how === "usual") return go(opening);
  return display(await post("setup", {gold: "", silver: "", ...placed, flipped: kept.flipped}));
}
