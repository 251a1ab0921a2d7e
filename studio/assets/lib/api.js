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
export const events = (path, signal) => fetched("GET", path, undefined, signal);
export const file = async path => (await fetched("GET", path)).blob();
