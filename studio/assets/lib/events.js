// The stream of events of this window. There is one for all jobs, searches and files: browsers allow six connections to an
// address, and requests need them.

import {Refused, open, silence} from "./api.js";
import {split} from "./stream.js";

const pauses = [500, 1000, 2000, 5000]; // before the stream is opened again, in milliseconds

const handlers = {}; // by the name of the event
const followers = new Set(); // see changes
let studio = null; // as it has described itself last
let lost = false; // the studio does not answer
let told = new Set(); // the ids of jobs and searches, since the stream was opened

// Calls a handler with the data of each event of a name. Those of the studio are in goalproof help studio-api; besides, "lost",
// with an error, says that the studio does not answer, and "found", with {other}, that it does again, or that there is another.
export const on = (name, handler) => (handlers[name] ||= []).push(handler);

function tell(name, data) {
  for (const handler of handlers[name] || []) {
    try {
      handler(data);
    } catch (error) {
      reportError(error); // the stream itself has not failed
    }
  }
}

// What comes of a job or a search. next waits for a change and returns it as the stream has it, or null if the stream does not
// have it any more.
export function changes(id) {
  let latest, wake = () => {};
  const follower = {id, put: value => {
    latest = value;
    wake();
  }};
  followers.add(follower);
  return {
    async next() {
      while (latest === undefined) await new Promise(done => wake = done);
      const value = latest;
      latest = undefined;
      return value;
    },
    stop: () => followers.delete(follower),
  };
}

const put = (value, which) => {
  for (const f of followers) if (which(f.id)) f.put(value);
};

function take({name, data}) {
  if (name === "studio") {
    const other = !!studio && studio.studio !== data.studio, was = lost;
    [studio, lost, told] = [data, false, new Set()];
    if (was || other) tell("found", {other});
  } else if (name === "job" || name === "tree") {
    told.add(data.id);
    put(data, id => id === data.id);
  } else if (name === "gone") {
    put(null, id => id === data.id);
  } else if (name === "ready") {
    put(null, id => !told.has(id));
  }
  tell(name, data);
}

// Reads the stream to its end.
async function read(signal) {
  const response = await open("events", signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "";;) {
    const {value, done} = await reader.read();
    if (done) throw new Error(silence);
    const found = split(rest + value);
    rest = found.rest;
    found.events.forEach(take);
  }
}

// Listens for as long as there is a page: the stream is opened again when it breaks, and closed while the page is not seen.
export async function listen() {
  on("studio", () => failures = 0);
  let failures = 0;
  for (;;) {
    while (document.hidden) await new Promise(done => document.addEventListener("visibilitychange", done, {once: true}));
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    document.addEventListener("visibilitychange", hide);
    try {
      await read(hidden.signal);
    } catch (error) {
      if (hidden.signal.aborted) continue;
      const refused = error instanceof Refused && error.status === 401; // for good, with this token
      if (refused || !lost && failures) {
        lost = true;
        tell("lost", error);
      }
      if (refused) return;
      await new Promise(done => setTimeout(done, pauses[Math.min(failures++, pauses.length - 1)]));
    } finally {
      document.removeEventListener("visibilitychange", hide);
    }
  }
}
