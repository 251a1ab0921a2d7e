// Reviews of games beside their turns. A review is {study, positions, moments, headline, complete}: the line that is reviewed, a
// study of whole turns; and what GET /api/jobs/ID/review answers. Position i is that before turn i.

import {serial} from "./jobs.js";
import {same} from "./study.js";

const most = 8; // reviews that a window remembers

// The reviews that a window remembers are {id, study, gone}, the newest first; gone says that the studio does not have it any
// more. remembered adds one, in place of those of its study that are gone, and forgotten says of which ids they are gone.
export const remembered = (all, id, study) =>
  [{id, study}, ...all.filter(r => r.id !== id && !(r.gone && same(r.study, study)))]
    .sort((a, b) => !!a.gone - !!b.gone || serial(b.id) - serial(a.id)).slice(0, most);
export const forgotten = (all, which) => all.some(r => which(r.id) && !r.gone) ? all.map(r => which(r.id) ? {...r, gone: true} : r) : all;

// Reports whether a review calls a turn a mistake: it gives it ? or ??. A doubtful turn is a mistake only where it delays a
// proved win.
export const isMistake = ({sign, side, proved}) => sign === "?" || sign === "??" || sign === "?!" && proved === side;

// The rows of the list of turns (state/tree.js) with the signs of a review where a person has set none. nodes are those of the
// reviewed line, from the first position on.
export function marked(rows, nodes, positions) {
  const signs = new Map(positions.map((p, i) => [nodes[i + 1], p.sign]));
  return rows.map(row => {
    if (row.kind !== "turns") return row;
    const gold = !row.goldSign && signs.get(row.gold), silver = !row.silverSign && signs.get(row.silver);
    return gold || silver ? {...row, ...(gold && {goldSign: gold}), ...(silver && {silverSign: silver})} : row;
  });
}

// The moments for the graph: {at, tone, text}. A turn that lost something is red.
export const moments = found => found.map(m => ({at: m.position, tone: m.sign ? "lost" : "", text: m.says}));

// Gold's chance from -1 to 1 at a study on the reviewed line, or null where none is known.
export function chanceAt({study, positions}, s) {
  const {turns = []} = s;
  if (s.steps || s.position !== study.position || turns.some((turn, i) => turn !== study.turns[i])) return null;
  const chance = positions[turns.length]?.chance ?? null;
  return chance === null ? null : 2 * chance - 1;
}

// The turn whose remark stands under the list, the number of its position: the one that led to position at. picked is a moment
// that was chosen, and looks says that the board shows something else that could have been played from there: then it is the turn
// that is played from there.
export const turnAt = (at, looks, picked) => looks || picked === at ? at : at - 1;

// What became of a turn that a person tried in a reviewed game, in a word: {tone, badge}. before is the position of the review.
export function judged({result}, before) {
  if (!result) return {tone: "open", badge: "Not judged"};
  const had = before.proved === before.side ? before.within : 0, {verdict, within, refuted} = result;
  if (verdict === "proved") return {tone: "won", badge: `${had ? "Keeps the win" : "Wins"} in ${within}`};
  if (verdict !== "disproved") return {tone: "open", badge: "Not decided"};
  return had ? {tone: "lost", badge: `Misses the win in ${had}`} : {tone: "open", badge: `No win in ${refuted}`}; // nor was one known before
}
