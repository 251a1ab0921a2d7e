// Sets of puzzles: the collection, and what jobs have verified or mined. The address of the place Puzzles says which one
// is shown: "collection", the id of a job, or "new" for a text that is still to be verified or mined.

import {file, get, post} from "../lib/api.js";
import {on} from "../lib/events.js";
import {download, mostText} from "../lib/files.js";
import {computed, effect, signal, untracked} from "../lib/view.js";
import {ending, over, serial} from "../state/jobs.js";
import {exercises as winsOf, nameOf} from "../state/sets.js";
import {located} from "../state/words.js";
import {place, visit} from "./address.js";
import {kept} from "./kept.js";
import {guarded, once, say, tell} from "./messages.js";
import {begin, facts, followed, jobs, stop as stopJob} from "./studio.js";

export const collection = "collection", fresh = "new";

const last = kept("set", was => was || collection); // the set that was shown last

// The set that is shown: {id, kind, rows, job, compared, changes, gone}. kind is collection, new, verify, mine or "" while it is
// not known; rows are as of state/sets.js; compared says what a comparison has found, and changes has its parts, by the index of
// the row; gone: the studio does not have the job any more.
const none = {id: "", kind: "", rows: [], job: null, compared: "", changes: {}, gone: false};
export const set = signal(none);
const update = more => set.value = {...set.value, ...more};

export const tab = kept("set-tab", was => was || "train"); // of the set: train, verify or mine

// The sets that there are: {id, name}, the newest job first.
export const sets = computed(() => {
  const all = Object.values(jobs.value.jobs).filter(j => j.kind === "verify" || j.kind === "mine");
  return [{id: collection, name: "Collection"}, ...all.sort((a, b) => serial(b.id) - serial(a.id)).map(j => ({id: j.id, name: nameOf(j)}))];
});

// The name of the set that is shown.
export const name = computed(() => {
  const {id, job} = set.value;
  if (id === fresh) return draft.value.name || "New set";
  return sets.value.find(s => s.id === id)?.name || (job && nameOf(job)) || "Set";
});

const rows = computed(() => set.value.rows);
export const wins = computed(() => winsOf(rows.value)); // the exercises of the set

// What is typed to verify or mine: texts of fields. Long texts are not kept.
export const draft = kept("draft", was => ({text: "", name: "", claim: "", each: "60", describe: false, win_in: "2", themes: [], unique: false,
  mine_each: "10", archive: "", ...was}), d => ({...d, text: d.text.length > 1e5 ? "" : d.text}));
export const read = signal([]); // the puzzles of the draft that are read: found of POST /api/read
export const wrong = signal(""); // with the draft

export const change = (field, value) => draft.value = {...draft.value, [field]: value};

let collected = null;

// Returns the collection: it is requested once.
const loadCollection = () => collected ??= get("collection").catch(error => {
  collected = null;
  throw error;
});

// Follows a job that verifies or mines while own says that the window shows it. told gets each report, found the new puzzles:
// they are requested after a report, one request at a time.
async function followPuzzles(id, own, told, found) {
  let asking = null, count = 0;
  const more = async () => {
    const {puzzles} = await get(`jobs/${id}/puzzles?from=${count}`);
    if (!own()) return;
    count += puzzles.length;
    found(puzzles);
  };
  const ended = await followed(id, job => {
    if (!own()) return;
    told(job);
    if (job.done > count) asking ??= more().catch(() => {}).finally(() => asking = null);
  });
  await asking;
  if (!own()) return;
  await more();
  told(ended);
}

let loads = 0;

// Shows a set, and follows its job while it is shown.
async function load(id) {
  const mine = ++loads, own = () => mine === loads;
  set.value = {...none, id, kind: id === collection || id === fresh ? id : ""};
  last.value = id;
  if (id === fresh) return preview();
  try {
    if (id === collection) {
      const {puzzles} = await loadCollection();
      if (own()) update({rows: puzzles});
      return;
    }
    let ran = false;
    await followPuzzles(id, own, job => {
      if (ran && over(job)) say(ending(job));
      ran = !over(job);
      update({job, kind: job.kind});
    }, found => found.length && update({rows: [...set.value.rows, ...found]}));
  } catch (error) {
    if (!own()) return;
    if (error.status !== 404) throw error;
    last.value = collection;
    update({gone: true});
  }
}

const follow = guarded(load);

// The address leads to a set. Without one it is the set that was shown last.
effect(() => {
  const p = place.value;
  if (p.place !== "puzzles") return;
  const id = p.set || last.peek();
  if (id !== set.peek().id) untracked(() => follow(id));
});

