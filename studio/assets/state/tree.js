// Games with comments and variations: trees of turns. A game is {position, number, tags, nodes} as the studio has it
// (studio/annotated.go): nodes[0] is the first position; each other node is {parent, turn, sign, comment} and stands behind
// its parent. The first child of a node continues its line, the others begin variations. folded, on a first child, says that
// the variations beside it are folded; it belongs to the page alone.
//
// Nothing here changes its arguments. An edit returns {game, node}: the game as it is then, which shares the nodes that
// stayed the same, and the node that is to be shown. What is only looked at is no node: see locate.

import {isMistake} from "./review.js";
import {label} from "./study.js";

const kids = new WeakMap(); // by the list of nodes, which never changes; edits that change few lists share the others

// The children of each node in their order: lists of indices, by the index of the parent.
export function children({nodes}) {
  let all = kids.get(nodes);
  if (!all) {
    all = nodes.map(() => []);
    nodes.forEach((n, i) => i && all[n.parent].push(i));
    kids.set(nodes, all);
  }
  return all;
}

// A game that has only its first position.
export const begin = ({position, number = 2, tags = {}}) => ({position, number, tags, nodes: [{parent: -1, turn: "", sign: "", comment: ""}]});

// The nodes from the first position to a node, both included.
export function path({nodes}, node) {
  const all = [];
  for (let i = node; i >= 0; i = nodes[i].parent) all.push(i);
  return all.reverse();
}

// The turns that lead to a node.
export const turns = (game, node) => path(game, node).slice(1).map(i => game.nodes[i].turn);

// The study of a node, and of turns that are looked at from there.
export const studyAt = (game, node, looked = []) =>
  ({position: game.position, number: game.number, turns: [...turns(game, node), ...looked], steps: ""});

// The last node along turns from a node, and the turns that follow and are not in the tree: {node, looked}. So a line can be
// looked at while the tree stays as it is.
export function locate(game, line, node = 0) {
  const all = children(game);
  for (let k = 0; k < line.length; k++) {
    const next = all[node].find(i => game.nodes[i].turn === line[k]);
    if (next === undefined) return {node, looked: line.slice(k)};
    node = next;
  }
  return {node, looked: []};
}

// Reports whether a study is a position of a game, or all its turns are a line of it.
export const follows = (game, {position, number, turns}) =>
  game.position === position && game.number === number && !locate(game, turns).looked.length;

// Adds turns, one after the other, from a node on. Those that are there stay; another one begins a variation.
export function along(game, line, node = 0) {
  const found = locate(game, line, node);
  if (!found.looked.length) return {game, node: found.node};
  const nodes = [...game.nodes], all = [...children(game)];
  let parent = found.node;
  for (const turn of found.looked) {
    const i = nodes.push({parent, turn, sign: "", comment: ""}) - 1;
    all[parent] = [...all[parent], i];
    all.push([]);
    parent = i;
  }
  kids.set(nodes, all);
  return {game: {...game, nodes}, node: parent};
}

// Adds a turn at a node.
export const add = (game, node, turn) => along(game, [turn], node);

// Changes fields of a node, such as {comment: "good"} or {sign: "!"}.
export function annotate(game, node, fields) {
  const nodes = [...game.nodes];
  nodes[node] = {...nodes[node], ...fields};
  kids.set(nodes, children(game));
  return {game: {...game, nodes}, node};
}

// Adds a sentence to the comment of a node, unless it stands there.
export function write(game, node, text) {
  const {comment} = game.nodes[node];
  if (!text || comment.includes(text)) return {game, node};
  return annotate(game, node, {comment: comment ? `${comment} ${text}` : text});
}

// Puts the nodes that can be reached by lists of children into the order of their lines, and returns the game with the new
// index of a node.
function ordered(game, all, node) {
  const nodes = [], moved = [], rest = [[0, -1]];
  while (rest.length) {
    const [i, parent] = rest.pop();
    moved[i] = nodes.push(game.nodes[i].parent === parent ? game.nodes[i] : {...game.nodes[i], parent}) - 1;
    for (const k of all[i].toReversed()) rest.push([k, moved[i]]);
  }
  return {game: {...game, nodes}, node: moved[node]};
}

