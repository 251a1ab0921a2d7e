// The page: what is shown, and what each control asks the studio for. What has to survive a reload of the page is kept in
// the storage of this window.

import {annotations, follow} from "./annotate.js";
import {Refused, get, post} from "./api.js";
import {Board, drawPiece, pieceName} from "./board.js";
import {clocks} from "./clocks.js";
import {plays} from "./play.js";
import {reviews} from "./review.js";
import {sets} from "./set.js";
import {solving} from "./solve.js";
import {texts} from "./texts.js";
import {trainings} from "./train.js";
import {trees} from "./tree.js";

export const at = id => document.getElementById(id);
export const make = (parent, name, properties = {}) => {
  const e = Object.assign(document.createElement(name), properties);
  parent.append(e);
  return e;
};

export const opening = {position: "g [rrrrrrrrdhcemchd                                DHCMECHDRRRRRRRR]", number: 2};
const fresh = {study: opening, show: "", marks: [], flipped: false, view: "solve", undone: [], done: []};

// What the window keeps: the study, the turn that is shown with arrows, the studies before and after it, and more.
export const kept = {...fresh, ...read()};
let view = null; // of the study
let chosen = null; // the square of a piece that is taken
let brush = null; // the piece that a click puts, "" for none, or null

function read() {
  try {
    return JSON.parse(sessionStorage.getItem("studio")) || {};
  } catch {
    return {};
  }
}

export function keep() {
  for (;;) {
    try {
      return sessionStorage.setItem("studio", JSON.stringify(kept));
    } catch {
      if (!kept.done.length) return say("The storage of this window is full: a reload would lose the last changes.");
      kept.done.splice(0, (kept.done.length + 1) >> 1);
    }
  }
}

export const number = n => n.toLocaleString("en");
export const amount = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;

export const size = n => n < 2 ** 20 ? `${Math.ceil(n / 1024)} KiB` : `${(n / 2 ** 20).toFixed(1)} MiB`;

export const say = text => at("status").textContent = text;

// Runs one action after the other, and says what is wrong with one.
let last = Promise.resolve();
export const inTurn = action => last = last.then(action).catch(error => {
  chosen = null;
  if (view) draw();
  say(error.message);
});

// Runs an action after those on the board, which it does not hold up, and says what is wrong with it.
export const aside = action => async e => {
  e?.preventDefault();
  await last;
  try {
    await action();
  } catch (error) {
    say(error.message);
  }
};

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

// Asks a person whether something that cannot be undone is to be done.
export function confirmed(question) {
  at("confirm-text").textContent = question;
  at("confirm").showModal();
  return new Promise(done => decide = done);
}

let decide = null; // takes the answer
function decided(yes) {
  at("confirm").close();
  decide?.(yes);
  decide = null;
}

// Asks for a view, which is then shown. What the study was can be undone if it changes.
export async function change(path, body, show = "") {
  return display(await post(path, {study: kept.study, flipped: kept.flipped, show, ...body}), show, path === "view");
}

// Shows a view, with a turn drawn as arrows. Turns that are only looked at are no variations of the game.
export function display(found, show = "", looking = false) {
  if (JSON.stringify(found.study) !== JSON.stringify(kept.study) || show !== kept.show) {
    if (view) kept.done.push(point());
    if (kept.done.length > 200) kept.done.shift();
    kept.undone = [];
  }
  [kept.study, kept.show, kept.marks, view, chosen] = [found.study, show, [], found, null];
  follow(looking);
  keep();
  draw();
  return found;
}

// The board as it is seen.
export const seen = () => ({study: kept.study, flipped: kept.flipped, show: kept.show, marks: kept.marks});

const point = () => ({study: kept.study, show: kept.show, game: kept.game});

// Shows the study as it is.
async function refresh() {
  view = await post("view", seen());
  kept.study = view.study;
  follow(true);
  keep();
  draw();
}

