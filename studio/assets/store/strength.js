// What the strip beside the board says of the position that it shows.

import {estimate} from "../lib/chance.js";
import {computed} from "../lib/view.js";
import {inherited, shown} from "../state/answers.js";
import {mover} from "../state/study.js";
import {analysis} from "./analysis.js";
import {answers} from "./answers.js";
import {board, start, study} from "./desk.js";
import {chanceAt} from "./review.js";

const sure = (side, proved) => ({chance: side === "gold" ? 1 : -1, proved});

// Gold's chance, -1 to 1, or null if nothing says it; and what is proved, in words, or "". What is proved about a position does
// not hold within its turn.
export const strength = computed(() => {
  const s = start.value, within = !!study.value.steps, {over, squares = ""} = board.view.value || {};
  if (over && !squares.trim()) return {chance: null, proved: ""};
  if (over) return sure(over.split(" ")[0], `The game is over: ${over}`);
  if (!within) {
    const {verdict, derived} = shown(answers.value, s);
    if (derived) return sure(derived.winner, inherited(derived));
    if (verdict?.result.verdict === "proved") return sure(mover(s), verdict.result.says);
  }
  const best = analysis.value?.lines[0], chance = best?.gold_chance;
  const gold = typeof chance === "number" ? 2 * chance - 1 : chanceAt(s);
  if (within) return {chance: gold === null ? null : estimate(gold), proved: ""};
  const proved = typeof chance === "number" && (best.wins_within || best.loses_within) ? `${best.turn}: ${best.says}` : "";
  return {chance: gold, proved};
});
