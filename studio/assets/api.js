// The requests of the page. The token stands behind the # of the address, where no server and no other page sees it.

const token = location.hash.slice(1);

function request(method, path, body, signal) {
  const headers = {Authorization: "Bearer " + token};
  const blob = body instanceof Blob; // is sent as it is
  if (body !== undefined) headers["Content-Type"] = blob ? "application/octet-stream" : "application/json";
  return fetch("/api/" + path, {method, headers, body: body === undefined || blob ? body : JSON.stringify(body), signal});
}

// A refusal, with what it says for a person.
export class Refused extends Error {
  constructor(status, failure) {
    super(failure.error);
    this.status = status;
    this.code = failure.code;
  }
}

async function checked(response) {
  if (response.ok) return response;
  let failure;
  try {
    failure = await response.json();
  } catch {
    failure = {error: response.statusText};
  }
  throw new Refused(response.status, failure);
}

async function fetched(method, path, body, signal) {
  let response;
  try {
    response = await request(method, path, body, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error("The studio does not answer. Has it been ended?");
  }
  return checked(response);
}

export const post = async (path, body) => (await fetched("POST", path, body)).json();
export const get = async path => (await fetched("GET", path)).json();
export const remove = async path => (await fetched("DELETE", path)).json();
export const file = async path => (await fetched("GET", path)).blob();

// Calls told with a job, or with a search, as it is, each time that it changes, until goesOn says no. A page that is not seen does
// not listen: browsers allow few connections to one address.
export async function follow(path, goesOn, told) {
  for (;;) {
    while (document.hidden) await new Promise(done => document.addEventListener("visibilitychange", done, {once: true}));
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    document.addEventListener("visibilitychange", hide);
    try {
      const response = await fetched("GET", path + "/events", undefined, hidden.signal);
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
