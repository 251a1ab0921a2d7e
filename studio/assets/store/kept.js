// What the window keeps, also when the page is loaded again: it is in the storage of this window.

import {effect, signal} from "../lib/view.js";
import {tell} from "./messages.js";

const parts = new Map(); // what is to be kept, by name: functions
let timer = 0;

// A signal that the window keeps under a name. read makes its value of what was kept, undefined at first; write makes what is
// kept of its value.
export function kept(name, read = value => value, write = value => value) {
  let found;
  try {
    found = JSON.parse(sessionStorage.getItem("studio." + name)) ?? undefined;
  } catch {
    // What is damaged, or not allowed to be read, is as if it were not there.
  }
  const part = signal(read(found));
  let first = true;
  parts.set(name, () => write(part.value));
  effect(() => {
    void part.value;
    if (!first) later(name);
    first = false;
  });
  return part;
}

const due = new Set();

function later(name) {
  due.add(name);
  timer ||= setTimeout(writeAll, 200);
}

// Writes what has changed.
function writeAll() {
  clearTimeout(timer);
  timer = 0;
  for (const name of due) {
    due.delete(name);
    try {
      sessionStorage.setItem("studio." + name, JSON.stringify(parts.get(name)()));
    } catch {
      tell("The storage of this window is full: when the page is loaded again, it has forgotten the last changes.", {tone: "lost"});
    }
  }
}

addEventListener("pagehide", writeAll);
document.addEventListener("visibilitychange", () => document.hidden && writeAll());
