// The analysis of the position on the place Board, which is on while settings.analysis is.

import {computed, effect, signal} from "../lib/view.js";
import {key, same} from "../state/study.js";
import {place} from "./address.js";
import {options} from "./answers.js";
import {board, mode, start} from "./desk.js";
import {settings} from "./settings.js";
import {begin, jobs, stop} from "./studio.js";

const rest = 300; // milliseconds that a position stands before it is analysed

// The last analysis: the study it is about, and the id of its job, or why there is none.
const latest = signal({study: null, id: "", error: ""});

// What the analysis of the position on the board has found: {running, lines, error}, or null while there is none.
export const analysis = computed(() => {
  const {study, id, error} = latest.value, job = jobs.value.jobs[id];
  if (!settings.value.analysis || !study || !same(study, start.value)) return null;
  return {running: !error && (!job || job.state === "running" || job.state === "waiting"), lines: job?.lines || [], seconds: job?.seconds,
    error: error || job?.state === "failed" && job.says || ""};
});

const wanted = computed(() => {
  const v = board.view.value;
  if (!settings.value.analysis || mode.value !== "analyse" || place.value.place !== "board" || !v || v.over || !v.squares.trim()) return "";
  return key(start.value);
});

let timer = 0, order = Promise.resolve();
let last = "", runs = false; // the job that the next one replaces, and whether it may still run

async function end() {
  if (!runs) return;
  runs = false;
  await stop(last);
}

async function analyse(study) {
  if (wanted.value !== key(study)) return;
  try {
    const {id} = await begin({kind: "analyze", study, replaces: last, unusual: options.value.unusual});
    [last, runs] = [id, true];
    if (wanted.value) latest.value = {study, id, error: ""};
    else await end();
  } catch (error) {
    latest.value = {study, id: "", error: error.message};
  }
}

effect(() => {
  clearTimeout(timer);
  const now = wanted.value, study = start.value;
  if (now) timer = setTimeout(() => order = order.then(() => analyse(study)), rest);
  else end();
});
