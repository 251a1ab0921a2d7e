// The game with its comments and variations, as a list of turns, and its file in the workspace. The study is a path in the game,
// or leads on from there while something is only looked at.

import {Refused, get, outlive, post} from "../lib/api.js";
import {at, confirmed, make, say} from "../lib/dom.js";
import {on} from "../lib/events.js";
import {download, listed} from "../lib/files.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import * as documents from "../state/documents.js";
import {label} from "../state/study.js";
import * as tree from "../state/tree.js";
import {amount} from "../state/words.js";
import {go, open, refresh} from "./shown.js";

const most = 12; // games that a window keeps

// kept.games are games as state/tree.js has them, each with an id and doc, its file (state/documents.js). kept.game is the id of
// the one that is shown.
const byId = id => kept.games.find(g => g.id === id);
const present = () => byId(kept.game);
let here = {node: 0, looked: []}; // where the study is in the present game, or the node of the turn that is shown with arrows
let drawn = null; // the nodes that the list shows
let buttons = []; // of the nodes in the list: the button, and the comment below it

const put = g => kept.games = kept.games.map(other => other.id === g.id ? g : other);

// Games that are no more than a line of turns are not saved by themselves, unless they have a file.
const plain = g => tree.children(g).every(c => c.length < 2) && g.nodes.every(n => !n.comment && !n.sign);
const worth = g => g.doc.name || !plain(g);

// Takes an edit of a game, which is saved soon.
function edit(g, {game}) {
  if (game === g) return;
  put({...game, doc: documents.next(g.doc, {type: "edited"})});
  later();
}

// Adds a game. Of those that are kept the oldest one goes, without unsaved edits if there is such a one.
function add(g) {
  kept.lastGame = (kept.lastGame || 0) + 1;
  g = {tags: {}, doc: documents.open(), ...g, id: kept.lastGame};
  if (kept.games.length >= most) {
    const old = kept.games.findIndex(g => !worth(g) || !documents.unsaved(g.doc));
    kept.games = kept.games.filter((_, i) => i !== Math.max(old, 0));
  }
  kept.games = [...kept.games, g];
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
  const g = {...tree.begin({position, number, tags: given || {}}), ...(nodes && {nodes})};
  add(tree.along(g, found?.study.turns || []).game);
}

// Begins a new game with the study as it is, and returns its id.
export function restart() {
  begin();
  follow({looking: false});
  return kept.game;
}

// Makes the turns of a study the main line of a game.
export function mainLine(id, {turns = []}) {
  const g = byId(id);
  if (!g) return; // it was one of too many
  const {game, node} = tree.along(g, turns);
  edit(g, tree.isMain(game, node) ? {game} : tree.promote(game, node));
}

// Follows the study: it is a path of the present game, or of another one from the same position, or begins a new one. Turns that
// were ended are added; those that are only looked at are not.
function follow({looking}) {
  const {position, number, turns = [], steps} = kept.study;
  const same = g => g && g.position === position && g.number === number;
  let g = [present()].find(same) || kept.games.findLast(same);
  const fresh = !g;
  g ||= add(tree.begin({position, number}));
  kept.game = g.id;
  if (fresh) put(tree.along(g, turns).game);
  else if (!looking && !steps) edit(g, tree.along(g, turns));
  g = present();
  here = tree.locate(g, turns);
  const shown = kept.show && !here.looked.length ? tree.locate(g, [kept.show], here.node) : here;
  if (shown.node !== here.node) here = shown;
  const revealed = tree.reveal(g, here.node);
  if (revealed !== g) put(revealed);
  draw();
}

// The node of what the board shows, which is added if it was only looked at.
function adopted() {
  const g = present(), {game, node} = tree.along(g, here.looked, here.node);
  edit(g, {game});
  here = {node, looked: []};
  return node;
}

const words = (n, l) => `${l} ${n.turn || "pass"}${n.sign ? " " + n.sign : ""}`;

// Shows a node: its turn with arrows, or the first position.
function show(i) {
  const g = present();
  return go(tree.studyAt(g, i ? g.nodes[i].parent : 0), g.nodes[i].turn);
}

