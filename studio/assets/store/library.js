// What the library holds: files of the workspace, and a database of games, if the studio has one.

import {file as blob, get, post, remove} from "../lib/api.js";
import {on} from "../lib/events.js";
import {computed, signal} from "../lib/view.js";
import {happened} from "../state/desk.js";
import {file, fileName, filter, freeName, setUp, stored} from "../state/library.js";
import {alone} from "../state/study.js";
import {amount} from "../state/words.js";
import {visit} from "./address.js";
import {list} from "./archives.js";
import {desk, start, update} from "./desk.js";
import {fileDeleted} from "./files.js";
import {kept} from "./kept.js";
import {confirmed, forget, guarded, say, tell} from "./messages.js";
import {openSet, trainDraft} from "./sets.js";

// The kinds of files: where the API has them, and the words for one and for several.
export const kinds = {
  games: {path: "games", field: "games", what: "game", label: "Games"},
  archives: {path: "archives", field: "archives", what: "archive", label: "Archives"},
  searches: {path: "saved", field: "searches", what: "search", label: "Searches"},
  certificates: {path: "certificates", field: "certificates", what: "certificate", label: "Certificates"},
  runs: {path: "runs", field: "runs", what: "run", label: "Runs"},
};

const lists = signal({}); // by kind: {rows, more, error}
const asked = {}; // how often each was asked for

// The files of the workspace as rows of a list, those of all kinds, the last changed first; whether there are more than are
// listed; and why those of a kind could not be listed.
export const files = computed(() => Object.keys(kinds).flatMap(kind => lists.value[kind]?.rows || [])
  .sort((a, b) => b.changed - a.changed));
export const more = computed(() => Object.values(lists.value).some(l => l.more));
export const broken = computed(() => Object.values(lists.value).map(l => l.error).find(Boolean) || "");
export const listed = computed(() => Object.keys(lists.value).length === Object.keys(kinds).length);

async function load(kind) {
  const {path, field, what} = kinds[kind], count = asked[kind] = (asked[kind] || 0) + 1;
  let found;
  try {
    const answer = await get(path);
    found = {rows: answer[field].map(f => file(kind, what, f)), more: answer.more, error: ""};
  } catch (error) {
    found = {rows: [], more: false, error: error.status === 404 ? "" : error.message};
  }
  if (count === asked[kind]) lists.value = {...lists.value, [kind]: found};
}

// Lists all files. From then on the lists follow what the studio reports.
export const loadAll = () => Promise.all(Object.keys(kinds).map(load));

on("file", event => {
  const kind = Object.keys(kinds).find(k => [k, kinds[k].path].includes(event.kind));
  if (kind && asked[kind]) load(kind);
});
on("ready", () => asked.games && loadAll());

const pathOf = ({of, name}) => `${kinds[of].path}/${encodeURIComponent(name)}`;

// Renames the file of a row. A game that a window has open keeps its file.
export async function rename(row, to) {
  const renamed = await post(pathOf(row) + "/rename", {to, version: row.version});
  if (row.of === "games") {
    for (const {id} of desk.value.games.filter(g => g.doc.name === row.name)) {
      update(d => happened(d, id, {type: "renamed", name: renamed.name, version: renamed.version}));
    }
  }
  say(`${row.name} is now ${renamed.name}.`);
  await load(row.of);
}

// Deletes the file of a row, after a question.
export const erase = guarded(async row => {
  if (!await confirmed(`Delete the ${row.kind} ${row.name} from the workspace?`)) return;
  if (row.of === "games") fileDeleted(row.name);
  await remove(pathOf(row));
  if (row.of === "archives" && list.value?.name === row.name) list.value = null;
  say(`The ${row.kind} ${row.name} has been deleted.`);
  await load(row.of);
});

// A certificate or a run of the workspace, as a blob.
export const blobOf = row => blob(pathOf(row));

// Puts an archive into the workspace, and shows it there.
export const importArchive = guarded(async source => {
  const name = freeName(fileName(source.name), (lists.value.archives?.rows || []).map(r => r.name));
  const importing = tell(`Importing ${source.name}.`);
  const {games} = await post("archives/" + encodeURIComponent(name), source).finally(() => forget(importing));
  tell(`${source.name} is in the Library now, as ${name}${games === undefined ? "" : `: ${amount(games, "game")}`}.`);
  await load("archives");
  visit({place: "library", kind: "archives", name});
});

// The database.
export const info = signal(null); // GET /api/library
export const loadInfo = async () => info.value = await get("library");

const perPage = 50;

const root = {gold: "", silver: "", line: []};

