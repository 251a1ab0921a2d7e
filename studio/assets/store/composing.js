// Puzzles that are made of the position that the answer on the card is about: jobs of the kind compose. Their results stand with
// that position alone.

import {computed, effect, signal, untracked} from "../lib/view.js";
import * as state from "../state/composing.js";
import {ending, over} from "../state/jobs.js";
import {atStart} from "../state/study.js";
import {options, shown, subject, tab} from "./answers.js";
import {look, openStudy, undo} from "./desk.js";
import {kept} from "./kept.js";
import {failed, guarded, once, say, tell} from "./messages.js";
import {begin, followed, jobs} from "./studio.js";

const begun = kept("composed", was => was || []); // as of state/composing.js
const found = signal({}); // jobs by id, as they were told last

const ids = computed(() => state.about(begun.value, subject.value));

// The jobs about the position, the newest first.
export const composed = computed(() => ids.value.map(id => found.value[id]).filter(Boolean));

const put = job => found.value = {...found.value, [job.id]: job};
const forget = id => begun.value = begun.value.filter(c => c.id !== id);

const watched = new Set();

// Follows a job to its end. One that the studio has forgotten is no more.
async function watch(id) {
  watched.add(id);
  let ran = false;
  try {
    const job = await followed(id, now => {
      ran ||= !over(now);
      put(now);
    });
    if (ran) say(`${state.aimOf(job).label}: ${ending(job)}`);
  } catch (error) {
    watched.delete(id);
    if (error.status === 404) forget(id);
    else failed(error);
  }
}

effect(() => {
  if (jobs.value.ready) ids.value.filter(id => !watched.has(id)).forEach(id => untracked(() => watch(id)));
});

// Begins to compose, with an aim of state/composing.js. Where the shortest win is known, it is not looked for.
export const compose = once(guarded(async aim => {
  const study = atStart(subject.value), {least} = shown.value.bounds;
  const job = await begin({kind: "compose", aim, study, win_in: least || 0, unusual: options.value.unusual});
  put(job);
  begun.value = state.noted(begun.value, job);
}));

// Shows a job of the kind compose with its position.
export async function showComposed(job) {
  await look(atStart(job.request.study));
  begun.value = state.noted(begun.value, job);
  tab.value = "compose";
}

// Puts a puzzle that was made on the board, as a position of its own.
export async function openMade({study}) {
  await openStudy(study);
  tell("The puzzle is on the board.", {action: "Back", onAction: undo});
}