function draw() {
  const g = present(), {node, looked} = here;
  if (drawn !== g.nodes) list(g);
  buttons.forEach(([b], i) => {
    if (i === node && !looked.length) b.setAttribute("aria-current", "true");
    else b.removeAttribute("aria-current");
  });
  scroll();
  const played = [...tree.turns(g, node), ...looked], n = looked.length ? {comment: "", sign: ""} : g.nodes[node];
  const about = played.length ? `${label(g, played.length - 1)} ${played.at(-1) || "pass"}` : "the first position";
  at("comment-label").textContent = `Comment on ${about}`;
  if (at("comment").value !== n.comment) at("comment").value = n.comment;
  at("sign").value = n.sign;
  at("sign").disabled = !played.length;
  at("cut").disabled = !node || looked.length > 0;
  at("promote").disabled = looked.length > 0 || tree.isMain(g, node);
  const players = g.tags.Gold || g.tags.Silver ? `${g.tags.Gold || "unknown"} against ${g.tags.Silver || "unknown"}` : "";
  at("game-about").textContent = [players, g.tags.Event, g.tags.Date].filter(Boolean).join(", ");
  drawFile(g);
}

// Scrolls the list to the present turn, where that is out of sight.
function scroll() {
  const [b] = buttons[here.node], box = at("turns");
  const top = b.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (top < 0 || top > box.clientHeight - b.offsetHeight) box.scrollTop += top - box.clientHeight / 2;
}

let named = ""; // the game whose name the field shows, which a person may be changing

function drawFile({id, doc}) {
  const now = `${id} ${doc.name}`;
  if (now !== named && document.activeElement !== at("game-name")) at("game-name").value = doc.name;
  named = now;
  if (at("game-state").textContent !== documents.words(doc)) at("game-state").textContent = documents.words(doc);
  at("game-conflict").hidden = documents.todo(doc) !== "ask";
  at("game-theirs").hidden = !doc.theirs;
}

// Lists the turns, with the variations below the turn in place of which they are played.
function list(g) {
  const kids = tree.children(g), mine = buttons = []; // a list that was replaced may still report that it was unfolded
  drawn = g.nodes;
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
      const details = make(make(parent, "li"), "details", {open: !g.nodes[i].folded});
      make(details, "summary", {textContent: `${amount(others.length, "variation")} in place of ${label(g, before)}`});
      details.ontoggle = () => {
        const now = present();
        if (buttons !== mine || now?.nodes !== drawn || !!now.nodes[i].folded === !details.open) return;
        const folded = tree.fold(now, i, !details.open);
        put(folded);
        drawn = folded.nodes; // the list shows it already
        keep();
      };
      for (const other of others) line(make(details, "ol", {className: "list"}), other, before);
    }
  };
  at("turns").replaceChildren();
  item(at("turns"), 0, "First position");
  line(at("turns"), kids[0][0], 0);
}

// Takes an edit of the present game, and shows its node.
function replace(edited) {
  edit(present(), edited);
  return show(edited.node);
}

// The study of the whole line that goes through the node that is shown.
export const wholeLine = () => tree.studyAt(present(), tree.endOf(present(), here.node));

// Writes down what has been found about a study, or about a turn that is played there, with a line from there.
export async function writeDown(study, turn, text, turns) {
  const same = g => g.position === study.position && g.number === study.number;
  const g = [present()].find(same) || kept.games.findLast(same);
  if (!g) throw new Error("The game of this position is not there any more: open it again.");
  kept.game = g.id;
  const played = study.turns || [], {game, node} = tree.along(g, turn ? [...played, turn] : played);
  edit(g, tree.along(tree.write(game, node, text).game, [...played, ...turns]));
  await show(node);
}

// Takes what a review has found: comments, marks, and other lines where a win was missed.
export async function takeReview(found) {
  const game = tree.merge(present(), found);
  if (!game) throw new Error("The review is of another game: open it again.");
  edit(present(), {game});
  await go(kept.study, kept.show);
}

// What has happened to the file of a game.
function happened(id, event) {
  const g = byId(id);
  if (!g) return;
  put({...g, doc: documents.next(g.doc, event)});
  keep();
  if (id === kept.game) drawFile(present());
}

