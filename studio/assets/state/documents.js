// Games and their files in the workspace. A document is {state, name, version, edits, sent, own, theirs, error, unsure}:
// state: clean, dirty, saving, conflict, failed or nowhere (there is no workspace);
// name and version: of its file, "" if it has none yet; edits: how often it was edited; sent: the edit that was saved last, or is
// being saved; own: versions that this page has written, the newest last; theirs: the version that somebody else wrote, null if
// the file was removed, undefined if neither is known; error: why saving was refused or failed, or ""; unsure: whether edits may
// be in the file although no answer has said so.
//
// The studio replaces a file only for a page that names its version, so nothing that others wrote is lost here either.

// A document as it is opened, or with no name a new one.
export const open = ({name = "", version = "", workspace = true} = {}) =>
  ({state: workspace ? "clean" : "nowhere", name, version, edits: 0, sent: 0, own: version ? [version] : [], theirs: undefined, error: "",
    unsure: false});

const remembered = 8; // own versions: reports of them may come late

// The document after an event {type, ...}: edited; sending: its edits are on the way; saved {name, version}; refused {error,
// version}: the file has another version than the one named (409): this one, null if there is no file, undefined if it is not
// known; failed {error, unsure}; changed {version} and removed: the studio reports it of the file; known {version}: the file has
// this one, with nothing that the game has not; loaded {version}: the file was read again, and replaces the edits; copy: the
// edits go to a new file; renamed {name, version}; unsent {was}: a name was refused, and the document is as before; nowhere:
// there is no workspace.
export function next(d, event) {
  switch (event.type) {
    case "edited": {
      const edits = d.edits + 1;
      if (d.theirs !== undefined && d.state === "clean") return {...d, edits, state: "conflict"};
      return {...d, edits, state: d.state === "clean" || d.state === "failed" ? "dirty" : d.state};
    }
    case "sending":
      return {...d, state: "saving", sent: d.edits, error: ""};
    case "saved": {
      const own = [...d.own, event.version].slice(-remembered);
      const theirs = d.theirs !== event.version ? d.theirs : undefined, newer = d.edits > d.sent;
      const state = theirs === null || newer && theirs ? "conflict" : newer ? "dirty" : "clean";
      return {...d, state, name: event.name, version: event.version, own, theirs, error: "", unsure: false};
    }
    case "refused":
      return {...d, state: "conflict", error: event.error, theirs: event.version === undefined ? d.theirs : event.version};
    case "failed":
      return {...d, state: "failed", error: event.error, unsure: d.unsure || !!event.unsure};
    case "changed":
      if (d.own.includes(event.version)) return d;
      return {...d, theirs: event.version, state: d.state === "dirty" || d.state === "failed" ? "conflict" : d.state};
    case "removed":
      return d.name ? {...d, theirs: null, state: d.state === "saving" ? d.state : "conflict"} : d;
    case "known":
      return {...d, state: "dirty", version: event.version, own: [...d.own, event.version].slice(-remembered), theirs: undefined, unsure: false};
    case "loaded":
      return {...open({name: d.name, version: event.version})};
    case "copy":
      return {...d, state: "dirty", name: "", version: "", own: [], theirs: undefined, error: "", unsure: false};
    case "renamed": {
      const own = [...d.own, event.version].slice(-remembered);
      return {...d, name: event.name, version: event.version, own, theirs: undefined, state: d.edits > d.sent ? "dirty" : "clean"};
    }
    case "unsent":
      return {...d, state: event.was.state === "clean" && d.edits > event.was.edits ? "dirty" : event.was.state, sent: event.was.sent};
    case "nowhere":
      return {...d, state: "nowhere"};
    default:
      throw new Error(`no event of a document: ${event.type}`);
  }
}

// The next action: "save"; "load": the file is newer and nothing was edited here; "ask": load or copy;
// "retry": save again in a while; or "".
export function todo(d) {
  switch (d.state) {
    case "dirty": return "save";
    case "conflict": return "ask";
    case "failed": return "retry";
    case "clean": return d.theirs ? "load" : "";
    default: return "";
  }
}

// Reports whether there are edits that are in no file.
export const unsaved = d => d.edits > 0 && d.state !== "clean";

// Reports whether edits would be lost if the page were closed now. final says that the page can still send them while it closes.
export function loses(d, final) {
  if (d.state === "saving") return !final || d.edits > d.sent;
  return unsaved(d) && (d.state !== "dirty" || !final);
}

// A document that a window has kept while the page was loaded again: whether what was on its way has arrived is not known, and
// another studio may have a workspace.
export function again(d) {
  if (!d) return open();
  if (d.state === "nowhere") return {...d, state: d.edits ? "dirty" : "clean"};
  const sent = d.state === "dirty" || d.state === "saving"; // perhaps while the page was closed
  return sent ? {...d, state: "dirty", unsure: true} : d;
}

// The state in words, for a line beside the name.
export function words(d) {
  switch (d.state) {
    case "clean": return d.name ? `Saved as ${d.name}.` : "";
    case "dirty": case "saving": return "Saving.";
    case "failed": return `Not saved: ${d.error}`;
    case "nowhere": return d.edits ? "Not saved: the studio has no workspace. “Export with comments”, under Share, writes a file." : "";
    case "conflict": return d.theirs === null ? `The file of ${d.name} was removed elsewhere.` : `${d.name || "The game"} was changed elsewhere.`;
  }
}

// The body of POST /api/games that saves a game, with a name to suggest for one that has none yet.
export const request = (d, game, suggest) => ({name: d.name, version: d.version, game, ...(!d.name && {suggest})});

// A name to suggest for a game: players and date, or else the day it is.
export const suggestion = ({Gold = "", Silver = "", Date: date = ""}, today) =>
  ([[Gold, Silver].filter(Boolean).join(" "), date].filter(Boolean).join(" ") || `Game ${today}`).slice(0, 60);