// Shows a set, with a tab of it.
export function show(id, part) {
  if (part) tab.value = part;
  visit({place: "puzzles", set: id});
}

// Shows a job that verifies or mines: the job, or its id.
export const showJob = job => show(job.id || job, tab.value === "train" ? jobs.value.jobs[job.id || job]?.kind || "verify" : tab.value);

// Shows the puzzles of a text, with the choice to train on them, to verify or to mine them.
export function openSet(text, name = "") {
  if (text.length > mostText) throw new Error(`${name || "The set"} has more than a megabyte: goalproof verify reads it.`);
  draft.value = {...draft.value, text, name, archive: ""};
  show(fresh, tab.value === "mine" ? "train" : tab.value);
  if (set.value.id === fresh) preview();
}

// Reads the text of the draft.
export async function preview() {
  const {text, name} = draft.value;
  wrong.value = "";
  read.value = [];
  if (!text.trim()) return;
  try {
    const {found} = await post("read", {text, name, side: ""});
    if (draft.value.text === text) read.value = found;
  } catch (error) {
    if (draft.value.text === text) wrong.value = located(error.message);
  }
}

// Begins a job whose puzzles fill a set, and shows it. What is wrong with it stands at the draft.
const start = once(async (body, part) => {
  wrong.value = "";
  let job;
  try {
    job = await begin(body);
  } catch (error) {
    wrong.value = located(error.message);
    return say(wrong.value);
  }
  show(job.id, part);
});

const whole = text => Math.round(+text) || 0;

// Verifies a set. fields are more of POST /api/jobs: claim, seconds, describe.
const verify = (text, name, fields = {}, part = "verify") => start({kind: "verify", text, name, seconds: 60, ...fields}, part);

// The same of the draft.
export const verifyDraft = () => {
  const {text, name, claim, each, describe} = draft.value;
  return verify(text, name, {claim: whole(claim), describe, seconds: +each || 60});
};

// Trains on the draft: its wins are proved, and described.
export const trainDraft = () => verify(draft.value.text, draft.value.name, {describe: true, unusual: true}, "train");

// Mines what source says: {text, name}, or {archive}.
export const mine = source => {
  const {win_in, themes, unique, mine_each} = draft.value;
  return start({kind: "mine", ...source, win_in: whole(win_in), themes, unique, seconds: +mine_each || 0}, "mine");
};

export const mineDraft = () => mine(draft.value.archive ? {archive: draft.value.archive} : {text: draft.value.text, name: draft.value.name});

export const stop = () => stopJob(set.value.id);

// The names of the files that are saved, by their form in GET /api/jobs/ID/export.
const names = {text: "puzzles.tsv", html: "puzzles.html", arimaa: "puzzles.zip", json: "puzzles.jsonl"};
export const save = guarded(async form => download(await file(`jobs/${set.value.id}/export?form=${form}`), names[form]));

// Keeps the run of the set in the workspace.
export const keep = once(guarded(async () => {
  const kept = await post(`jobs/${set.value.id}/keep`, {name: "", suggest: name.value});
  tell(`The run is kept as ${kept.name}.`, {tone: "won"});
}));

// Compares the set with an earlier run: {text}, or {run: its name in the workspace}. The rows that have changed say so.
export const compare = guarded(async earlier => {
  const {id} = set.value;
  update({compared: "", changes: {}});
  const found = await post(`jobs/${id}/compare`, earlier);
  if (set.value.id === id) update({compared: found.says, changes: Object.fromEntries(found.changed.map(c => [c.puzzle, c]))});
});

export const pending = signal(null); // {text, name}: a run that was opened, to be compared with a set

// Compares the set that is shown with a run that was opened. Without a set that has been verified it says what to do.
export function openRun(text, name) {
  pending.value = {text, name};
  tab.value = "verify";
  visit({place: "puzzles"});
  if (set.value.job && over(set.value.job)) compare({text});
  else tell(`${name || "The run"} is ready to be compared: verify its set, then press “Compare with ${name || "the run"}”.`);
}

// What the workspace has: lists of names.
export const archives = signal([]), runs = signal([]);
const list = async (of, path) => of.value = await get(path).then(found => found[path], () => []); // there may be no workspace
// Lists them, where there is a workspace.
export const lists = () => {
  if (!facts.value?.keeps) return;
  list(archives, "archives");
  list(runs, "runs");
};
on("file", ({kind}) => (kind === "archives" || kind === "runs") && lists());
