// The turns that can be walked through on the place Puzzles: the line of an exercise, or of a row.

import {computed} from "../lib/view.js";
import {line as lineOf} from "../state/sets.js";
import {atStart, same} from "../state/study.js";
import {visit} from "./address.js";
import {openStudy} from "./desk.js";
import {board, exercise, mode, now, row} from "./exercise.js";

// The turns that can be walked through: {study, line}, or null.
export const trail = computed(() => mode.value === "rows" ? row.value && {study: row.value.puzzle.study, line: lineOf(row.value.puzzle)}
  : exercise.value && {study: now.value.study, line: now.value.line});

// How many turns after the first position a way leads: first, back, forward or last; undefined if nowhere.
export function walk(way) {
  const v = board.view.value;
  if (!v || !trail.value) return undefined;
  const {turns = [], steps} = v.study, {line} = trail.value, n = turns.length;
  const most = turns.every((turn, i) => turn === line[i]) ? Math.max(n, line.length) : n;
  const to = {first: 0, back: steps ? n : n - 1, forward: n + 1, last: most}[way];
  return to >= 0 && to <= most && (to !== n || steps) ? to : undefined;
}

// Shows the position after so many turns.
const stepTo = n => {
  const {turns = []} = board.view.value.study, {study, line} = trail.value;
  return board.look({...atStart(study), turns: (n <= turns.length ? turns : line).slice(0, n)});
};

// Shows the position to which a way leads, if there is one.
export const go = way => {
  const to = walk(way);
  if (to !== undefined) stepTo(to);
};

// Shows the position after the turn of the line with an index.
export const along = i => board.look({...atStart(trail.value.study), turns: trail.value.line.slice(0, i + 1)});

// Opens the puzzle that is shown as a game on the Board.
export async function onTheBoard() {
  const {study} = row.value?.puzzle || now.value;
  await openStudy(study, same(board.view.value.study, study) ? board.show.value : "");
  visit({place: "board"});
}
