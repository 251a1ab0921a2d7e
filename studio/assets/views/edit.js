// The mode Edit of the board: positions are set up by clicks, by dragging and by letters.

import {effect, html, signal} from "../lib/view.js";
import {opening} from "../state/desk.js";
import {pieceAt} from "../store/board.js";
import {board, mode, setMode} from "../store/desk.js";
import {impossible} from "../store/legal.js";
import {squareName} from "../ui/board.js";
import {Palette} from "../ui/boards.js";
import {Button, Chips} from "../ui/parts.js";
import {playing} from "./stage.js";

const brush = signal(null); // the letter of the piece that a press puts, "" to clear squares, or null

effect(() => {
  if (mode.value !== "edit") brush.value = null;
});

let squares = null; // the board below, onto which pieces are dragged

const marks = playing(board);
const at = square => pieceAt(board.view.value, square);
const put = (square, piece) => board.edit({put: [{square, piece}]});

function move(from, to) {
  board.chosen.value = "";
  if (from !== to) board.edit({put: [{square: from, piece: ""}, {square: to, piece: at(from)}]});
}

// Puts everything down. Reports whether there was anything.
function release() {
  const held = board.chosen.value || brush.value !== null;
  board.chosen.value = "";
  brush.value = null;
  return held;
}

// What is done on the squares while a position is set up, as of ui/boards.js.
export const editing = {
  choose(square) {
    const from = board.chosen.value;
    if (board.marking.value) marks.choose(square);
    else if (brush.value !== null) put(square, brush.value);
    else if (from) move(from, square);
    else if (at(square) !== " ") board.chosen.value = square;
  },
  move,
  drop: from => put(from, ""),
  mark: board.mark,
  key(square, key) {
    if (key === "Escape") return release();
    if (key === "Delete" || key === "Backspace") put(square, "");
    else if (/^[rcdhme]$/i.test(key)) put(square, key);
    else return false;
    return true;
  },
};

// Joins the pieces with the board.
export const palette = {hold: below => squares = below};

let dragged = false; // a piece was dragged from the palette: the click that may follow chooses nothing

function drag(e, letter) {
  dragged = false;
  if (e.button) return;
  squares.drag(e, letter, (square, moved) => {
    dragged = moved;
    if (moved && square) put(square, letter);
  });
}

function choose(letter) {
  if (!dragged) brush.value = brush.value === letter ? null : letter;
  dragged = false;
  board.chosen.value = "";
}

const sides = [{id: "gold", label: "Gold"}, {id: "silver", label: "Silver"}];

// The pieces of the usual setup, whose text begins with a8.
const usual = [...opening.position.slice(3, 67)].flatMap((letter, i) => letter === " " ? [] : {square: squareName(i ^ 56), piece: letter});

const says = letter => letter ? "Press squares to put this piece there. Press it again to put it down." : "Press squares to clear them.";

// What belongs to the mode: the pieces, and what else a position has.
export function Edit() {
  const v = board.view.value;
  if (!v) return html`<section class="card" />`;
  const number = parseInt(v.label), empty = !v.squares.trim(), none = v.unusual.length ? v.unusual : [impossible.value].filter(Boolean);
  const renumber = e => {
    const n = Math.min(Math.max(Math.round(+e.currentTarget.value) || 2, 2), 1e6);
    e.currentTarget.value = n;
    if (n !== number) board.edit({number: n});
  };
  return html`<section class="card settles" aria-labelledby="edit-title" onKeyDown=${e => e.key === "Escape" && release() && e.preventDefault()}>
    <div class="answer"><h2 id="edit-title">Set up a position</h2>
      <${Palette} chosen=${brush.value} choose=${choose} drag=${drag} />
      <p class="dim">${brush.value !== null ? says(brush.value) : html`Drag pieces onto the board, and off it. Or press a piece and then
        squares.<span class="keyboard"> On a square, the letters <kbd>E</kbd> <kbd>M</kbd> <kbd>H</kbd> <kbd>D</kbd> <kbd>C</kbd> <kbd>R</kbd> put
        silver pieces, with Shift gold ones, and <kbd>Delete</kbd> clears.</span>`}</p>
      <div class="buttons apart"><${Chips} label="Side to move" caption="To move" options=${sides} value=${v.side}
        pick=${side => side !== v.side && board.edit({side})} />
        <label class="check">Number of the turn <input id="edit-number" type="number" min="2" max="1000000" value=${number}
          onChange=${renumber} /></label></div>
      <div class="buttons"><${Button} disabled=${empty} onClick=${() => board.edit({clear: true})}>Clear the board<//>
        <${Button} onClick=${() => board.edit({exchange: true})}>Exchange colours<//>
        <${Button} onClick=${() => board.edit({clear: true, put: usual, side: "gold", number: 2})}>Usual setup<//></div>
      <div role="status">${empty ? html`<p class="note">The board is empty.</p>`
        : none.length > 0 && html`<p class="note">No game leads to this position:</p>
          <ul class="unusual">${none.map(reason => html`<li key=${reason}>${reason}</li>`)}</ul>`}</div>
    </div>
    <footer class="buttons"><${Button} filled onClick=${() => setMode("analyse")}>Done<//></footer>
  </section>`;
}
