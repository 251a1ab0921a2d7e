// The files of the games in the workspace. A game is saved as one types, it follows what other windows write, and nothing that
// somebody wrote is lost without a question (state/documents.js).

import {Refused, get, outlive, post} from "../lib/api.js";
import {on} from "../lib/events.js";
import {computed, effect, signal} from "../lib/view.js";
import * as state from "../state/desk.js";
import * as documents from "../state/documents.js";
import {same} from "../state/study.js";
import * as tree from "../state/tree.js";
import {opens, visit} from "./address.js";
import {board, desk, game, openGame, openStudy, setMode, study, turnTo, update} from "./desk.js";
import {failed, guarded, say} from "./messages.js";

const short = 60_000; // bytes of a request that outlives the page
const pause = 400, patience = 10_000; // milliseconds until edits are saved, and until a failure is tried again

const byId = id => state.byId(desk.value, id);
const happened = (id, event, loaded) => update(d => state.happened(d, id, event, loaded));
const path = name => "games/" + encodeURIComponent(name);
const size = g => new Blob([JSON.stringify(tree.wire(g))]).size;

// How the present game is saved, in words, or "".
export const savedState = computed(() => {
  const g = game.value, {state: now, edits} = g.doc;
  return state.worth(g) || now !== "dirty" ? documents.words(g.doc) : edits ? "In no file: a name saves it." : "";
});
export const nameError = signal(""); // why the name that was typed last was refused
// Where its file was changed or removed elsewhere, {theirs}: whether there is a file that could be taken; else null.
export const conflict = computed(() => documents.todo(game.value.doc) === "ask" ? {theirs: !!game.value.doc.theirs} : null);

// Games whose edits are in no file, and can be saved now.
const due = (g, ...what) => !!g && what.includes(documents.todo(g.doc)) && state.worth(g);

let sent = Promise.resolve(); // after the last request that changes a file
const oneByOne = action => sent = sent.catch(() => {}).then(action);

const unanswered = new Map(); // games as they were sent last in vain, or without an answer, by their ids

async function sameText(...games) {
  const [one, other] = await Promise.all(games.map(game => post("annotate", {game})));
  return one.text === other.text;
}

// Reports whether a game in a file is what this window may have sent without having had the answer: nothing of others is in it.
const sentAs = async (g, theirs) => tree.holds(g, theirs) || unanswered.has(g.id) && sameText(unanswered.get(g.id), theirs);

const recently = 60_000; // milliseconds

// The file that a game got with a request whose answer was lost, or null: the newest one.
async function missed(g) {
  const {games} = await get("games"), [newest] = games.sort((a, b) => b.changed.localeCompare(a.changed));
  if (!newest || Date.now() - Date.parse(newest.changed) > recently || desk.value.games.some(other => other.doc.name === newest.name)) return null;
  return await sentAs(g, (await get(path(newest.name))).game) ? newest : null;
}

// Saves a game as it is now. One that has no file yet gets a name. leaves says that the page closes.
async function send(id, name, leaves = false) {
  const g = byId(id), today = new Date().toLocaleDateString("sv"); // as 2026-01-31
  happened(id, {type: "sending"});
  try {
    const {name: file, version} = !name && !g.doc.name && g.doc.unsure && !leaves && await missed(g) || g.doc;
    const body = {...documents.request({name: file, version}, tree.wire(g), documents.suggestion(g.tags, today)), ...(name && {name})};
    const saved = await (size(g) < short ? outlive : post)("games", body);
    happened(id, {type: "saved", name: saved.name, version: saved.version});
  } catch (error) {
    if (name) happened(id, {type: "unsent", was: g.doc});
    else if (error instanceof Refused && error.status === 409) await refused(g, error);
    else {
      unanswered.set(id, tree.wire(g));
      const advice = error.status === 413 ? " Shorten a comment, or delete variations." : "";
      happened(id, {type: "failed", unsure: !error.status, error: error.message + advice});
    }
    throw error;
  }
}

// The file has another version than the one that was named. Others wrote it, or this window did before a reload and missed the
// answer.
async function refused(g, error) {
  const theirs = await get(path(g.doc.name)).catch(failure => ({version: failure.status === 404 ? null : undefined}));
  if (!theirs.version) return happened(g.id, {type: "refused", error: error.message, version: theirs.version});
  if (await sameText(tree.wire(g), theirs.game)) happened(g.id, {type: "saved", name: theirs.name, version: theirs.version});
  else if (g.doc.unsure && await sentAs(g, theirs.game)) happened(g.id, {type: "known", version: theirs.version});
  else happened(g.id, {type: "refused", error: error.message, version: theirs.version});
}

// Whether there is a workspace: a promise. Without an answer nobody knows.
const workspace = get("games").then(() => true, error => !(error instanceof Refused) || error.status === 401);

let timer = 0; // until edits are saved

// Saves all games whose edits are in no file.
async function save() {
  clearTimeout(timer);
  timer = 0;
  for (const {id} of desk.value.games.filter(g => due(g, "save", "retry"))) {
    if (!await workspace) happened(id, {type: "nowhere"});
    else await oneByOne(() => due(byId(id), "save", "retry") && send(id)).catch(() => {}); // it is said beside the name
  }
}

