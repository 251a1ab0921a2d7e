// The board with its buttons and keys, and setting positions up.

import {at, amount, make, say} from "../lib/dom.js";
import {kept} from "../lib/kept.js";
import {inTurn} from "../lib/order.js";
import {same} from "../lib/study.js";
import {Board, drawPiece, pieceName} from "../ui/board.js";
import {back, change, flip, refresh, view} from "./shown.js";

let drawn = null; // the study that is drawn
let chosen = null; // the square of a piece that is taken
let brush = null; // the piece that a click puts, "" for none, or null

function draw() {
  if (drawn && !same(drawn, view.study)) chosen = null;
  drawn = view.study;
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
  flip: () => inTurn(flip),
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

// Begins to draw, and to answer what is done on the board.
export function positions() {
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
  document.addEventListener("viewed", draw);
  document.addEventListener("place", () => {
    chosen = null;
    paint(null);
  });
  document.addEventListener("failed", () => {
    chosen = null;
    if (view) draw();
  });
}
