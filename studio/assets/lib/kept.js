// What the window keeps, also when the page is loaded again: it is in the storage of this window.

import {say} from "./dom.js";

export const opening = {position: "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]", number: 2};

const fresh = {study: opening, show: "", marks: [], flipped: false, view: "solve", undone: [], done: [], now: null};

// The study, the turn that is shown with arrows, the points that undo and redo lead to, and what each view adds.
export const kept = {...fresh, ...read()};

function read() {
  try {
    return JSON.parse(sessionStorage.getItem("studio")) || {};
  } catch {
    return {};
  }
}

export function keep() {
  for (;;) {
    try {
      return sessionStorage.setItem("studio", JSON.stringify(kept));
    } catch {
      if (!kept.done.length) return say("The storage of this window is full: a reload would lose the last changes.");
      kept.done.splice(0, (kept.done.length + 1) >> 1);
    }
  }
}

// Begins with an empty window, where what it kept is of no use.
export const forget = () => Object.assign(kept, fresh);
