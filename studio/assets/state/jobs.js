// The jobs and trees of one studio, as its stream of events tells them (GET /api/events). The value is {studio, jobs, trees,
// ready, told}: the letters of the studio, briefs by id, whether all that there is has come, and, until then, the ids that
// have. Ids of another studio mean something else, so another studio begins with nothing.

import {amount, number} from "./words.js";

export const none = {studio: "", jobs: {}, trees: {}, ready: false, told: {}};

// An object without one of its fields.
export const without = (all, id) => Object.fromEntries(Object.entries(all).filter(([other]) => other !== id));

// The value after an event: its name and data.
export function reduce(state, event, data) {
  switch (event) {
    case "studio":
      return data.studio === state.studio ? {...state, ready: false, told: {}} : {...none, studio: data.studio};
    case "job":
    case "tree": {
      const list = event + "s";
      return {...state, [list]: {...state[list], [data.id]: data}, ...(!state.ready && {told: {...state.told, [data.id]: true}})};
    }
    case "ready": { // what was not told again was forgotten while the page did not listen
      const rest = all => Object.fromEntries(Object.entries(all).filter(([id]) => state.told[id]));
      return {...state, jobs: rest(state.jobs), trees: rest(state.trees), ready: true, told: {}};
    }
    case "gone": {
      return {...state, jobs: without(state.jobs, data.id), trees: without(state.trees, data.id)};
    }
    default:
      return state;
  }
}

// Reports whether a job has ended.
export const over = job => job.state !== "waiting" && job.state !== "running";

// The number of a job or a tree among those of its studio, by its id: 3 of "kqzvbm-3". Newer ones have greater numbers.
export const serial = id => +id.split("-").at(-1);

const newest = all => Object.values(all).sort((a, b) => serial(b.id) - serial(a.id));

// The lists of the tray: {running, waiting, ended}, the newest first.
export function tray(state) {
  const all = newest(state.jobs);
  return {running: all.filter(j => j.state === "running"), waiting: all.filter(j => j.state === "waiting"), ended: all.filter(over)};
}

// Words for the kinds of jobs.
export const names = {
  solve: "Does the side to move win?", try: "Did the turn keep the win?", certificate: "Certificate", variations: "Defences", tries: "Tries",
  check: "Check of a certificate", verify: "Verifying puzzles", mine: "Mining puzzles", review: "Review", play: "Turn of the engine",
  compose: "Composing", analyze: "Analysis", game: "Game with clocks", tree: "Search as a tree",
};

// The searches of the studio as the tray lists them, beside the jobs.
export const searches = state => newest(state.trees).map(t => ({id: t.id, kind: "tree", state: t.state,
  position: t.study.turns?.length ? "" : t.study.position, label: t.saved,
  text: `${{running: "Running", paused: "Paused", decided: "Decided", full: "Its memory is full"}[t.state]}, ${amount(t.nodes, "node")}`}));

const time = seconds => seconds < .1 ? "under 0.1 s" : `${seconds.toFixed(1)} s`;

// What a search has proved so far, in words, or "".
function known(job) {
  const aside = job.refuted > 1 && job.repetition === "set aside" ? " (the third repetition set aside)" : "";
  const line = (job.line || []).map((turn, i) => `${job.labels[i]} ${turn}`).join(" ") || job.first;
  const win = job.within && `wins in at most ${job.within}, with ${line}`;
  return [job.refuted && `no win in ${job.refuted}${aside}`, win].filter(Boolean).join("; ");
}

const mined = m => `${amount(m.positions, "position")} of ${amount(m.games, "game")}: ${amount(m.puzzles, "puzzle")} so far`;

// How far a job is that runs, by its kind.
function doing(job, kind) {
  const done = what => `${number(job.done)} of ${amount(job.total, what)}`;
  switch (kind) {
    case "mine": return job.mined ? mined(job.mined) : "Reading the games";
    case "verify": return job.total ? done("puzzle") : "Reading the puzzles";
    case "review": return job.total ? `Reviewing: ${done("position")}` : "Reviewing";
    case "play": return "The engine is thinking";
    case "game": return "The game is being played";
    case "compose": return job.total ? `${number(job.done)} of ${number(job.total)} tried` : `${amount(job.done, "position")} judged`;
  }
  if (job.total) return `Checking: ${number(job.done)} of ${number(job.total)}`;
  return `${job.trying ? `Is there a win in ${job.trying}? ` : ""}${amount(job.nodes, "node")}`;
}

// How a job is, in one line. It says what its fields say and no more: a bound is called one, and what sets the third
// repetition aside says so. job is a brief, or a job with its request and result.
export function progress(job) {
  const kind = job.kind || job.request?.kind;
  if (job.state === "waiting") return `Waiting for ${job.waits_for || "other jobs"}.`;
  if (kind === "tree") return amount(job.nodes, "node");
  const took = time(job.seconds);
  if (job.state === "running") return [`${doing(job, kind)}, ${took}`, known(job) && `Known: ${known(job)}`].filter(Boolean).join(". ");
  return (job.nodes ? `${amount(job.nodes, "node")}, ${took}` : took) + (job.result?.kept ? "; kept in the workspace" : "");
}

// How a job has ended, in words: its result, its error, or that it was stopped; "" while it has not.
export const ending = job => !over(job) ? "" : job.says || job.result?.says || job.error || (job.state === "stopped" ? "Stopped." : "");