// What is asked of the database: the tab, the fields of the form, how each tab is sorted and from where it is listed, by what
// games are counted, and how far one went in the tree of openings. The field here is {study, position}: a position that stood on
// the board, however it goes on there.
export const asking = kept("database", was => was || {tab: "games", fields: {}, sort: "", falling: false, by: "player", from: 0, ...root});

const ofGames = ["player", "opponent", "gold", "silver", "rating", "date", "event", "source", "name", "number", "result", "ending", "turns",
  "setup", "twins", "finding", "win_in"];
const ofBoards = ["here", "material", "endgame", "pattern"], mirrors = ["mirrored", "exchanged"];

// The fields of the form that each tab asks by.
export const fields = {
  games: [...ofGames, ...ofBoards, ...mirrors], findings: [...ofGames, ...ofBoards, ...mirrors], stats: [...ofGames, ...ofBoards, ...mirrors],
  puzzles: ["source", "name", "win_in", "game_number", "themes", "difficulty", "unique", "all", "here", "pattern", ...mirrors],
  openings: [...ofGames, "here", ...mirrors],
};
export const sorts = {games: ["id", "date", "rating", "turns", "event", "gold", "silver"], puzzles: ["id", "difficulty"]};
sorts.findings = sorts.games;

// The answer: {tab, rows, groups, tree, more, total, error}; null before the first one. waits says that another is on its way.
export const answer = signal(null);
export const waits = signal(false);

const filterOf = tab => filter(asking.value.fields, fields[tab]);
const order = tab => ({sort: sorts[tab].includes(asking.value.sort) ? asking.value.sort : "id", falling: asking.value.falling});

const questions = {
  async games(ask, page) {
    const body = {filter: filterOf("games")};
    const [found, {games: total}] = await Promise.all([ask("games", {...body, ...order("games"), ...page}), ask("count", body)]);
    return {rows: found.games.map(g => stored("games", g)), more: found.more, total};
  },
  async findings(ask, page) {
    const found = await ask("findings", {filter: filterOf("findings"), ...order("findings"), ...page});
    return {rows: found.findings.map(f => stored("findings", f)), more: found.more};
  },
  async puzzles(ask, page) {
    const found = await ask("puzzles", {filter: filterOf("puzzles"), ...order("puzzles"), ...page});
    return {rows: found.puzzles.map(p => stored("puzzles", p)), more: found.more};
  },
  async openings(ask, page) {
    const {gold, silver, line} = asking.value, asked = filterOf("openings");
    if (asked.study) asked.study = {...asked.study, turns: [...asked.study.turns, ...line]};
    else if (silver) asked.study = {position: setUp(gold, silver), number: 2, turns: line};
    const tree = await ask("tree", {filter: asked, after: asked.study ? "" : gold, ...page});
    return {tree, more: tree.more};
  },
  async stats(ask, page) {
    const found = await ask("stats", {filter: filterOf("stats"), by: asking.value.by, ...page});
    return {groups: found.groups, seated: found.seated, more: found.more};
  },
};

let last = new AbortController(); // of the last question: the one before is withdrawn, so that it keeps nobody waiting

// Asks the database for what asking says.
async function consult() {
  const {tab, from} = asking.value;
  last.abort();
  const {signal} = last = new AbortController(), ask = (what, body) => post("library/" + what, body, signal);
  waits.value = true;
  const found = await questions[tab](ask, {offset: from, limit: perPage}).catch(error => ({error: error.message}));
  if (signal.aborted) return;
  waits.value = false;
  answer.value = {tab, from, rows: [], ...found};
}

// Changes what is asked, from the first row on unless from is given, and asks.
export function query(change) {
  asking.value = {...asking.value, from: 0, ...change};
  return consult();
}

// Fills fields in, or clears them all: the tree of openings begins anew. unfold leads to another branch of it. fillHere asks for
// the position that stands on the board, or not.
export const fill = change => query({fields: {...asking.value.fields, ...change}, ...root});
export const fillHere = guarded(async on => {
  const study = start.value;
  await fill({here: on && {study, position: alone(await post("view", {study}))}});
});
export const clear = () => query({fields: {}, ...root});
export const unfold = change => query({...root, ...change});

// Begins to train on the findings or puzzles that are listed: those of this page and the next ones, up to 200.
export const train = guarded(async () => {
  const {tab, from} = asking.value;
  const {text, count, more: others} = await post("library/exercises", {[tab]: filterOf(tab), ...order(tab), offset: from, limit: 200});
  if (!count) throw new Error("None of them can be trained on.");
  openSet(text, `${tab} of ${info.value?.name || "the database"}`);
  await trainDraft();
  if (others) tell(`The first ${count} are in the set.`);
});