function draw() {
  const targets = chosen ? view.steps.filter(s => s.from === chosen).map(s => s.to) : [];
  board.show(view, kept.flipped, chosen, kept.view === "setup" || board.marking ? [] : targets);
  const left = amount(view.steps_left, "step");
  at("where").textContent = view.over ? `${view.label}: the game is over, ${view.over}` : `${view.label}, ${view.side} to move, ${left} left`;
  at("end").disabled = view.no_end !== null;
  at("undo").disabled = !kept.done.length;
  at("redo").disabled = !kept.undone.length;
  at("flip").setAttribute("aria-pressed", kept.flipped);
  at("table").textContent = view.table ? `Endgame table: ${view.table}.` : "";
  at("side").value = view.side;
  at("number").value = parseInt(view.label);
  at("unusuals").replaceChildren();
  for (const reason of view.unusual) make(at("unusuals"), "li", {textContent: reason});
  at("unusual-label").hidden = !view.unusual.length;
  document.dispatchEvent(new CustomEvent("viewed", {detail: view}));
}

// Shows another study, with a turn drawn as arrows.
export function go(study, show = "") {
  say("");
  return change("view", {study}, show);
}

// What has just been done on the board, in words.
const stepped = found => {
  const words = (found.study.steps || "").split(" ");
  return found.study.steps ? `${words.join(" ")}.${found.no_end && !found.over ? ` The turn may not end yet: ${found.no_end}.` : ""}` : "";
};

const act = {
  choose: square => inTurn(async () => {
    if (board.marking) {
      if (chosen) return act.marked(chosen, square);
      chosen = square;
      return draw();
    }
    if (kept.view === "setup") {
      if (brush !== null) await edit({put: [{square, piece: brush}]});
      else if (chosen) await act.edited(chosen, square);
      else if (board.at(square) !== " ") [chosen] = [square];
      return draw();
    }
    if (chosen && chosen !== square) {
      const target = view.steps.some(s => s.from === chosen && s.to === square);
      if (target || board.at(square) === " ") return say(stepped(await change("step", {from: chosen, to: square})));
    }
    chosen = chosen === square || board.at(square) === " " ? null : square;
    draw();
    if (chosen && !view.steps.some(s => s.from === chosen)) say(view.over ? "The game is over." : `The piece on ${chosen} cannot move now.`);
    else say("");
  }),
  move: (from, to) => inTurn(async () => {
    if (kept.view === "setup") return act.edited(from, to);
    say(stepped(await change("step", {from, to})));
  }),
  edited: (from, to) => edit({put: from === to ? [] : [{square: from, piece: ""}, {square: to, piece: board.at(from)}]}),
  drop: from => inTurn(() => kept.view === "setup" ? edit({put: [{square: from, piece: ""}]}) : say("Pieces leave the board on traps alone. “Set up” removes them.")),
  mark: (from, to) => inTurn(() => act.marked(from, to)),
  async marked(from, to) {
    const one = from === to ? from : from + to, rest = kept.marks.filter(m => m !== one);
    kept.marks = rest.length < kept.marks.length ? rest : [...rest, one];
    chosen = null;
    await refresh();
    say(kept.marks.length ? `Marks: ${kept.marks.map(m => m.length > 2 ? `${m.slice(0, 2)} to ${m.slice(2)}` : m).join(", ")}.` : "No marks.");
  },
  key(square, key) {
    if (key === "Escape" && (chosen || brush !== null)) {
      chosen = null;
      paint(null);
      draw();
      return true;
    }
    if (kept.view !== "setup") return false;
    if (key === "Delete" || key === "Backspace") inTurn(() => edit({put: [{square, piece: ""}]}));
    else if (/^[rcdhme]$/i.test(key)) inTurn(() => edit({put: [{square, piece: key}]}));
    else return false;
    return true;
  },
};

const board = new Board(at("board"), at("squares"), act);

async function edit(body) {
  await change("edit", body);
  say(view.unusual.length ? "No game leads to this position: " + view.unusual.join("; ") + "." : "");
}

