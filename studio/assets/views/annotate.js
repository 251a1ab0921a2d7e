// The game with its comments and variations: a tree of turns, which is kept in this window. The study is a path in it.

import {get, post} from "../lib/api.js";
import {amount, at, confirmed, make, say} from "../lib/dom.js";
import {download, listed} from "../lib/files.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {go} from "./shown.js";

const most = 12; // games that a window keeps

// kept.games are games: id, position and number of the first turn, tags, nodes (as the studio has them: parent, turn, sign,
// comment), name and version of the file in the workspace. A node that is passing was only looked at, and goes when it is left.
// kept.game is the id of the one whose path the study is.
const present = () => kept.games.find(g => g.id === kept.game);
let here = 0; // the node that is shown: the turn with its arrows, or else that of the position
let drawn = null; // the nodes that the list shows
let buttons = []; // of the nodes in the list: the button, and the comment below it

// The children of each node, in their order.
function children(nodes) {
  const all = nodes.map(() => []);
  nodes.forEach((n, i) => i && all[n.parent].push(i));
  return all;
}

// The nodes in the order of their lines, without those that are no children any more; and where each of them is now.
function ordered(nodes, kids) {
  const all = [], moved = [], rest = [[0, -1]];
  while (rest.length) {
    const [i, parent] = rest.pop();
    moved[i] = all.length;
    all.push({...nodes[i], parent});
    for (const k of kids[i].toReversed()) rest.push([k, moved[i]]);
  }
  return [all, moved];
}

// The nodes from the first position to a node.
function pathTo(nodes, i) {
  const path = [];
  for (; i >= 0; i = nodes[i].parent) path.unshift(i);
  return path;
}

// The study at the end of a path.
const studyAt = (g, path) => ({position: g.position, number: g.number, turns: path.slice(1).map(i => g.nodes[i].turn), steps: ""});

// The child of a node by a turn, which is made if there is none.
function child(g, parent, turn, passing) {
  const i = g.nodes.findIndex(n => n.parent === parent && n.turn === turn);
  if (i >= 0) {
    if (!passing && g.nodes[i].passing) delete g.nodes[i].passing;
    return i;
  }
  g.nodes = [...g.nodes, {parent, turn, sign: "", comment: "", ...(passing && {passing})}];
  return g.nodes.length - 1;
}

const along = (g, turns, passing) => turns.reduce((i, turn) => child(g, i, turn, passing), 0);

const plain = g => children(g.nodes).every(c => c.length < 2) && g.nodes.every(n => !n.comment && !n.sign);

// Adds a game. Of those that are kept the oldest one goes, without comments and variations if there is such a one.
function add(g) {
  kept.lastGame = (kept.lastGame || 0) + 1;
  g = {tags: {}, nodes: [{parent: -1, turn: "", sign: "", comment: ""}], name: "", version: "", ...g, id: kept.lastGame};
  if (kept.games.length >= most) {
    const old = kept.games.findIndex(plain);
    kept.games.splice(Math.max(old, 0), 1);
  }
  kept.games.push(g);
  kept.game = g.id;
  return g;
}

// Begins a new game, as it was found in a text, or else from the first position of the study.
export function begin(found) {
  const f = found?.game || {}, tags = {};
  for (const [name, value] of [["Event", f.event], ["Source", f.name], ["Date", f.date], ["Gold", f.gold], ["Silver", f.silver],
    ["GoldRating", f.gold_rating], ["SilverRating", f.silver_rating], ["Termination", f.ended]]) if (value) tags[name] = value;
  if (f.winner) tags.Result = f.winner === "gold" ? "1-0" : "0-1";
  const {position, number, tags: given, nodes} = found?.annotated || {...(found?.study || kept.study), tags};
  const g = add({position, number, tags: given || {}, ...(nodes && {nodes})});
  along(g, found?.study.turns || [], false);
}

// Begins a new game with the study as it is.
export function restart() {
  begin();
  follow({looking: false});
}

// Follows the study: it is a path of the present game, or of another one from the same position, or begins a new one. What
// is only looked at is not added for good.
function follow({looking}) {
  kept.games ||= [];
  const {position, number, turns = []} = kept.study;
  const same = g => g && g.position === position && g.number === number;
  let g = present();
  if (!same(g)) g = kept.games.findLast(same);
  if (g) kept.game = g.id;
  else {
    g = add({position, number});
    looking = false;
  }
  let i = along(g, turns, looking);
  prune(g, i);
  i = along(g, turns, looking);
  const shown = kept.show ? g.nodes.findIndex(n => n.parent === i && n.turn === kept.show) : -1;
  here = shown >= 0 ? shown : i;
  draw();
}

