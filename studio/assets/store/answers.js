// The answers of the studio about the position on the place Board: questions are asked here, and each answer is kept with the
// position that it is about (state/answers.js).

import {file, get, post} from "../lib/api.js";
import {on} from "../lib/events.js";
import {download} from "../lib/files.js";
import {batch, computed, effect, signal, untracked} from "../lib/view.js";
import * as state from "../state/answers.js";
import {ending, over, without} from "../state/jobs.js";
import {after, atStart, before, between, label, same} from "../state/study.js";
import * as tree from "../state/tree.js";
import {board, edit, look, mode, onTurn, start, study} from "./desk.js";
import {kept} from "./kept.js";
import {failed, guarded, once, say, tell} from "./messages.js";
import {settings} from "./settings.js";
import {begin, jobs} from "./studio.js";

const patience = 2000; // milliseconds until a result is asked for again
const most = 40; // jobs that a window asks for again when it is loaded again

export const answers = signal(state.none);

// What a person has chosen for searches: memory in MiB; threads and memory 0 leave it to the studio; any, the first win found
// will do; all, every solution; unusual, although no game leads to the position; defends, the defence replies when a turn ends.
export const options = kept("options", was => ({algorithm: "dfpns", seconds: 60, threads: 0, memory: 0, any: false, all: false, unusual: false,
  defends: false, ...was}));
export const choose = (name, value) => options.value = {...options.value, [name]: value};

const ids = kept("asked", was => was || []); // of the jobs of this window, the oldest first
const own = id => ids.value = [...ids.value.filter(other => other !== id), id].slice(-most);

const about = kept("about", was => was || null); // as of state.covers
export const tab = kept("tab", was => was || "line"); // the part of the answer that is open

// The study whose answers stand on the card: the board's own, or that of the answer along whose lines the board was led.
export const subject = computed(() => state.covers(about.value, start.value) ? about.value.study : start.value);
const first = computed(() => state.covers(about.value, start.value) ? about.value.first : "");
export const question = computed(() => state.covers(about.value, start.value) ? about.value.question : undefined); // that a chip has asked

// All about this study (state.shown), and the job whose sentence is the answer.
export const shown = computed(() => state.shown(answers.value, subject.value));
export const foremost = computed(() => state.foremost(shown.value, first.value));

// A board that was led elsewhere has left the answer for good.
effect(() => {
  if (!state.covers(about.value, start.value)) about.value = {study: start.value, led: [[]], first: ""};
});

// Looks at a study on a line of the answer that is shown, if there is one: it stays. Another study is only looked at.
export function lead(to) {
  const led = between(subject.value, to), {running, derived} = shown.value;
  if (led && (foremost.value || running.length || derived)) follows(subject.value, led);
  return look(to);
}

// Keeps the answers about a study on the card while the board is led along a line of turns. more is new of about.
export function follows(study, led, more = {}) {
  const stays = same(study, subject.value) && {first: first.value, question: question.value};
  about.value = {first: "", ...stays, study: atStart(study), led: [[], between(study, start.value) || [], led], ...more};
}

// Shows the sentence of a job first.
export const putFirst = id => about.value = {...about.value, first: id};

// Jobs of this window, until they have ended: {promise, resolve, reject} by id.
const waiting = new Map(), fetching = new Set();

function take(job) {
  answers.value = state.told(answers.value, job);
  settle();
  const known = state.byId(answers.value, job.id);
  if (!known || !over(known) || known.partial) return;
  waiting.get(job.id)?.resolve(known);
  waiting.delete(job.id);
}

// Takes a search as a tree that was just begun, if the stream has not told of it yet.
export const grew = t => {
  if (!jobs.peek().trees[t.id]) answers.value = state.grown(answers.value, t);
};

