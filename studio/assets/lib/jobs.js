// Jobs of the studio: how they are followed, and what their answers hold.

import {get} from "./api.js";
import {changes} from "./events.js";

// Calls told with a job, or with a search as a tree, each time that it changes, and returns it once lasts(it) is false. path is
// jobs/ID or trees/ID. The stream of events has all that changes of a job while it runs, except for a game; the rest is
// requested.
export async function follow(path, lasts, told) {
  const news = changes(path.split("/")[1]);
  try {
    for (let now = await get(path);;) {
      told(now);
      if (!lasts(now)) return now;
      const next = await news.next();
      now = next && lasts(next) && next.kind !== "game" ? {request: now.request, result: null, error: null, ...next} : await get(path);
    }
  } finally {
    news.stop();
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

export const over = job => job.state !== "waiting" && job.state !== "running";
