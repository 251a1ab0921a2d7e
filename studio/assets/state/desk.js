// The games of a window, and what its board shows. A desk is {games, present, last, study, past, future, kind}: the games, as
// state/tree.js has them, each with an id and doc, its file (state/documents.js); the id of the present one and the id that was
// given last; the study on the board, a path in the present game that may lead on from there while something is only looked at;
// the points {game, study} that undo leads to, and redo, the oldest first; and the kind of the last edit.
//
// Nothing here changes its arguments.

import * as documents from "./documents.js";
import {study as whole} from "./study.js";
import * as tree from "./tree.js";

export const opening = {position: "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]", number: 2, turns: [], steps: ""};

const most = 12; // games that a window keeps
const deepest = 200; // edits that can be undone

export const begin = () => added({games: [], present: 0, last: 0, study: opening, past: [], future: [], kind: ""}, tree.begin(opening));

export const game = desk => desk.games.find(g => g.id === desk.present);
export const byId = (desk, id) => desk.games.find(g => g.id === id);

// Games that are no more than a line of turns are not saved by themselves, unless they have a file.
const plain = g => tree.children(g).every(c => c.length < 2) && g.nodes.every(n => !n.comment && !n.sign);
export const worth = g => !!g.doc.name || !plain(g);

// Where the board is in the present game: {node, looked}, the last node on the way, and the turns from there that are only looked at.
export function here(desk) {
  const g = game(desk);
  return tree.locate(g, desk.study.turns);
}

const put = (desk, g) => ({...desk, games: desk.games.map(other => other.id === g.id ? g : other)});

const changed = (g, edited) => edited === g ? g : {...g, ...edited, id: g.id, doc: documents.next(g.doc, {type: "edited"})};

// Adds a game, which is then the present one. Of those that are kept the oldest goes, without unsaved edits if there is such a one.
export function added(desk, g) {
  const id = desk.last + 1;
  g = {tags: {}, doc: documents.open(), ...g, id};
  let {games} = desk;
  if (games.length >= most) {
    const old = games.findIndex(g => !worth(g) || !documents.unsaved(g.doc));
    games = games.filter((_, i) => i !== Math.max(old, 0));
  }
  return {...desk, games: [...games, g], present: id, last: id};
}

const point = desk => ({game: game(desk), study: desk.study});

// Keeps the present point for undo. Edits of the same kind, one after the other, are undone as one; "" is of no kind.
const pointed = (desk, kind = "") => {
  const past = kind && kind === desk.kind ? desk.past : [...desk.past, point(desk)].slice(-deepest);
  return {...desk, past, future: [], kind};
};

// The desk where the board shows a study. how is "look": the study is only looked at; "step": steps of a turn were played; "turn":
// so was a turn, which becomes part of the game; "edit": another position was set up, which begins a new game.
export function took(desk, found, how) {
  const study = whole(found), fits = g => g && g.position === study.position && g.number === study.number;
  if (how !== "look") desk = pointed(desk);
  const known = [game(desk)].find(fits) || desk.games.findLast(fits);
  if (!known) {
    const old = game(desk), begun = tree.along(tree.begin(study), study.turns).game;
    const useless = how === "edit" && !worth(old) && !documents.unsaved(old.doc); // positions on the way to the one that is meant
    if (useless) desk = {...desk, games: desk.games.filter(g => g !== old)};
    return {...added(desk, begun), study};
  }
  desk = {...desk, present: known.id, study, kind: how === "look" && desk.kind};
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
  return node === undefined ? desk : {...desk, study: tree.studyAt(next, node)};
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

// Makes the turns of a study the main line of a game, if it is still there.
export function mainLine(desk, id, {turns}) {
  const g = byId(desk, id);
  if (!g) return desk;
  const {game: next, node} = tree.along(g, turns);
  return put(desk, changed(g, tree.isMain(next, node) ? next : tree.promote(next, node).game));
}

// The desk with another of its games as the present one, which has the turns of a study as its main line and shows it. If the game
// is not there any more, a new one begins.
export function turnedTo(desk, id, found) {
  const study = whole(found);
  if (!byId(desk, id)) return opened(desk, tree.along(tree.begin(study), study.turns).game);
  return {...mainLine(desk, id, study), present: id, study, kind: ""};
}

// Folds the variations in place of a node, or unfolds them. It is no edit.
export const folded = (desk, node) => {
  const g = game(desk);
  return put(desk, tree.fold(g, node, !g.nodes[node].folded));
};

// The desk after an event of the file of a game (state/documents.js), and with what was loaded from it, if anything.
export function happened(desk, id, event, loaded) {
  const g = byId(desk, id);
  if (!g) return desk;
  desk = put(desk, {...g, ...loaded, doc: documents.next(g.doc, event)});
  if (!loaded || id !== desk.present || desk.study.position === loaded.position && desk.study.number === loaded.number) return desk;
  return {...desk, study: tree.studyAt(loaded, 0)};
}

// Forgets the file of a game, which was deleted.
export const unfiled = (desk, name) =>
  ({...desk, games: desk.games.map(g => g.doc.name === name ? {...g, doc: documents.open()} : g)});

function back(desk, from, to) {
  const list = desk[from], {game: g, study} = list.at(-1);
  const now = byId(desk, g.id), next = now ? put(desk, now.nodes === g.nodes ? now : changed(now, {...g, doc: now.doc}))
    : {...desk, games: [...desk.games, g]};
  return {...next, [from]: list.slice(0, -1), [to]: [...desk[to], point(desk)], present: g.id, study, kind: ""};
}

// The desk before the last edit, or after the next one; the same if there is none.
export const undo = desk => desk.past.length ? back(desk, "past", "future") : desk;
export const redo = desk => desk.future.length ? back(desk, "future", "past") : desk;

// A desk without most of what can be undone, which holds each game many times.
export const light = desk => ({...desk, past: desk.past.slice(-5), future: [], kind: ""});

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