// Forgets a job or a tree that the studio does not have any more.
export function forget(id) {
  answers.value = state.gone(answers.value, id);
  if (variations.peek()[id]) variations.value = without(variations.peek(), id);
  waiting.get(id)?.reject(new Error(`The studio has forgotten job ${id} before its result was read. Ask again.`));
  waiting.delete(id);
}

// Takes over what the stream has told, and asks for the results of jobs that have ended.
function settle() {
  let next = answers.peek();
  const {jobs: briefs, trees} = jobs.peek();
  for (const id of Object.keys(next.of)) if (briefs[id]) next = state.brief(next, briefs[id]);
  for (const t of Object.values(trees)) next = state.grown(next, t);
  answers.value = next;
  state.missing(next).forEach(fetched);
}

async function fetched(id) {
  if (fetching.has(id)) return;
  fetching.add(id);
  try {
    take(await get("jobs/" + id));
  } catch (error) {
    if (error.status === 404) forget(id);
    else setTimeout(settle, patience);
  } finally {
    fetching.delete(id);
  }
}

effect(() => {
  void jobs.value;
  untracked(settle);
});

on("gone", ({id}) => forget(id));

// When the page or the stream has begun anew, the jobs of this window are asked for again: the studio may have forgotten some.
on("ready", () => ids.value.forEach(async id => {
  const known = state.byId(answers.value, id);
  if (known && over(known) && !known.partial) return;
  try {
    take(await get("jobs/" + id));
  } catch (error) {
    if (error.status !== 404) return;
    ids.value = ids.value.filter(other => other !== id);
    forget(id);
  }
}));

const resources = () => {
  const {algorithm, threads, memory, seconds, unusual} = options.value;
  return {algorithm, threads, memory: memory * 2 ** 20, seconds, unusual};
};

// Jobs that were begun here and have not ended: promises of them as they were at first, by what was asked.
const begun = new Map();

// Asks the studio about a study: kind and fields are those of the job (solve, try, certificate, variations, tries). Its answer
// stands on the card if the board shows the study then, or has been led on from there; more is new of about. Returns the job when
// it has ended. What is asked again while it runs is the same job.
async function ask(kind, fields, study, more) {
  const led = between(atStart(study), start.value), body = {...resources(), win_in: 0, ...fields, kind, study: atStart(study)};
  const asked = JSON.stringify(body);
  if (!begun.has(asked)) begun.set(asked, begin(body).then(job => (take(job), job)));
  try {
    const {id} = await begun.get(asked);
    own(id);
    if (led) follows(study, led, {first: id, ...more});
    return await ended(id);
  } finally {
    begun.delete(asked);
  }
}

function ended(id) {
  const job = state.byId(answers.value, id);
  if (over(job) && !job.partial) return job;
  if (!waiting.has(id)) {
    let settle;
    const promise = new Promise((resolve, reject) => settle = {resolve, reject});
    waiting.set(id, {promise, ...settle});
  }
  return waiting.get(id).promise;
}

const sentence = () => foremost.value && state.worded(foremost.value).sentence;

// What a job has added to the answer, in words.
const added = job => state.worded(job).note || job.result?.listed || (job.request.kind === "variations" && job.result?.verdict === "proved"
  ? "The defences are listed." : ending(job));

// Says to those who listen what a job has found, unless it is the new sentence of the card.
const announced = async begun => {
  const before = sentence(), job = await begun;
  if (!same(subject.value, job.request.study)) say(`${label(job.request.study)}: ${ending(job)}`);
  else if (sentence() === before) say(added(job));
  return job;
};

const solving = (win_in, fields, more) => {
  const {all, any} = options.value;
  return announced(ask("solve", {win_in, all, any, ...fields}, subject.value, more));
};

// Asks whether the side to move wins, in at most so many turns, or 0 for any number.
export const solve = guarded(win_in => solving(win_in, {}, {question: win_in}));

// Asks whether a turn wins, and what refutes it, about the study before it. win_in 0: as soon as the shortest win.
export const tryTurn = (before, turn, win_in = 0) => ask("try", {turn, win_in}, before);

