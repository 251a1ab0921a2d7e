// What the window shows: a study, as the studio views it, and one of the views beside the board. Three events of the document
// tell the other modules: "studied" when the study may be another, before it is kept; "viewed" when there is something to draw;
// "place" when another view is chosen.

import {post} from "../lib/api.js";
import {at, say} from "../lib/dom.js";
import {keep, kept} from "../lib/kept.js";

export let view = null; // of the study

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, {detail}));

// Asks for a view, which is then shown. What the study was can be undone if it changes.
export async function change(path, body, show = "") {
  return display(await post(path, {study: kept.study, flipped: kept.flipped, show, ...body}), show, path === "view");
}

// Shows a view, with a turn drawn as arrows. Turns that are only looked at are no variations of the game.
export function display(found, show = "", looking = false) {
  if (JSON.stringify(found.study) !== JSON.stringify(kept.study) || show !== kept.show) {
    if (view) kept.done.push(point());
    if (kept.done.length > 200) kept.done.shift();
    kept.undone = [];
  }
  [kept.study, kept.show, kept.marks, view] = [found.study, show, [], found];
  took(looking);
  return found;
}

function took(looking) {
  tell("studied", {looking});
  keep();
  tell("viewed");
}

// The board as it is seen.
export const seen = () => ({study: kept.study, flipped: kept.flipped, show: kept.show, marks: kept.marks});

const point = () => ({study: kept.study, show: kept.show, game: kept.game});

// Shows the study as it is.
export async function refresh() {
  view = await post("view", seen());
  kept.study = view.study;
  took(true);
}

// Shows another study, with a turn drawn as arrows.
export function go(study, show = "") {
  say("");
  return change("view", {study}, show);
}

// Turns the board round.
export function flip() {
  kept.flipped = !kept.flipped;
  return refresh();
}

// Goes back to the last of the studies that are kept under a name, done or undone, and keeps this one under the other.
export async function back(from, to) {
  if (!kept[from].length) return;
  kept[to].push(point());
  Object.assign(kept, kept[from].pop(), {marks: []});
  say("");
  await refresh();
}

// Shows one of the views beside the board.
export function showView(name) {
  kept.view = name;
  keep();
  for (const b of at("views").children) {
    const current = b.dataset.view === name;
    if (current) b.setAttribute("aria-current", "page");
    else b.removeAttribute("aria-current");
    at("view-" + b.dataset.view).hidden = !current;
  }
  tell("place");
  if (view) tell("viewed");
}