const short = 60_000; // characters of a request that outlives the page

let sent = Promise.resolve(); // after the last request that changes a file
const oneByOne = action => sent = sent.catch(() => {}).then(action);

// Saves a game as it is now. One that has no file yet gets a name.
async function send(id, name) {
  const g = byId(id), today = new Date().toLocaleDateString("sv"); // as 2026-01-31
  const body = {...documents.request(g.doc, tree.wire(g), documents.suggestion(g.tags, today)), ...(name && {name})};
  happened(id, {type: "sending"});
  try {
    const saved = await (JSON.stringify(body).length < short ? outlive : post)("games", body);
    happened(id, {type: "saved", name: saved.name, version: saved.version});
  } catch (error) {
    if (name) happened(id, {type: "unsent", was: g.doc});
    else if (error instanceof Refused && error.status === 409) await refused(g, error);
    else happened(id, {type: "failed", error: error.message});
    throw error;
  }
}

// Saves a game under a name that a person has typed: its file gets this name.
async function sendAs(id, name) {
  const {doc} = byId(id);
  if (!doc.name || name === doc.name) return send(id, doc.name ? "" : name);
  const renamed = await post(`games/${encodeURIComponent(doc.name)}/rename`, {to: name, version: doc.version});
  happened(id, {type: "renamed", name: renamed.name, version: renamed.version});
  return send(id);
}

// The file has another version than the one that was named. Others wrote it, or this window did before a reload and missed the
// answer.
async function refused(g, error) {
  const theirs = await get("games/" + encodeURIComponent(g.doc.name)).catch(() => null);
  if (!theirs) return happened(g.id, {type: "removed"});
  const [one, other] = await Promise.all([tree.wire(g), theirs.game].map(game => post("annotate", {game})));
  if (one.text === other.text) happened(g.id, {type: "saved", name: theirs.name, version: theirs.version});
  else happened(g.id, {type: "refused", error: error.message, version: theirs.version});
}

// Saves all games whose edits are in no file.
async function save() {
  const due = id => ["save", "retry"].includes(documents.todo(byId(id)?.doc || {})) && worth(byId(id));
  for (const id of kept.games.map(g => g.id).filter(due)) {
    if (!await workspace) happened(id, {type: "nowhere"});
    else await oneByOne(() => due(id) && send(id)).catch(() => {}); // it is said beside the name
    const doc = byId(id)?.doc;
    if (doc?.state === "failed") timer ||= setTimeout(written, 10_000);
    else if (due(id)) later(); // it was edited meanwhile
  }
}

let workspace = null; // whether there is one: a promise
let timer = 0; // until edits are kept and saved
function later() {
  clearTimeout(timer);
  timer = setTimeout(written, 300);
}

function written() {
  clearTimeout(timer);
  timer = 0;
  keep();
  return save();
}

// Reports whether closing the page would lose an edit: it is not saved, and no request that outlives the page carries it.
const loses = g => worth(g) && documents.loses(g.doc, JSON.stringify(tree.wire(g)).length < short);

// Loads what others wrote in place of the edits, or saves the edits as another game.
const resolve = {
  "game-mine": async () => {
    happened(kept.game, {type: "copy"});
    await written();
  },
  "game-theirs": async () => {
    const {doc, id} = present(), {version, game} = await get("games/" + encodeURIComponent(doc.name));
    await inTurn(() => take(id, version, game));
  },
};

// Takes a game as its file has it now. The board stays where it is.
async function take(id, version, game) {
  const g = byId(id);
  put({...g, ...game, tags: game.tags || {}, doc: documents.next(g.doc, {type: "loaded", version})});
  if (id === kept.game) await refresh();
}

// What the studio reports of a file of the workspace.
async function fileChanged({kind, name, version}) {
  if (kind !== "games") return;
  for (const {id} of kept.games.filter(g => g.doc.name === name)) {
    happened(id, version ? {type: "changed", version} : {type: "removed"});
    if (documents.todo(byId(id).doc) !== "load") continue;
    const found = await get("games/" + encodeURIComponent(name)).catch(() => null); // it may be gone by now
    if (found && documents.todo(byId(id)?.doc || {}) === "load") await inTurn(() => take(id, found.version, found.game));
  }
}