// The turn under way or else the last one, {study, turn} with the study before it, or null.
export const played = computed(() => {
  const {turns, steps} = study.value;
  if (steps) return {study: start.value, turn: steps};
  return turns.at(-1) ? {study: before(study.value), turn: turns.at(-1)} : null;
});

const just = signal(null); // the study after the turn that was ended last, on the board
export const justPlayed = computed(() => !!study.value.steps || same(just.value, start.value));

// Asks whether the turn that was played keeps the win.
export const judge = guarded(() => {
  const {study, turn} = played.value;
  return announced(tryTurn(study, turn, state.known(answers.value, study) || 0));
});

// The parts that follow from an answer, asked for within the turns that it is about.
const further = (kind, more = () => ({})) => guarded((fields = {}) => {
  const {bounds: {within, refuted}, verdict} = shown.value;
  const unusual = options.value.unusual || !!verdict?.request.unusual;
  return announced(ask(kind, {algorithm: "dfpns", win_in: state.known(answers.value, subject.value) || within || refuted, unusual, ...more(),
    ...fields}, subject.value));
});
export const parts = {
  line: guarded(() => solving(shown.value.bounds.within, {any: false, all: false})),
  solutions: guarded(() => solving(state.known(answers.value, subject.value) || 0, {all: true})),
  defences: further("variations", () => ({width: settings.value.width})),
  tries: further("tries"),
  certificate: further("certificate"),
};

// Lists of variations, by the ids of their jobs.
const variations = signal({});
const asking = new Set();

// The variations that a job has listed, or null while they are asked for.
export function variationsOf(id) {
  if (!variations.value[id] && !asking.has(id)) {
    asking.add(id);
    get(`jobs/${id}/variations`).then(found => variations.value = {...variations.value, [id]: found}, failed).finally(() => asking.delete(id));
  }
  return variations.value[id] || null;
}

// Shows the answer of a job of the studio about a position, with the board there. It returns false if the job is no such one.
export async function showAnswer(job) {
  if (!state.byId(state.told(state.none, job), job.id)) return false;
  await look(atStart(job.request.study));
  batch(() => {
    own(job.id);
    follows(job.request.study, [], {first: job.id});
    take(job);
  });
  return true;
}

// Writes an answer down in the game: its sentence as a comment, and its line.
export const writeDown = guarded(async job => {
  const {request: {study, turn = ""}, result} = job, {turns} = atStart(study);
  let missing = true;
  await edit(g => {
    if (g.position !== study.position || g.number !== study.number) return null;
    missing = false;
    const {game, node} = tree.along(g, turn ? [...turns, turn] : turns);
    return {game: tree.along(tree.write(game, node, result.says).game, [...turns, ...state.plies(result)]).game};
  });
  if (missing) throw new Error("The game of this position is not open any more. Open it again, then write the answer down.");
  tell("The answer is in the game now: as a comment, with its line.");
});

// Certificates: saved as a file, and kept in the workspace.
export const saveCertificate = guarded(async id => download(await file(`jobs/${id}/certificate`), "goalproof.proof"));
export const keepCertificate = once(guarded(async (id, suggest) => {
  const {name} = await post(`jobs/${id}/keep`, {suggest});
  tell(`The certificate is in the library as ${name}.`);
}));

// The best reply to a turn that a person has ended: the longest defence, or what refutes the turn.
const defend = guarded(async ({study, turn}) => {
  say("The defence is looking for its best reply.");
  const job = await tryTurn(study, turn, state.known(answers.value, study) || 0), reply = state.plies(job.result)[1], next = after(study, turn);
  if (!reply) return say(ending(job));
  if (!same(next, start.value)) return;
  follows(study, [turn, reply]);
  await board.play(reply);
});

onTurn(turn => {
  just.value = after(turn.study, turn.turn);
  if (options.value.defends && mode.value === "analyse" && !turn.over) defend(turn);
});
