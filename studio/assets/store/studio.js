// The studio, as its stream of events tells it: its facts, its jobs and trees, and whether it answers.

import {get, post, remove} from "../lib/api.js";
import {changes, listen, on} from "../lib/events.js";
import {none, over, reduce} from "../state/jobs.js";
import {computed, signal} from "../lib/view.js";
import {kept} from "./kept.js";
import {failed, forget, tell} from "./messages.js";

export const facts = signal(null); // GET /api/studio
export const jobs = signal(none); // state/jobs.js
export const running = computed(() => Object.values(jobs.value.jobs).filter(j => !over(j)).length);

// Puts a job into the queue, and returns it.
export const begin = body => post("jobs", body);

// Follows a job to its end, and returns it as it is then, with its result. told gets each report. The stream of events has all
// that changes of a job while it runs, except for a game; the rest is requested.
export async function followed(id, told = () => {}) {
  const path = "jobs/" + id, news = changes(id);
  try {
    for (let now = await get(path);;) {
      told(now);
      if (over(now)) return now;
      const next = await news.next();
      now = next && !over(next) && next.kind !== "game" ? {request: now.request, result: null, error: null, ...next} : await get(path);
    }
  } finally {
    news.stop();
  }
}

// Stops a job. One that has ended meanwhile is no error.
export const stop = async id => {
  await remove("jobs/" + id).catch(() => {});
};

// Pauses a search.
export const pause = id => post(`trees/${id}/pause`, {}).catch(() => {});

const noticed = kept("noticed"); // the studio whose notices were shown

// Says once what the studio has to say: files that were damaged.
function notice({studio, notices}) {
  if (!notices?.length || noticed.value === studio) return;
  noticed.value = studio;
  tell(notices.join(" "), {tone: "lost"});
}

// Listens for as long as there is a page.
export function connect() {
  for (const name of ["studio", "job", "tree", "gone", "ready"]) on(name, data => jobs.value = reduce(jobs.value, name, data));
  on("studio", data => {
    facts.value = data;
    notice(data);
  });
  let lost;
  on("lost", error => lost = failed(error));
  on("found", ({other}) => other ? location.reload() : (forget(lost), tell("The studio answers again.")));
  get("studio").then(found => facts.value ||= found, () => {}); // the stream says what is wrong
  listen();
}