// Makes the line to a node the main line. The order of the other variations stays.
export function promote(game, node) {
  const all = [...children(game)];
  for (const i of path(game, node).slice(1)) {
    const {parent} = game.nodes[i];
    all[parent] = [i, ...all[parent].filter(k => k !== i)];
  }
  return ordered(game, all, node);
}

// Reports whether a node is on the main line.
export const isMain = (game, node) => path(game, node).every(i => !i || children(game)[game.nodes[i].parent][0] === i);

// The number of nodes from a node on.
export function size(game, node) {
  const all = children(game), rest = [node];
  let n = 0;
  for (; rest.length; n++) rest.push(...all[rest.pop()]);
  return n;
}

// Deletes a node, which is not the first one, with all that follows it. The node to show is its parent.
export function cut(game, node) {
  const {parent} = game.nodes[node], all = [...children(game)];
  all[parent] = all[parent].filter(i => i !== node);
  return ordered(game, all, parent);
}

// Folds the variations in place of a node, or unfolds them. It is no edit: undo does not hold it.
export const fold = (game, node, folded) => annotate(game, children(game)[game.nodes[node].parent][0], {folded}).game;

// A game whose variations are folded where those of another one are.
export function foldedAs(game, other) {
  other.nodes.forEach((n, i) => {
    const {node, looked} = n.folded ? locate(game, turns(other, i)) : {node: 0, looked: []};
    if (node && !looked.length) game = fold(game, node, true);
  });
  return game;
}

const written = nodes => JSON.stringify(nodes.map(n => [n.parent, n.turn, n.sign, n.comment]));

// Reports whether two games are the same, but for what is folded.
export const equal = (a, b) => a.nodes === b.nodes || a.nodes.length === b.nodes.length && written(a.nodes) === written(b.nodes);

// Reports whether a game has all that another one has: its turns, signs and comments, which may be longer.
export function holds(game, other) {
  if (game.position !== other.position || game.number !== other.number) return false;
  return other.nodes.every(({sign, comment}, i) => {
    const {node, looked} = locate(game, turns(other, i)), mine = game.nodes[node];
    return !looked.length && mine.comment.includes(comment) && (!sign || sign === mine.sign);
  });
}

// Unfolds what hides a node.
export function reveal(game, node) {
  const all = children(game);
  for (const i of path(game, node).slice(1)) {
    const main = all[game.nodes[i].parent][0];
    if (i !== main && game.nodes[main].folded) game = fold(game, i, false);
  }
  return game;
}

// The node to which a key leads, or undefined: ArrowLeft back, ArrowRight along the line, ArrowUp and ArrowDown to the
// variations beside it, Home to the first position, End to the end of the line.
export function walk(game, node, key) {
  const all = children(game), beside = all[game.nodes[node].parent] || [];
  switch (key) {
    case "ArrowLeft": return node ? game.nodes[node].parent : undefined;
    case "ArrowRight": return all[node][0];
    case "ArrowUp": return beside[beside.indexOf(node) - 1];
    case "ArrowDown": return beside[beside.indexOf(node) + 1];
    case "Home": return 0;
    case "End": return endOf(game, node);
  }
}

// The last node of the line that continues from a node.
export function endOf(game, node) {
  const all = children(game);
  while (all[node].length) node = all[node][0];
  return node;
}

// The place of a node for an address: numbers of turns along a line, and between them which variation is taken. "12" is the
// main line after 12 turns, "12-2-3" its second variation there and three turns further. "0" is the first position.
export function place(game, node) {
  const all = children(game), numbers = [0];
  for (const i of path(game, node).slice(1)) {
    const which = all[game.nodes[i].parent].indexOf(i);
    if (which) numbers.push(which, 0);
    else numbers[numbers.length - 1]++;
  }
  return numbers.join("-");
}

