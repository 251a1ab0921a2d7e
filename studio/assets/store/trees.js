// Searches as trees: they are begun, run, tuned, saved and loaded, and walked through, with the board following.

import {get, post, remove} from "../lib/api.js";
import {on} from "../lib/events.js";
import {batch, computed, effect, signal, untracked} from "../lib/view.js";
import {over, without} from "../state/jobs.js";
import {atStart, between, same} from "../state/study.js";
import {amount} from "../state/words.js";
import {follows, forget, grew, options, shown, subject, tab} from "./answers.js";
import {board, look} from "./desk.js";
import {kept} from "./kept.js";
import {confirmed, guarded, once, tell} from "./messages.js";
import {jobs} from "./studio.js";

// The search as a tree about the study on the card, or null.
export const tree = computed(() => shown.value.tree);

// What a new search gets: win_in, memory in MiB (0: the studio's default), and the parameters of POST /api/trees.
export const plan = kept("plan", was => ({win_in: 2, memory: 0, evaluation: "immediate", start_numbers: "one", widening: 0, killers: 2,
  gc_high: 0, gc_low: 0, ...was}));
export const setPlan = (name, value) => plan.value = {...plan.value, [name]: value};

const paths = kept("paths", was => was || {}); // by the id of the search
on("gone", ({id}) => id in paths.value && (paths.value = without(paths.value, id)));

const latest = signal(null); // the node that was looked at last, as of POST trees/ID/node

// The node of this search that is looked at, {tree, path, node, children, open}, or null.
export const walked = computed(() => latest.value?.tree.id === tree.value?.id ? latest.value : null);

const node = (id, path) => post(`trees/${id}/node`, {path, flipped: board.flipped.value});

// Looks at the node at a path of a search. The board follows.
const visit = async (id, path) => board.inTurn(async () => {
  const found = await node(id, path), to = atStart(found.view.study);
  paths.value = {...paths.value, [id]: found.path};
  follows(found.tree.study, between(found.tree.study, to) || []);
  batch(() => {
    latest.value = found;
    board.display(found.view, "look", {still: true});
  });
});
export const walk = guarded(path => visit(tree.value.id, path));

// Reads the node again after the search has changed, one request at a time.
let reading = false, again = false;

async function read() {
  if (reading) return void (again = true);
  reading = true;
  let id;
  try {
    do {
      again = false;
      id = tree.value?.id;
      if (id) latest.value = await node(id, paths.value[id] || []);
    } while (again);
  } catch (error) {
    if (error.status !== 404) throw error;
    forget(id);
  } finally {
    reading = false;
  }
}

effect(() => {
  if (tree.value && tab.value === "tree") untracked(guarded(read));
});

const parameters = () => {
  const {win_in, memory, ...p} = plan.value;
  return p;
};

// Memory is short: the error says which jobs have it.
async function planted(body) {
  try {
    return await post("trees", {memory: plan.value.memory * 2 ** 20, ...body});
  } catch (error) {
    const running = Object.values(jobs.value.jobs).filter(j => !over(j)).map(j => `${j.id} (${[j.kind, j.label].filter(Boolean).join(" ")})`);
    if (error.status === 503 && running.length) error.message += `. These run: ${running.join(", ")}.`;
    throw error;
  }
}

// Shows a search that was just made, in place of another one about the same position.
async function take(t, old) {
  const {parameters: p} = t;
  batch(() => {
    grew(t);
    plan.value = {...plan.value, ...p, win_in: t.win_in};
    tab.value = "tree";
  });
  if (same(old?.study, t.study)) await remove("trees/" + old.id).catch(() => {}); // it may have been dropped
  if (!same(t.study, subject.value)) await look(atStart(t.study));
  await visit(t.id, []);
}

// Begins a search about the study on the card, which runs at once unless it is to be stepped through.
export const plant = once(guarded(async (runs = true) => {
  const {win_in} = plan.value, old = tree.value;
  const t = await planted({study: subject.value, win_in, unusual: options.value.unusual, parameters: parameters()});
  if (runs) await post(`trees/${t.id}/run`, {});
  await take(t, old);
}));

const act = (what, body = () => ({})) => guarded(() => post(`trees/${tree.value.id}/${what}`, body())); // the stream tells how it is then
export const run = act("run");
export const pause = act("pause");

// Expands so many nodes.
export const step = guarded(async expansions => {
  const {id} = tree.value;
  await post(`trees/${id}/step`, {expansions});
  await read();
});

// Gives the search the parameters of the plan.
export const tune = guarded(async () => {
  if (await act("tune", parameters)()) tell("The search continues with these parameters.");
});

export const drop = guarded(() => remove("trees/" + tree.value.id));

// Walks along the best children, to where the search would expand the tree.
export const toMostProving = guarded(async () => {
  const {id} = tree.value;
  for (let path = [];;) {
    const best = (await node(id, path)).children.find(c => c.best);
    if (!best) return visit(id, path);
    path = [...path, best.step];
  }
});

// Opens the position on the board as one that stands alone, without the turns before it.
export const openAlone = guarded(async () => {
  await board.edit({});
  tell("The position stands alone now, without the turns before it.");
});

// The saved searches of the workspace: a list as of GET saved, or null before it has come.
export const saved = signal(null);
export const loadSaved = guarded(async () => saved.value = (await get("saved")).searches);
on("file", () => saved.value && loadSaved());

// Saves the search under a name, loads one in place of the search about the same position, and deletes one after a question.
export const save = guarded(async name => {
  const t = await act("save", () => ({name}))();
  if (!t) return;
  tell(`The search is saved as ${t.saved}.`);
  await loadSaved();
});
export const load = guarded(async name => {
  const old = tree.value;
  await take(await planted({saved: name}), old);
  tell(`The search ${name} is loaded as it was, with its parameters.`);
});
export const deleteSaved = guarded(async ({name, bytes}) => {
  if (!await confirmed(`Delete the search ${name} (${amount(bytes, "byte")})? This cannot be undone.`)) return;
  await remove("saved/" + encodeURIComponent(name));
  await loadSaved();
});
