// Jobs of the studio: how they are followed, and what their answers hold.

import {events, get} from "./api.js";
import {kept} from "./kept.js";
import {aside} from "./order.js";

// Calls told with a job, or with a search, as it is, each time that it changes, until goesOn says no. A page that is not seen does
// not listen: browsers allow few connections to one address.
export async function follow(path, goesOn, told) {
  for (;;) {
    while (document.hidden) await new Promise(done => document.addEventListener("visibilitychange", done, {once: true}));
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    document.addEventListener("visibilitychange", hide);
    try {
      const response = await events(path + "/events", hidden.signal);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "", event;
      for (;;) {
        const {value, done} = await reader.read();
        if (done) break;
        const parts = (rest + value).split("\n\n");
        rest = parts.pop();
        for (const part of parts) told(event = JSON.parse(part.replace(/^data: /, "")));
      }
      if (event && !goesOn(event)) return event;
      throw new Error("The studio has ended while it worked.");
    } catch (error) {
      if (!hidden.signal.aborted) throw error;
    } finally {
      document.removeEventListener("visibilitychange", hide);
    }
  }
}

// Follows a job that verifies or mines while own says that the window shows it. told gets each report, found the new puzzles:
// they are requested after a report, one request at a time.
export async function followPuzzles(id, own, told, found) {
  let asking = null, count = 0;
  const more = async () => {
    const {puzzles} = await get(`jobs/${id}/puzzles?from=${count}`);
    if (!own()) return;
    count += puzzles.length;
    found(puzzles);
  };
  const ended = await follow("jobs/" + id, job => !over(job), job => {
    if (!own()) return;
    told(job);
    if (job.done > count) asking ??= more().catch(() => {}).finally(() => asking = null);
  });
  await asking;
  if (!own()) return;
  await more();
  told(ended);
}

// The turns of a line, or else of a refutation, with their labels.
export const plies = r => (r?.line?.length ? r.line : r?.refutation || []).map((turn, i) => ({turn, label: r.labels[i]}));

export const over = job => job.state !== "waiting" && job.state !== "running";

// Goes on with the job that the window keeps under a name, unless the studio has forgotten it.
export const goOn = (name, watch) => kept[name] && aside(async () => {
  let job;
  try {
    job = await get("jobs/" + kept[name]);
  } catch (error) {
    if (error.status !== 404) throw error;
    kept[name] = null;
    return;
  }
  await watch(job);
})();
