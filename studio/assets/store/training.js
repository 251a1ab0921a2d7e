// The record of the training, which the studio keeps: what has become of the exercises.

import {Refused, get, post} from "../lib/api.js";
import {on} from "../lib/events.js";
import {effect, signal, untracked} from "../lib/view.js";
import {place, visit} from "./address.js";
import {kept} from "./kept.js";
import {failed} from "./messages.js";
import {collection} from "./sets.js";

const began = (() => { // the window has kept something
  try {
    return Object.keys(sessionStorage).some(k => k.startsWith("studio."));
  } catch {
    return false;
  }
})();

export const training = signal({streak: 0, best: 0, exercises: []}); // GET /api/training
export const known = signal(false); // it has come
const unsent = kept("attempts", was => was || []); // bodies of POST /api/training that the studio does not have yet

let sent = Promise.resolve(); // after the last attempt

// Sends the attempts that the studio does not have yet, the oldest first.
const send = () => sent = sent.catch(() => {}).then(async () => {
  while (unsent.value.length) {
    try {
      training.value = await post("training", unsent.value[0]);
    } catch (error) {
      if (!(error instanceof Refused) || error.status === 401) throw error; // it is sent when the studio answers again
      failed(error);
      if (error.status >= 500) return; // it could not be saved, and is sent again before the next exercise is chosen
    }
    unsent.value = unsent.value.slice(1);
  }
});

// Keeps an attempt until the studio has it. Its id tells one that is sent again, because the answer was lost, from a new one.
export const keep = attempt => {
  unsent.value = [...unsent.value, {id: crypto.randomUUID(), ...attempt}];
  return send();
};

// Waits until the studio has the attempts, or does not answer, or cannot save them.
export const settled = () => send().catch(() => {});

// Asks for the training. Without an answer it is taken to be empty: the stream says what is wrong.
const load = () => get("training").then(found => training.value = found).catch(() => {}).finally(() => known.value = true);

// The training is asked for when the place is shown first.
effect(() => {
  if (place.value.place === "puzzles" && !known.value) untracked(load);
});
on("ready", () => { // the stream says what is wrong
  if (unsent.value.length) send().catch(() => {});
  else if (known.value) load(); // what other windows have changed while this one was hidden
});
on("file", ({kind}) => kind === "training" && load());

// Reports whether somebody is here for the first time: nothing is kept, and nobody has trained. The page then shows
// a puzzle, unless something else was asked for meanwhile.
export async function firstVisit() {
  if (began || location.hash.startsWith("#/")) return false;
  const at = place.value;
  if (!await load() || training.value.exercises.length || place.value !== at) return false;
  visit({place: "puzzles", set: collection});
  return true;
}
