// The games of a window, and what its board shows. A desk is {games, present, last, study, past, future, kind}: the games, as
// state/tree.js has them, each with an id and doc, its file (state/documents.js); the id of the present one and the id that was
// given last; the study on the board, a path in the present game that may lead on from there while something is only looked at;
// the points {game, study} that undo leads to, and redo, the oldest first; and the kind of the last edit.
//
// Nothing here changes its arguments.

import * as documents from "./documents.js";
import {atStart, same, study as whole} from "./study.js";
import * as tree from "./tree.js";

export const opening = {position: "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]", number: 2, turns: [], steps: ""};

const most = 12; // games that a window keeps
const deepest = 200; // edits that can be undone

// A desk with the usual setup.
export const begin = () => added({games: [], present: 0, last: 0, study: opening, past: [], future: [], kind: ""}, tree.begin(opening));

// The present game, and a game by its id, or undefined.
export const game = desk => desk.games.find(g => g.id === desk.present);
export const byId = (desk, id) => desk.games.find(g => g.id === id);

// Games that are no more than a line of turns are not saved by themselves, unless they have a file, or were played as a match.
const plain = g => tree.children(g).every(c => c.length < 2) && g.nodes.every(n => !n.comment && !n.sign);
export const worth = g => !!g.doc.name || !!g.match || !plain(g);

// Where the board is in the present game: {node, looked}, the last node on the way, and the turns from there that are only
// looked at.
export function here(desk) {
  const g = game(desk);
  return tree.locate(g, desk.study.turns);
}

const put = (desk, g) => ({...desk, games: desk.games.map(other => other.id === g.id ? g : other)});

const changed = (g, edited) => edited === g ? g : {...g, ...edited, id: g.id, doc: documents.next(g.doc, {type: "edited"})};

// Adds a game, which is then the present one.
export function added(desk, g) {
  const id = desk.last + 1;
  return limited({...desk, games: [...desk.games, {tags: {}, doc: documents.open(), ...g, id}], present: id, last: id});
}

// Of too many games the oldest goes, without unsaved edits if there is such a one. Undo leads to it no more if it has a file:
// what undo holds of the file is old.
function limited(desk) {
  if (desk.games.length <= most) return desk;
  const others = desk.games.filter(g => g.id !== desk.present);
  const old = others.find(g => !worth(g) || !documents.unsaved(g.doc)) || others[0];
  const rest = {...desk, games: desk.games.filter(g => g !== old)};
  return limited(worth(old) ? forgotten(rest, old.id) : rest);
}

// A desk where neither undo nor redo leads to a game.
function forgotten(desk, id) {
  const without = points => points.filter(p => p.game.id !== id);
  return {...desk, past: without(desk.past), future: without(desk.future), kind: ""};
}

const point = desk => ({game: game(desk), study: desk.study});

// Keeps the present point for undo. Edits of the same kind, one after the other, are undone as one; "" is of no kind.
const pointed = (desk, kind = "") => {
  const past = kind && kind === desk.kind ? desk.past : [...desk.past, point(desk)].slice(-deepest);
  return {...desk, past, future: [], kind};
};

// The desk where the board shows a study. how is "look": the study is only looked at; "step": steps of a turn were played;
// "turn": so was a turn, which becomes part of the game; "edit": another position was set up, which begins a new game.
export function took(desk, found, how) {
  const study = whole(found), fits = g => g && g.position === study.position && g.number === study.number;
  if (how !== "look") desk = pointed(desk);
  const known = [game(desk)].find(fits) || desk.games.findLast(fits);
  if (!known) {
    const old = game(desk), begun = tree.along(tree.begin(study), study.turns).game;
    const useless = how === "edit" && old.nodes.length === 1 && !worth(old); // a position on the way to the one that is meant
    if (useless) desk = {...desk, games: desk.games.filter(g => g !== old)};
    return {...added(desk, begun), study};
  }
  desk = {...desk, present: known.id, study, kind: ""};
  if (how !== "turn") return revealed(desk);
  return revealed(put(desk, changed(known, tree.along(known, study.turns).game)));
}

// Unfolds what hides the node that is shown.
function revealed(desk) {
  const g = game(desk);
  return put(desk, tree.reveal(g, here(desk).node));
}

