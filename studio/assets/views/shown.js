// What the window shows: a study, as the studio views it, and one of the views beside the board. Three events of the document
// tell the other modules: "studied" when the study may be another, before it is kept; "viewed" when there is something to draw;
// "place" when another view is chosen.

import {post} from "../lib/api.js";
import {at, say} from "../lib/dom.js";
import {keep, kept} from "../lib/kept.js";

export let view = null; // of the study

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, {detail}));

// Asks for a view, which is then shown. What the study was can be undone.
export async function change(path, body, show = "") {
  return display(await post(path, {study: kept.study, flipped: kept.flipped, show, ...body}), show);
}

// Shows a view, with a turn drawn as arrows. What is only looked at is nothing to undo, and no part of the game.
export function display(found, show = "", looking = false) {
  const changes = JSON.stringify(found.study) !== JSON.stringify(kept.study) || show !== kept.show;
  if (changes && !looking) {
    if (view) kept.done.push(point());
    if (kept.done.length > 200) kept.done.shift();
    kept.undone = [];
  }
  [kept.study, kept.show, kept.marks, view] = [found.study, show, [], found];
  took(looking);
  return found;
}

// kept.now is the point that was reached last by more than looking: the one that undo and redo go back to.
function took(looking) {
  tell("studied", {looking});
  if (!looking || !kept.now) kept.now = point();
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

// Looks at another study, with a turn drawn as arrows.
export const go = (study, show = "") => visit(study, show, true);

// Opens another study, in place of the one that is shown.
export const open = (study, show = "") => visit(study, show, false);

async function visit(study, show, looking) {
  say("");
  return display(await post("view", {study, flipped: kept.flipped, show}), show, looking);
}

// Turns the board round.
export function flip() {
  kept.flipped = !kept.flipped;
  return refresh();
}

// Goes back to the last of the points that are kept under a name, done or undone, and keeps this one under the other.
export async function back(from, to) {
  if (!kept[from].length) return;
  kept[to].push(kept.now);
  kept.now = kept[from].pop();
  Object.assign(kept, kept.now, {marks: []});
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
