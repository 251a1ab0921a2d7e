// The requests of the page. The token comes behind the # of the address, where no server and no other page sees it. It is then
// kept in the storage of this window, so that no address bar and no history shows it. A window that was opened with an address of
// the page, and has no token, asks the others of this studio: no other page hears that.

// The token in the address, or "".
const given = () => /^#([A-Z2-7]{26,})$/.exec(location.hash)?.[1] || "";

const windows = new BroadcastChannel("token");
const patience = 500; // milliseconds in which another window answers

const token = taken() || await lent();
windows.onmessage = ({data}) => data === "" && token && windows.postMessage(token);

function taken() {
  const token = given();
  try {
    if (!token) return sessionStorage.getItem("token") || "";
    sessionStorage.setItem("token", token);
    history.replaceState(history.state, "", location.pathname);
  } catch {
    // The storage is full, or not allowed: the token stays in the address.
  }
  return token;
}

// The token that another window has, or "".
function lent() {
  return new Promise(done => {
    const end = token => {
      clearTimeout(late);
      if (token) sessionStorage.setItem("token", token);
      done(token);
    };
    windows.onmessage = ({data}) => data && end(data);
    const late = setTimeout(end, patience, "");
    windows.postMessage("");
  });
}

// The address of another studio, or of this one after it has been started again, differs in this part alone.
addEventListener("hashchange", () => given() && location.reload());

export const most = 2 ** 20; // bytes of a body in JSON (studio/guard.go)

// The request, before it is sent: a blob is sent as it is.
function prepared(method, body, signal, keepalive = false) {
  const headers = {Authorization: "Bearer " + token}, options = {method, headers, body, signal, keepalive};
  if (body === undefined) return options;
  if (body instanceof Blob) return {...options, headers: {...headers, "Content-Type": "application/octet-stream"}};
  const text = JSON.stringify(body), bytes = new Blob([text]).size;
  if (bytes > most) throw new Refused(413, {error: `This has ${Math.ceil(10 * bytes / most) / 10} MiB, and the studio takes 1 MiB at most.`});
  return {...options, headers: {...headers, "Content-Type": "application/json"}, body: text};
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

// What is said where no answer comes. What the window keeps is not lost when it opens the address of another studio.
export const silence = "The studio does not answer. If it has ended, start it again, and open its new address in this window.";

async function fetched(method, path, body, signal, keepalive) {
  if (!token) throw new Refused(401, {error: "This window has no token: open the address that goalproof studio printed."});
  const options = prepared(method, body, signal, keepalive);
  for (let tries = method === "GET" || computes.test(path) ? 2 : 1; ;) {
    try {
      return await checked(await fetch("/api/" + path, options));
    } catch (error) {
      if (signal?.aborted || error instanceof Refused) throw error;
      if (!--tries) throw new Error(silence);
      await new Promise(done => setTimeout(done, pause));
    }
  }
}

const computes = /^(view|step|turn|edit|forms|open|read|annotate)$/; // requests that change nothing: they are sent again
const pause = 250; // milliseconds before that

// The answers of requests, from their JSON. What goes wrong is thrown: Refused, or an error that says that no answer came.
export const post = async (path, body, signal) => (await fetched("POST", path, body, signal)).json();

// A request that the browser completes even when the page is closed. Browsers take up to 64 KiB for all of these together.
export const outlive = async (path, body) => (await fetched("POST", path, body, undefined, true)).json();
export const get = async path => (await fetched("GET", path)).json();
export const remove = async path => (await fetched("DELETE", path)).json();

// The response itself, to read as it comes; and the answer as a blob.
export const open = (path, signal) => fetched("GET", path, undefined, signal);
export const file = async path => (await fetched("GET", path)).blob();