// Chooses the piece that a click puts, or null.
function paint(letter) {
  brush = letter;
  for (const b of at("palette").children) b.setAttribute("aria-pressed", b.dataset.piece === letter);
}

for (const letter of ["R", "C", "D", "H", "M", "E", "", "r", "c", "d", "h", "m", "e"]) {
  const b = make(at("palette"), "button", {type: "button", ariaLabel: letter ? pieceName(letter) : "remove a piece"});
  b.dataset.piece = letter;
  b.setAttribute("aria-pressed", false);
  if (letter) drawPiece(b, letter);
  else b.textContent = "✕";
  let dragged = false;
  b.onpointerdown = e => {
    if (e.button || !letter) return;
    dragged = false;
    board.drag(e, letter, (square, moved) => {
      dragged = moved;
      if (moved && square) inTurn(() => edit({put: [{square, piece: letter}]}));
    });
  };
  b.onclick = () => {
    if (dragged) dragged = false;
    else paint(brush === letter ? null : letter);
  };
}

function back(from, to) {
  if (!kept[from].length) return;
  kept[to].push(point());
  Object.assign(kept, kept[from].pop(), {marks: []});
  chosen = null;
  say("");
  return refresh();
}

const actions = {
  undo: () => inTurn(() => back("done", "undone")),
  redo: () => inTurn(() => back("undone", "done")),
  end: () => inTurn(async () => {
    if (view.no_end) return say(`The turn may not end: ${view.no_end}.`);
    const before = {study: {...kept.study, steps: ""}, turn: kept.study.steps, side: view.side, over: null};
    before.over = (await change("turn", {turn: ""})).over;
    say(view.over ? `The game is over: ${view.over}.` : "");
    document.dispatchEvent(new CustomEvent("ended", {detail: before}));
  }),
  flip: () => {
    kept.flipped = !kept.flipped;
    return inTurn(refresh);
  },
  mark: () => {
    board.marking = !board.marking;
    at("mark").setAttribute("aria-pressed", board.marking);
    chosen = null;
    draw();
    say(board.marking ? "Marks: press a square for a ring, drag for an arrow; the same again takes it away." : "");
  },
  clear: () => inTurn(() => edit({clear: true})),
  exchange: () => inTurn(() => edit({exchange: true})),
};
for (const id in actions) at(id).onclick = actions[id];
at("side").onchange = () => inTurn(() => edit({side: at("side").value}));
at("number").onchange = () => inTurn(() => edit({number: Math.min(Math.max(Math.round(+at("number").value) || 2, 2), 1e6)}));

addEventListener("keydown", e => {
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && e.target.type !== "checkbox") return;
  const key = e.key.toLowerCase();
  const action = e.ctrlKey || e.metaKey ? {z: e.shiftKey ? "redo" : "undo", y: "redo"}[key] : !e.altKey && kept.view !== "setup" && {f: "flip", e: "end", k: "mark"}[key];
  if (!action) return;
  actions[action]();
  e.preventDefault();
});

export function showView(name) {
  kept.view = name;
  chosen = null;
  paint(null);
  keep();
  for (const b of at("views").children) {
    const current = b.dataset.view === name;
    if (current) b.setAttribute("aria-current", "page");
    else b.removeAttribute("aria-current");
    at("view-" + b.dataset.view).hidden = !current;
  }
  if (view) draw();
}
for (const b of at("views").children) b.onclick = () => showView(b.dataset.view);

at("confirm-yes").onclick = () => decided(true);
at("confirm-no").onclick = at("confirm").oncancel = () => decided(false);

showView(at("view-" + kept.view) ? kept.view : "solve");
annotations();
solving();
texts();
trees();
sets();
reviews();
trainings();
plays();
clocks();
inTurn(async () => {
  try {
    await refresh();
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401) throw error;
    Object.assign(kept, fresh); // what the window kept is of no use
    await refresh();
  }
});
