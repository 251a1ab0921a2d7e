// The place that the page shows, and its address: the part after the #. Another place, game, set or puzzle is a step in the
// browser's history; another turn replaces the address.

import {computed, effect, signal} from "../lib/view.js";
import {from, to} from "../state/addresses.js";
import {study as whole} from "../state/study.js";
import * as tree from "../state/tree.js";
import {board, desk, game, here, study} from "./desk.js";
import {failed} from "./messages.js";

export const place = signal({place: "board"}); // as of state/addresses.js; of the board only that

// What opens the other addresses: a game of the workspace, by its name and the place of a node, and a job. See opens.
const openers = {};

// Says what opens an address of a kind, game or job: it gets the value of the address, and returns a promise.
export const opens = (kind, act) => openers[kind] = act;

// Says more exactly what the place shows: no step in the history, unless the place itself is one.
export function specify(value) {
  vague = seen.value;
  place.value = exact = value;
}

let exact = null, vague = ""; // the last value of that kind, and what was seen before it
let following = 0; // addresses that are being opened: what they lead to is no new step in the history
let page = ""; // what is seen, without the turn
let timer = 0;
let known = location.hash; // the address that was written or opened last

// Shows a place. The value is as of state/addresses.js; of the board {place: "board"} shows it as it is.
export const visit = value => place.value = value;

const address = computed(() => {
  const p = place.value;
  if (p.place !== "board") return to(p);
  const g = game.value, {node, looked} = here.value, {position, number, turns, steps} = study.value;
  if (g.doc.name && !looked.length && !steps) return to({place: "game", name: g.doc.name, at: tree.place(g, node)});
  return to({place: "board", position, number, turns, steps, show: board.show.value});
});

const seen = computed(() => place.value.place === "board" ? `board ${desk.value.present}` : JSON.stringify(place.value));

function write() {
  clearTimeout(timer);
  timer = 0;
  if (!board.view.value || location.hash !== known) return; // the address is still to be opened
  const next = address.value, push = page && page !== seen.value && !following && (place.value !== exact || page !== vague);
  page = seen.value;
  if (next !== location.hash) history[push ? "pushState" : "replaceState"](null, "", next);
  known = location.hash;
}

// Opens the address of the window. Without one the board stays as it is. So it does when the page is loaded again: the address
// may be older than what the window has kept.
async function take(again) {
  const hash = known = location.hash, value = from(hash);
  if (!value || again && (value.place === "board" || value.place === "game" && value.name === game.value.doc.name)) return;
  clearTimeout(timer);
  timer = 0;
  following++;
  try {
    if (openers[value.place]) await openers[value.place](value);
    else place.value = value.place === "board" ? {place: "board"} : value;
    if (value.place === "board" && value.position) await board.look(whole(value), value.show);
  } catch (error) {
    failed(error);
  }
  if (location.hash === hash) write(); // or else another address comes
  following--;
}

let last = Promise.resolve();
const read = again => last = last.then(() => take(again)); // one after the other

// Opens the address with which the page was loaded, and follows it from then on.
export async function followAddress() {
  addEventListener("popstate", () => read());
  await read(performance.getEntriesByType("navigation")[0]?.type === "reload");
  effect(() => {
    const other = seen.value !== page, next = address.value;
    if (other) write();
    else if (next !== location.hash) timer ||= setTimeout(write, 250); // browsers allow few changes in a second
  });
}