// The node of a place, or the last one on the way that is there.
export function nodeAt(game, text) {
  const all = children(game);
  let node = 0;
  for (const [k, n] of text.split("-").map(Number).entries()) {
    for (let i = k % 2 ? 1 : n; i > 0; i--) {
      const next = all[node][k % 2 ? n : 0];
      if (next === undefined) return node;
      node = next;
    }
  }
  return node;
}

const blank = {gold: null, goldTurn: "", goldSign: "", silver: null, silverTurn: "", silverSign: ""};

// The rows of the list of turns, in their order. Each has a key, and consists of plain values:
// {kind: "turns", number, depth, gold, goldTurn, goldSign, silver, silverTurn, silverSign}: nodes, null where the row has none,
// with their turns and signs; {kind: "comment", node, text, depth}; {kind: "variations", node, label, count, folded, depth}:
// those in place of a node, followed by their rows, one deeper, unless they are folded. The comment on the first position comes
// first.
export function rows(game) {
  const all = children(game), found = [];
  const comment = (node, depth) => {
    const text = game.nodes[node].comment;
    return text && found.push({kind: "comment", key: "c" + node, node, text, depth});
  };
  comment(0, 0);
  const rest = [{node: all[0][0], played: 0, depth: 0}]; // lines that are still to be listed
  while (rest.length) {
    let {node, played, depth, row} = rest.pop();
    for (; node !== undefined; node = all[node][0], played++) {
      const text = label(game, played), silver = text.endsWith("s"), {turn, sign} = game.nodes[node];
      if (!silver || !row) found.push(row = {kind: "turns", key: "t" + node, number: parseInt(text), depth, ...blank});
      Object.assign(row, silver ? {silver: node, silverTurn: turn, silverSign: sign} : {gold: node, goldTurn: turn, goldSign: sign});
      if (silver) row = null;
      if (comment(node, depth)) row = null;
      const [main, ...others] = all[game.nodes[node].parent];
      if (node !== main || !others.length) continue;
      const folded = !!game.nodes[node].folded;
      found.push({kind: "variations", key: "v" + node, node, label: text, count: others.length, folded, depth});
      row = null;
      if (folded) continue;
      rest.push({node: all[node][0], played: played + 1, depth});
      for (const other of others.toReversed()) rest.push({node: other, played, depth: depth + 1});
      break;
    }
  }
  return found;
}

// Takes over what a review has found (state/review.js: study, headline, positions), at mistakes only: the remark and the sign of
// the turn, and the better line in place of it, folded. The headline becomes a comment on the first position. What a person
// wrote stays. Returns null if the turns of the review are not those of a line of the game; taken twice it adds nothing.
export function merge(game, {study, headline, positions}) {
  if (!follows(game, study)) return null;
  let node = 0;
  ({game} = write(game, 0, headline));
  study.turns.forEach((turn, i) => {
    const parent = node, {sign, remark, others, better} = positions[i];
    ({node} = locate(game, [turn], parent));
    if (!isMistake(positions[i])) return;
    ({game} = write(game, node, remark));
    if (!game.nodes[node].sign) ({game} = annotate(game, node, {sign}));
    if (better >= 0) game = mergeLine(game, parent, others[better]);
  });
  return game;
}

// Adds a line of a review at a node of a game, with what it is worth. If it is the first variation there, it is folded.
function mergeLine(game, at, {line, worth}) {
  const lone = children(game)[at].length === 1, {node} = ({game} = add(game, at, line[0]));
  ({game} = write(game, node, worth));
  ({game} = along(game, line.slice(1), node));
  const here = children(game)[at];
  return lone && here.length > 1 ? fold(game, here[0], true) : game;
}

// A game as the studio takes it, without what belongs to the page alone.
export const wire = ({position, number, tags, nodes}) =>
  ({position, number, tags, nodes: nodes.map(({parent, turn, sign, comment}) => ({parent, turn, sign, comment}))});