// The desk after an edit {game, node} of the present game, which shows node if it is given.
export function edited(desk, {game: next, node}, kind) {
  const g = game(desk);
  if (next === g) return desk;
  desk = put(pointed(desk, kind), changed(g, next));
  const shown = node === undefined ? desk.study : tree.studyAt(next, node);
  return revealed(same(atStart(shown), atStart(desk.study)) ? desk : {...desk, study: shown}); // the steps of a turn under way stay
}

// The present game with what the board shows as a node of it: {game, node}.
export function adopted(desk) {
  const {node, looked} = here(desk);
  return tree.along(game(desk), looked, node);
}

// The desk with a game that was found or begun, which shows its last position, or a node.
export function opened(desk, g, node = tree.endOf(g, 0)) {
  return {...added(pointed(desk), g), study: tree.studyAt(g, node)};
}

// The desk where another of its games is the present one, and the board shows a node of it.
export const turnedTo = (desk, id, node) => revealed({...desk, present: id, study: tree.studyAt(byId(desk, id), node), kind: ""});

// Makes the turns of a study the main line of a game, if it is still there.
export function mainLine(desk, id, {turns}) {
  const g = byId(desk, id);
  if (!g) return desk;
  const {game: next, node} = tree.along(g, turns);
  return put(desk, changed(g, tree.isMain(next, node) ? next : tree.promote(next, node).game));
}

// The desk with another of its games as the present one, which has the turns of a study as its main line and shows it. If the
// game is not there any more, a new one begins.
export function continued(desk, id, found) {
  const study = whole(found);
  if (!byId(desk, id)) return opened(desk, tree.along(tree.begin(study), study.turns).game);
  return {...mainLine(desk, id, study), present: id, study, kind: ""};
}

// Folds the variations in place of a node, or unfolds them. It is no edit.
export const folded = (desk, node) => {
  const g = game(desk);
  return put(desk, tree.fold(g, node, !g.nodes[node].folded));
};

// The desk after an event of the file of a game (state/documents.js), and with what was loaded from it, if anything. Undo would
// take away what others have written, so it does not lead behind what was loaded.
export function happened(desk, id, event, loaded) {
  const g = byId(desk, id);
  if (!g) return desk;
  if (!loaded) return put(desk, {...g, doc: documents.next(g.doc, event)});
  desk = forgotten(put(desk, {...g, ...tree.foldedAs(loaded, g), doc: documents.next(g.doc, event)}), id);
  if (id !== desk.present) return desk;
  const stays = desk.study.position === loaded.position && desk.study.number === loaded.number;
  return revealed(stays ? desk : {...desk, study: tree.studyAt(loaded, 0)});
}

// Forgets the file of a game, which was deleted.
export const unfiled = (desk, name) =>
  ({...desk, games: desk.games.map(g => g.doc.name === name ? {...g, doc: documents.open()} : g)});

function back(desk, from, to) {
  const list = desk[from], {game: g, study} = list.at(-1);
  const now = byId(desk, g.id), next = !now ? {...desk, games: [...desk.games, g]} : tree.equal(now, g) ? desk : put(desk, changed(now, g));
  return revealed(limited({...next, [from]: list.slice(0, -1), [to]: [...desk[to], point(desk)], present: g.id, study, kind: ""}));
}

// The desk before the last edit, or after the next one; the same if there is none.
export const undo = desk => desk.past.length ? back(desk, "past", "future") : desk;
export const redo = desk => desk.future.length ? back(desk, "future", "past") : desk;

const heavy = 20_000; // nodes

// A desk without most of what can be undone, which holds each game many times.
export function light(desk) {
  const past = [];
  let nodes = 0;
  for (const p of desk.past.slice(-5).reverse()) if ((nodes += p.game.nodes.length) < heavy) past.unshift(p);
  return {...desk, past, future: [], kind: ""};
}

// A desk that the window has kept while the page was loaded again.
export function again(kept) {
  if (!kept?.games?.length || !game(kept)) return begin();
  return {...kept, games: kept.games.map(g => ({...g, doc: documents.again(g.doc)}))};
}

// The study of the whole line that goes through what the board shows.
export const wholeLine = desk => {
  const {game: g, node} = adopted(desk);
  return tree.studyAt(g, tree.endOf(g, node));
};
