// Games and positions of a text, or of an archive, as a list. An archive is an index of its rows: the studio keeps nothing of it,
// and a game is a part of the file.

import {get, post} from "../lib/api.js";
import {computed, effect, signal} from "../lib/view.js";
import {about, missedWins} from "../state/library.js";
import {key} from "../state/study.js";
import {size} from "../state/words.js";
import {jobs} from "./studio.js";

const mostArchive = 64 * 2 ** 20; // bytes

// What is listed, or null: {kind: "text" or "archives", name, rows, more, file, games}. file is what can be put into the
// workspace, or null. Rows are as of ui/lists.js, with open, which finds what stands in the row, and error.
export const list = signal(null);
export const sought = signal({text: "", from: 0}); // in the list
const opened = signal({}); // the keys of studies that were opened, by the id of the row

let asked = 0; // lists: only the one that was asked for last is shown

function show(found) {
  asked++;
  sought.value = {text: "", from: 0};
  opened.value = {};
  list.value = found;
}

// Lists what was found in a text (POST /api/open). file is as of list.
export const listFound = (answer, name, file = null) => show({kind: "text", name, file, more: answer.more, games: answer.counts.games > 1,
  rows: answer.found.map((f, i) => ({id: `${i}`, kind: answer.kind === "mixed" ? f.game ? "game" : "position" : "", error: f.error,
    open: async () => f,
    ...f.game ? about(f.game, f.error, i) : {label: f.about, note: f.error || (f.notes || []).join(" "), position: f.study.position}}))});

// Lists the rows of an archive. read(header, offset, bytes) asks for what a row holds.
const listIndex = (index, found, read) => show({...found, more: index.more, games: true,
  rows: index.games.map((g, i) => ({id: `${i}`, kind: "", error: g.turns ? "" : g.error || "The game has no turns.", ...about(g, g.error, i),
    open: async () => (await read(index.header, g.offset, g.bytes)).found[0]}))});

// Lists the games of a large file.
export async function listFile(file) {
  if (file.size > mostArchive) throw new Error(`${file.name} has more than ${size(mostArchive)}: goalproof library import reads it.`);
  listIndex(await post("archive", file), {kind: "text", name: file.name, file}, async (header, offset, bytes) => {
    const row = new Blob([file.slice(0, header), file.slice(offset, offset + bytes)]);
    return post("read", {text: await row.text(), name: file.name, side: ""});
  });
}

// Lists the games of an archive of the workspace, unless they are listed.
export async function listArchive(name) {
  if (list.value?.kind === "archives" && list.value.name === name) return;
  list.value = null;
  const path = "archives/" + encodeURIComponent(name), mine = ++asked;
  const index = await get(path).catch(error => {
    if (mine === asked) throw error;
  });
  if (mine === asked) listIndex(index, {kind: "archives", name, file: null},
    (header, offset, bytes) => get(`${path}/game?header=${header}&offset=${offset}&bytes=${bytes}`));
}

// Remembers which study a row has led to: what its review finds stands in the row.
export const remember = (row, study) => opened.value = {...opened.value, [row.id]: key(study)};

const missed = signal({}); // what reviews have found, by the key of their study
const reviews = new Set(); // the ids of those whose findings are there, or on their way

// Asks what the reviews of this studio are about, while something is listed.
effect(() => {
  if (!list.value) return;
  for (const {id, missed: found} of Object.values(jobs.value.jobs).filter(j => j.missed && !reviews.has(j.id))) {
    reviews.add(id);
    get("jobs/" + id).then(({request}) => missed.value = {...missed.value, [key(request.study)]: found}, () => reviews.delete(id));
  }
});

// The rows that are listed, with what reviews have found.
export const rows = computed(() => {
  const all = list.value?.rows || [], was = opened.value, known = missed.value;
  return all.map(r => known[was[r.id]] ? {...r, note: `${r.note}. ${missedWins(known[was[r.id]])}`} : r);
});