// Saves what is due while the page closes: there is no time to wait for answers.
function leave() {
  for (const g of desk.value.games.filter(g => due(g, "save"))) send(g.id, "", true).catch(() => {});
}

// Reports whether closing the page would lose an edit: it is not saved, and no request that outlives the page carries it.
function loses() {
  let room = short;
  return desk.value.games.some(g => state.worth(g) && documents.unsaved(g.doc) && documents.loses(g.doc, (room -= size(g)) > 0));
}

// Gives the present game a name that a person has typed: its file is renamed, or a new one has this name.
export async function saveAs(name) {
  const {id} = game.value;
  nameError.value = "";
  const named = await oneByOne(async () => {
    const {doc} = byId(id);
    if (!doc.name) return send(id, name).then(() => true);
    if (name === doc.name) return undefined;
    const renamed = await post(path(doc.name) + "/rename", {to: name, version: doc.version});
    happened(id, {type: "renamed", name: renamed.name, version: renamed.version});
    return true;
  }).catch(error => {
    nameError.value = error.message;
  });
  if (named) say(`The game is saved as ${byId(id).doc.name}.`);
}

// Keeps the present game, which has another file now, as a new one.
export const keepMine = () => {
  happened(game.value.id, {type: "copy"});
  return save();
};

// Takes the file of the present game in place of its edits.
export const takeTheirs = guarded(async () => {
  const {doc, id} = game.value, {version, game: theirs} = await get(path(doc.name));
  await take(id, version, theirs);
});

// Takes a game as its file has it now. The board stays where it is.
const take = (id, version, theirs) => board.inTurn(async () => {
  happened(id, {type: "loaded", version}, {...theirs, tags: theirs.tags || {}});
  if (!same(board.view.value.study, study.value)) await board.visit(study.value);
});

// Reports whether a version of the file of a game is one that this window has sent, without having had the answer.
async function wrote(id, version) {
  const {doc} = byId(id), found = await get(path(doc.name)).catch(() => null), g = byId(id);
  if (found?.version !== version || !g?.doc.unsure || g.doc.own.includes(version) || !await sentAs(g, found.game)) return false;
  happened(id, {type: "known", version});
  return true;
}

// What the studio reports of a file of the workspace.
async function changed({kind, name, version}) {
  if (kind !== "games") return;
  for (const {id} of desk.value.games.filter(g => version && g.doc.theirs === null && g.doc.version === version)) {
    happened(id, {type: "renamed", name, version}); // it was removed, and is there with another name
  }
  for (const {id} of desk.value.games.filter(g => g.doc.name === name)) {
    if (version && byId(id).doc.unsure && await wrote(id, version)) continue;
    happened(id, version ? {type: "changed", version} : {type: "removed"});
    const wanted = () => byId(id) && documents.todo(byId(id).doc) === "load";
    if (!wanted()) continue;
    const found = await get(path(name)).catch(() => null); // it may be gone by now
    if (found && wanted()) await take(id, found.version, found.game);
  }
}

// Compares the files of the games with those that are listed: the page hears of no change while it is not seen.
async function compare() {
  const named = desk.value.games.map(g => g.doc.name).filter(Boolean);
  if (!named.length || !await workspace) return;
  const {games, more} = await get("games");
  for (const name of named) {
    const file = games.find(f => f.name === name);
    if (file || !more) await changed({kind: "games", name, version: file?.version || ""});
  }
}

// Opens a game of the workspace at the place of a node (state/tree.js), or else at its end. One that is open is shown.
export async function openFile(name, at) {
  const known = desk.value.games.find(g => g.doc.name === name);
  setMode("analyse");
  if (known && (at || known.id !== desk.value.present)) {
    const node = at ? tree.nodeAt(known, at) : tree.endOf(known, 0);
    await turnTo(known.id, node);
  } else if (!known) {
    const found = await get(path(name)), g = {...found.game, tags: found.game.tags || {}};
    g.doc = documents.open({name: found.name, version: found.version});
    await openGame(g, at ? tree.nodeAt(g, at) : undefined);
  }
  visit({place: "board"});
  say(`The game ${name} is open.`);
}

// Begins an empty game.
export const newGame = async () => {
  setMode("analyse");
  await openStudy(state.opening);
};

// Forgets the file of a game that this window deletes: say so before the request. The game stays open, without a file.
export const fileDeleted = name => update(d => state.unfiled(d, name));

// The present game as a text, with comments and variations: {name, text}.
export async function exported() {
  const g = game.value, {text} = await post("annotate", {game: tree.wire(g)});
  return {name: `${g.doc.name || "game"}.txt`, text};
}

opens("game", ({name, at}) => openFile(name, at));
on("file", data => changed(data).catch(failed));
on("ready", () => compare().catch(failed));
effect(() => {
  if (!desk.value.games.some(g => due(g, "save"))) return;
  clearTimeout(timer);
  timer = setTimeout(save, pause);
});
effect(() => {
  if (desk.value.games.some(g => due(g, "retry"))) timer ||= setTimeout(save, patience);
});
addEventListener("pagehide", leave);
document.addEventListener("visibilitychange", () => document.hidden && timer && save());
addEventListener("beforeunload", e => loses() && e.preventDefault());
