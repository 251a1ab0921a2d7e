// Addresses of the page: the part after the #. A value is {place, ...}:
// {place: "board", position, number, turns, steps, show}: a study, and a turn shown with arrows; without position the board as
// it is; {place: "game", name, at}: a game of the workspace, and the place of a node in it (tree.js); {place: "puzzles", set,
// puzzle}: a set (its name, or the id of a job) and the number of a puzzle, from 1; {place: "library", kind, name}: files of the
// workspace, a text that was opened (text), or a tab of the database; {place: "job", id}. Fields that are "" or missing are left
// out. The token of the studio is never part of an address.

const named = (...parts) => "#/" + parts.filter(p => p !== undefined && p !== "").map(p => encodeURIComponent(p)).join("/");

const query = fields => {
  const given = Object.entries(fields).filter(([, v]) => v !== undefined);
  return given.length ? "?" + new URLSearchParams(given) : "";
};

// The address of a value. Turns are joined by dots, which no turn contains.
export function to(value) {
  switch (value.place) {
    case "board": {
      const {position, number, turns = [], steps, show} = value;
      if (!position) return "#/board";
      const played = turns.length ? turns.join(".") : undefined; // also of turns that are empty
      return "#/board" + query({position, number: number || undefined, turns: played, steps: steps || undefined, show: show || undefined});
    }
    case "game": return named("game", value.name) + query({at: value.at || undefined});
    case "puzzles": return named("puzzles", value.set, value.set && value.puzzle);
    case "library": return named("library", value.kind, value.kind && value.name);
    case "job": return named("job", value.id);
  }
  throw new Error(`no place: ${value.place}`);
}

const kinds = ["archives", "games", "searches", "certificates", "runs", "text", "database"];

// The value of an address, or null if it is none, such as one that has only a token. What it names may not exist.
export function from(address) {
  if (!address.startsWith("#/")) return null;
  const [path, rest = ""] = address.slice(2).split(/\?(.*)/s), fields = new URLSearchParams(rest);
  let parts;
  try {
    parts = path.split("/").map(decodeURIComponent);
  } catch { // a % that encodes nothing
    return null;
  }
  const [place, first, second, ...more] = parts;
  if (more.length) return null;
  const field = name => fields.get(name) ?? "";
  switch (place) {
    case "board": {
      if (first !== undefined) return null;
      const position = field("position"), number = Number(field("number") || 2);
      if (!position) return {place};
      if (!Number.isInteger(number) || number < 2) return null;
      return {place, position, number, turns: fields.has("turns") ? field("turns").split(".") : [], steps: field("steps"), show: field("show")};
    }
    case "game": return first && second === undefined ? {place, name: first, at: field("at")} : null;
    case "puzzles": {
      const puzzle = second === undefined ? undefined : Number(second);
      if (puzzle !== undefined && !(Number.isInteger(puzzle) && puzzle > 0)) return null;
      return {place, ...(first && {set: first}), ...(first && puzzle && {puzzle})};
    }
    case "library": return !first || kinds.includes(first) ? {place, ...(first && {kind: first}), ...(second && {name: second})} : null;
    case "job": return first && second === undefined ? {place, id: first} : null;
  }
  return null;
}
