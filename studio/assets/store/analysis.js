// The analysis of the position on the place Board, which is on while settings.analysis is.

import {get} from "../lib/api.js";
import {changes, on} from "../lib/events.js";
import {computed, effect, signal} from "../lib/view.js";
import {over, progress} from "../state/jobs.js";
import {key, same} from "../state/study.js";
import {place} from "./address.js";
import {options} from "./answers.js";
import {board, mode, start} from "./desk.js";
import {settings} from "./settings.js";
import {begin, jobs, stop} from "./studio.js";

const rest = 300; // milliseconds that a position stands before it is analysed

const none = {study: null, id: "", job: null, error: ""};

// The last analysis: the study it is about, the id of its job and the job as it was told last, or why there is none.
const latest = signal(none);
const silence = signal(""); // why the studio tells nothing of it

on("lost", error => silence.value = error.message);
on("studio", () => silence.value = "");

// What the analysis of the position on the board has found: {running, waits, lines, seconds, error}, or null while there is none.
// waits says what it waits for.
export const analysis = computed(() => {
  const {study, job, error} = latest.value, lines = job?.lines || [], ended = !!job && over(job);
  if (!settings.value.analysis || !study || !same(study, start.value)) return null;
  const stopped = ended && !lines.length && "The analysis was stopped. Switch it off and on to begin it again.";
  return {running: !error && !silence.value && !ended, waits: job?.state === "waiting" ? progress(job) : "", lines, seconds: job?.seconds,
    error: error || silence.value || job?.state === "failed" && job.says || stopped || ""};
});

// The position that is to be analysed now, "" for none.
const wanted = computed(() => {
  const v = board.view.value;
  if (!settings.value.analysis || mode.value !== "analyse" || place.value.place !== "board" || !v || v.over || !v.squares.trim()) return "";
  return key(start.value);
});
const ready = computed(() => jobs.value.ready); // when the studio answers again, what has failed is tried again

let timer = 0, order = Promise.resolve();
let last = ""; // the job that the next one replaces

// Stops the analysis: the same position gets a new one.
async function end() {
  const {id} = latest.peek();
  latest.value = none;
  if (id) await stop(id);
}

async function analyse(study) {
  const {study: known, error} = latest.value;
  if (wanted.value !== key(study) || same(known, study) && !error) return;
  try {
    const {id} = await begin({kind: "analyze", study, replaces: last, unusual: options.value.unusual});
    latest.value = {...none, study, id: last = id};
    follow(id);
    if (!wanted.value) await end();
  } catch (error) {
    latest.value = {...none, study, error: error.message};
  }
}

// Follows an analysis until the studio has forgotten it. One that had not ended begins again. It may have found something, or
// have ended, before it is followed.
async function follow(id) {
  const news = changes(id);
  for (let job = await get("jobs/" + id).catch(() => null); job; job = await news.next()) {
    if (latest.peek().id === id) latest.value = {...latest.peek(), job};
  }
  news.stop();
  const {study, job} = latest.peek();
  if (latest.peek().id !== id || job && over(job)) return;
  latest.value = none;
  order = order.then(() => analyse(study));
}

effect(() => {
  clearTimeout(timer);
  const now = wanted.value, study = start.value;
  if (now && ready.value) timer = setTimeout(() => order = order.then(() => analyse(study)), rest);
  else if (!now) end();
});