// Compares the files of the games with those that are listed: the page hears of no change while it is not seen.
async function compareFiles() {
  const named = kept.games.map(g => g.doc.name).filter(Boolean);
  if (!named.length) return;
  const {games, more} = await get("games");
  for (const name of named) {
    const file = games.find(f => f.name === name);
    if (file || !more) await fileChanged({kind: "games", name, version: file?.version || ""});
  }
}

export function annotations() {
  kept.games = (kept.games || []).map(g => ({...g, doc: documents.again(g.doc)}));
  workspace = get("games").then(() => true, error => !(error instanceof Refused) || error.status === 401); // without a token nobody knows
  later(); // what was not saved before the page was loaded again
  document.addEventListener("studied", ({detail}) => follow(detail));
  document.addEventListener("place", () => buttons.length && scroll()); // what is hidden has no place to scroll to
  on("file", fileChanged);
  on("ready", () => aside(compareFiles)());
  const listSaved = listed("kept-part", {
    path: "games", what: "game",
    open: saved => inTurn(async () => {
      const {name, version, game} = await get("games/" + encodeURIComponent(saved));
      const had = kept.games.find(g => g.doc.name === name), fresh = {...game, tags: game.tags || {}, doc: documents.open({name, version})};
      kept.game = had ? had.id : add(fresh).id;
      if (had && !documents.unsaved(had.doc)) put({...had, ...fresh});
      await open(tree.studyAt(present(), tree.endOf(present(), 0)));
      say(`The game ${name} has been loaded.`);
    }),
    deleted: name => {
      for (const g of kept.games) if (g.doc.name === name) put({...g, doc: documents.open()});
      draw();
    },
  });
  at("turns").onkeydown = e => {
    if (e.ctrlKey || e.altKey || e.metaKey || !/^(Arrow|Home|End)/.test(e.key)) return;
    e.preventDefault();
    const to = here.looked.length && e.key === "ArrowLeft" ? here.node : tree.walk(present(), here.node, e.key);
    if (to !== undefined) inTurn(() => show(to).then(() => buttons[here.node][0].focus({preventScroll: true})));
  };
  at("comment").oninput = () => {
    const comment = at("comment").value, node = adopted();
    edit(present(), tree.annotate(present(), node, {comment}));
    if (!buttons[node]) return draw();
    drawn = present().nodes;
    const [, p] = buttons[node];
    p.textContent = comment;
    p.hidden = !comment;
  };
  at("comment").onblur = () => timer && written();
  addEventListener("pagehide", () => written());
  document.addEventListener("visibilitychange", () => document.hidden && timer && written());
  addEventListener("beforeunload", e => {
    if (kept.games.some(loses)) e.preventDefault();
  });
  at("sign").onchange = ({target: {value: sign}}) => inTurn(() => {
    const node = adopted();
    edit(present(), tree.annotate(present(), node, {sign}));
    keep();
    draw();
  });
  at("promote").onclick = () => inTurn(() => replace(tree.promote(present(), here.node)));
  at("cut").onclick = aside(async () => {
    const g = present(), {node} = here, below = tree.size(g, node);
    const question = `Delete ${amount(below, "turn")}, with what is written about ${below === 1 ? "it" : "them"}?`;
    if ((below > 1 || g.nodes[node].comment) && !await confirmed(question)) return;
    if (present() === g) await inTurn(() => replace(tree.cut(g, node)));
  });
  at("annotated").onclick = aside(async () => {
    const g = present(), {text} = await post("annotate", {game: tree.wire(g)});
    download(new Blob([text], {type: "text/plain"}), `${g.doc.name || "game"}.txt`);
  });
  at("game-save").onclick = aside(async () => {
    const {id} = present(), name = at("game-name").value.trim();
    await oneByOne(() => sendAs(id, name));
    say(`The game has been saved as ${byId(id).doc.name}.`);
    await listSaved();
  });
  for (const id in resolve) at(id).onclick = aside(resolve[id]);
}