// Drops what was only looked at, but for the line to node i.
function prune(g, i) {
  if (!g.nodes.some(n => n.passing)) return;
  const line = new Set(pathTo(g.nodes, i));
  const kids = children(g.nodes);
  for (let k = g.nodes.length - 1; k > 0; k--) { // children stand behind their parents
    const n = g.nodes[k];
    if (n.passing && !line.has(k) && !kids[k].length && !n.comment && !n.sign) kids[n.parent].splice(kids[n.parent].indexOf(k), 1);
  }
  [g.nodes] = ordered(g.nodes, kids);
}

// The label of a turn that so many turns stand before.
function label(g, before) {
  const n = before + (g.position[0] === "g" ? 0 : 1);
  return g.number + (n >> 1) + "gs"[n % 2];
}

const words = (n, l) => `${l} ${n.turn || "pass"}${n.sign ? " " + n.sign : ""}`;

// Shows a node: its turn with arrows, or the first position.
function show(i) {
  const g = present(), path = pathTo(g.nodes, i);
  return go(studyAt(g, i ? path.slice(0, -1) : path), g.nodes[i].turn);
}

function draw() {
  const g = present();
  if (drawn !== g.nodes) list(g);
  buttons.forEach(([b], i) => {
    if (i === here) b.setAttribute("aria-current", "true");
    else b.removeAttribute("aria-current");
  });
  const [b] = buttons[here], box = at("turns");
  for (let e = b.parentElement; e !== box; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  const top = b.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (top < 0 || top > box.clientHeight - b.offsetHeight) box.scrollTop += top - box.clientHeight / 2;
  const n = g.nodes[here], before = pathTo(g.nodes, here).length - 2;
  at("comment-label").textContent = here ? `Comment on ${label(g, before)} ${n.turn || "pass"}` : "Comment on the first position";
  if (at("comment").value !== n.comment) at("comment").value = n.comment;
  at("sign").value = n.sign;
  at("sign").disabled = at("cut").disabled = !here;
  at("promote").disabled = pathTo(g.nodes, here).every(i => !i || g.nodes.findIndex(n => n.parent === g.nodes[i].parent) === i);
  const players = g.tags.Gold || g.tags.Silver ? `${g.tags.Gold || "unknown"} against ${g.tags.Silver || "unknown"}` : "";
  at("game-about").textContent = [players, g.tags.Event, g.tags.Date].filter(Boolean).join(", ");
  if (document.activeElement !== at("game-name")) at("game-name").value = g.name;
}

// Lists the turns, with the variations below the turn in place of which they are played.
function list(g) {
  const kids = children(g.nodes);
  drawn = g.nodes;
  buttons = [];
  const item = (parent, i, text) => {
    const li = make(parent, "li"), b = make(li, "button", {type: "button", className: "turn", textContent: text});
    b.onclick = () => inTurn(() => show(i));
    b.dataset.node = i;
    const p = make(li, "p", {className: "comment", textContent: g.nodes[i].comment});
    p.hidden = !g.nodes[i].comment;
    buttons[i] = [b, p];
  };
  const line = (parent, first, before) => {
    for (let i = first; i !== undefined; i = kids[i][0], before++) {
      item(parent, i, words(g.nodes[i], label(g, before)));
      const [main, ...others] = kids[g.nodes[i].parent];
      if (i !== main || !others.length) continue;
      const fold = make(make(parent, "li"), "details", {open: !g.nodes[i].folded});
      make(fold, "summary", {textContent: `${amount(others.length, "variation")} in place of ${label(g, before)}`});
      fold.ontoggle = () => {
        g.nodes[i].folded = !fold.open;
        keep();
      };
      for (const other of others) line(make(fold, "ol", {className: "list"}), other, before);
    }
  };
  at("turns").replaceChildren();
  item(at("turns"), 0, "First position");
  line(at("turns"), kids[0][0], 0);
}

// Puts nodes in the place of those of the present game, of which node i is shown.
function replace(nodes, i) {
  present().nodes = nodes;
  return show(i);
}

// The study of the whole line that begins with a path.
function lineFrom(g, path) {
  const kids = children(g.nodes);
  while (kids[path.at(-1)].length) path.push(kids[path.at(-1)][0]);
  return studyAt(g, path);
}

// The study of the whole line that goes through the node that is shown.
export const wholeLine = () => lineFrom(present(), pathTo(present().nodes, here));

// Adds a text to what is written about a node, unless it is there.
function write(n, text) {
  if (text && !n.comment.includes(text)) n.comment = n.comment ? `${n.comment} ${text}` : text;
}

// Writes down what has been found about a study, or about a turn that is played there, with a line from there.
export async function writeDown(study, turn, text, turns) {
  const same = g => g.position === study.position && g.number === study.number;
  const g = [present()].find(same) || kept.games.findLast(same);
  if (!g) throw new Error("The game of this position is not there any more: open it again.");
  kept.game = g.id;
  let i = along(g, study.turns || [], false);
  if (turn) i = child(g, i, turn, false);
  write(g.nodes[i], text);
  along(g, [...(study.turns || []), ...turns], false);
  g.nodes = [...g.nodes];
  await show(i);
}

// Takes what a review has found: comments, marks, and other lines.
export async function takeReview(found) {
  const g = present();
  let i = 0;
  const main = children(found.nodes);
  for (let k = main[0][0]; k !== undefined; k = main[k][0]) {
    i = g.nodes.findIndex(n => n.parent === i && n.turn === found.nodes[k].turn);
    if (i < 0) break;
  }
  if (i < 0 || found.position !== g.position || found.number !== g.number) throw new Error("The review is of another game: open it again.");
  const mine = [];
  found.nodes.forEach((n, k) => {
    mine[k] = k ? child(g, mine[n.parent], n.turn, false) : 0;
    const m = g.nodes[mine[k]];
    write(m, n.comment);
    m.sign ||= n.sign;
  });
  g.nodes = [...g.nodes];
  await show(here);
}

const wire = g => ({position: g.position, number: g.number, tags: g.tags,
  nodes: g.nodes.map(({parent, turn, sign, comment}) => ({parent, turn, sign, comment}))});

async function save() {
  const g = present(), name = at("game-name").value.trim();
  const saved = await post("games", {name, version: name === g.name ? g.version : "", game: wire(g)});
  [g.name, g.version] = [saved.name, saved.version];
  keep();
  say(`The game has been saved as ${saved.name}.`);
  await listSaved();
}

let later = 0; // the timer after which a comment is kept
function written() {
  later = 0;
  keep();
}

let listSaved = null; // lists what is saved

export function annotations() {
  document.addEventListener("studied", ({detail}) => follow(detail));
  listSaved = listed("kept-part", {
    path: "games", what: "game",
    open: saved => inTurn(async () => {
      const {name, version, game} = await get("games/" + encodeURIComponent(saved)), g = add({...game, name, version});
      await go(lineFrom(g, [0]));
      say(`The game ${name} has been loaded.`);
    }),
    deleted: name => {
      for (const g of kept.games) if (g.name === name) g.name = g.version = "";
    },
  });
  at("turns").onkeydown = e => {
    const g = present(), {parent} = g.nodes[here], kids = children(g.nodes);
    const beside = by => kids[parent]?.[kids[parent].indexOf(here) + by];
    let to = {ArrowLeft: parent, ArrowRight: kids[here][0], ArrowUp: beside(-1), ArrowDown: beside(1), Home: 0}[e.key];
    if (e.key === "End") for (to = here; kids[to].length;) to = kids[to][0];
    if (e.ctrlKey || e.altKey || e.metaKey || !/^(Arrow|Home|End)/.test(e.key)) return;
    e.preventDefault();
    if (to >= 0) inTurn(() => show(to).then(() => buttons[here][0].focus({preventScroll: true})));
  };
  at("comment").oninput = () => {
    const g = present();
    for (const i of pathTo(g.nodes, here)) delete g.nodes[i].passing;
    g.nodes[here].comment = at("comment").value;
    const [, p] = buttons[here];
    p.textContent = at("comment").value;
    p.hidden = !p.textContent;
    clearTimeout(later);
    later = setTimeout(written, 300);
  };
  at("comment").onblur = written;
  addEventListener("pagehide", () => later && keep());
  at("sign").onchange = ({target: {value}}) => inTurn(() => {
    const g = present();
    for (const i of pathTo(g.nodes, here)) delete g.nodes[i].passing;
    g.nodes[here].sign = value;
    drawn = null;
    keep();
    draw();
  });
  at("promote").onclick = () => inTurn(() => {
    const {nodes} = present(), kids = children(nodes);
    for (const i of pathTo(nodes, here).slice(1)) {
      const list = kids[nodes[i].parent];
      list.unshift(...list.splice(list.indexOf(i), 1));
    }
    const [all, moved] = ordered(nodes, kids);
    return replace(all, moved[here]);
  });
  at("cut").onclick = aside(async () => {
    const {nodes} = present(), i = here, {parent} = nodes[i], kids = children(nodes);
    let below = 0;
    for (const rest = [i]; rest.length; below++) rest.push(...kids[rest.pop()]);
    if ((below > 1 || nodes[i].comment) && !await confirmed(`Delete ${amount(below, "turn")}, with what is written about ${below === 1 ? "it" : "them"}?`)) return;
    kids[parent].splice(kids[parent].indexOf(i), 1);
    const [all, moved] = ordered(nodes, kids);
    await inTurn(() => replace(all, moved[parent]));
  });
  at("annotated").onclick = aside(async () => {
    const g = present(), {text} = await post("annotate", {game: wire(g)});
    download(new Blob([text], {type: "text/plain"}), `${g.name || "game"}.txt`);
  });
  at("game-save").onclick = aside(save);
}
