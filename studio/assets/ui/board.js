// The board: it shows the shapes that the studio draws, and says what a person does with the pieces. It knows no rules.

export const kinds = {r: "rabbit", c: "cat", d: "dog", h: "horse", m: "camel", e: "elephant"};
const traps = ["c3", "f3", "c6", "f6"];

// Adds an element of a picture to another one, with attributes, and a text if there is one.
export const svg = (parent, name, attributes, text) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text !== undefined) e.textContent = text;
  parent.append(e);
  return e;
};

// The piece of a letter in words.
export const pieceName = letter => (letter < "a" ? "gold " : "silver ") + kinds[letter.toLowerCase()];

// A drawing of a piece alone.
function drawPiece(parent, letter) {
  const picture = svg(parent, "svg", {class: "board", viewBox: "0 0 100 100", "aria-hidden": "true"});
  svg(svg(picture, "g", {class: letter < "a" ? "gold" : "silver"}), "use", {href: "#piece-" + kinds[letter.toLowerCase()]});
  return picture;
}

// The name of a square by its index, from a1 to h8.
export const squareName = s => "abcdefgh"[s % 8] + ((s >> 3) + 1);

// A board on a picture, below a grid of squares. act has the functions choose(square), move(from, to), drop(from) for a
// piece that is dragged off the board, mark(from, to) for the right button or while marking is set, and key(square, key).
export class Board {
  constructor(picture, grid, act) {
    this.picture = picture;
    this.layer = picture.querySelector("#pieces");
    this.grid = grid;
    this.act = act;
    this.flipped = false;
    this.marking = false;
    this.released = -Infinity; // when a pointer was let go
    this.squares = " ".repeat(64);
    this.buttons = [];
    for (let i = 0; i < 64; i++) {
      const b = document.createElement("button");
      b.type = "button";
      b.tabIndex = -1;
      b.addEventListener("keydown", e => this.keydown(e, i));
      grid.append(b);
      this.buttons.push(b);
    }
    this.focused = 56; // the button in the order of Tab
    this.buttons[this.focused].tabIndex = 0;
    grid.addEventListener("pointerdown", e => this.press(e));
    grid.addEventListener("click", e => this.click(e));
    grid.addEventListener("contextmenu", e => e.preventDefault());
  }

  // The square of button i, which begin at the upper left, and back.
  square(i) {
    const [row, file] = [i >> 3, i % 8];
    return this.flipped ? squareName(8 * row + 7 - file) : squareName(8 * (7 - row) + file);
  }

  button(square) {
    return this.buttons.find((_, i) => this.square(i) === square);
  }

  at(square) {
    return this.squares[8 * (square[1] - 1) + square.charCodeAt(0) - 97];
  }

  // Shows a view, with a square that is chosen and those to which its piece may go.
  show(view, flipped, chosen, targets) {
    this.squares = view.squares;
    this.flipped = flipped;
    this.picture.setAttribute("aria-label", "Board. " + view.shows);
    this.layer.replaceChildren();
    for (const s of view.shapes) {
      if (s.symbol) svg(svg(this.layer, "g", {class: s.class}), "use", {href: "#" + s.symbol, x: s.x || 0, y: s.y || 0});
      else if (s.text) svg(this.layer, "text", {class: s.class, x: s.x || 0, y: s.y || 0}, s.text);
      else svg(this.layer, "path", {class: s.class, d: s.path});
    }
    this.buttons.forEach((b, i) => {
      const square = this.square(i), letter = this.at(square);
      b.dataset.square = square;
      let label = square + (letter === " " ? "" : ", " + pieceName(letter)) + (traps.includes(square) ? ", trap" : "");
      if (targets.includes(square)) label += ", may be entered";
      b.setAttribute("aria-label", label);
      b.setAttribute("aria-pressed", square === chosen);
      b.classList.toggle("chosen", square === chosen);
      b.classList.toggle("target", targets.includes(square));
    });
  }

  keydown(e, i) {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const to = {ArrowUp: i - 8, ArrowDown: i + 8, ArrowLeft: i % 8 ? i - 1 : -1, ArrowRight: i % 8 < 7 ? i + 1 : -1}[e.key];
    if (to !== undefined) {
      e.preventDefault();
      if (to >= 0 && to < 64) this.focus(to);
      return;
    }
    if (this.act.key(this.square(i), e.key)) {
      e.preventDefault();
      e.stopPropagation();
    }
  }

  focus(i) {
    this.buttons[this.focused].tabIndex = -1;
    this.focused = i;
    this.buttons[i].tabIndex = 0;
    this.buttons[i].focus();
  }

  // A click that no pointer has made comes from the keyboard or a screen reader.
  click(e) {
    if (e.detail && performance.now() - this.released < 500) return;
    const square = e.target.closest("button")?.dataset.square;
    if (square) this.act.choose(square);
  }

  under(e) {
    const area = this.grid.getBoundingClientRect();
    const file = Math.floor((e.clientX - area.left) / area.width * 8), row = Math.floor((e.clientY - area.top) / area.height * 8);
    return file < 0 || file > 7 || row < 0 || row > 7 ? null : this.square(8 * row + file);
  }

  press(e) {
    const from = this.under(e);
    const marks = e.button === 2 || !e.button && this.marking;
    if (e.button && !marks || !from) return;
    this.focus(this.buttons.indexOf(this.button(from)));
    if (marks) return this.drag(e, "", to => to && this.act.mark(from, to));
    this.drag(e, this.at(from), to => {
      if (to === from) this.act.choose(from);
      else if (this.at(from) === " ") return;
      else if (to) this.act.move(from, to);
      else this.act.drop(from);
    }, from);
  }

  // Drags a piece from a square, or from elsewhere onto the board, or "" for none, and calls done with the square on which it
  // is dropped, or null.
  drag(e, letter, done, from) {
    const size = this.grid.getBoundingClientRect().width / 8, [x, y] = [e.clientX, e.clientY];
    let ghost = null, over = null, lifted = null;
    const mark = square => {
      if (over) this.button(over).classList.remove("over");
      if (over = square) this.button(square).classList.add("over");
    };
    const move = e => {
      if (!ghost && letter) {
        if (letter === " " || Math.hypot(e.clientX - x, e.clientY - y) < 5) return;
        ghost = drawPiece(document.body, letter);
        ghost.id = "ghost";
        ghost.style.width = ghost.style.height = size + "px";
        if (from) {
          const area = this.grid.getBoundingClientRect(), b = this.button(from).getBoundingClientRect();
          const [cx, cy] = [Math.round((b.left - area.left) / area.width * 8) * 100, Math.round((b.top - area.top) / area.height * 8) * 100];
          lifted = [...this.layer.querySelectorAll("use")].find(u => +u.getAttribute("x") === cx && +u.getAttribute("y") === cy);
          lifted?.classList.add("lifted");
        }
      }
      if (ghost) ghost.style.transform = `translate(${e.clientX - size / 2}px, ${e.clientY - size / 2}px)`;
      mark(this.under(e));
    };
    const finish = e => {
      for (const [type, f] of [["pointermove", move], ["pointerup", finish], ["pointercancel", finish]]) removeEventListener(type, f);
      ghost?.remove();
      lifted?.classList.remove("lifted");
      mark(null);
      this.released = performance.now();
      if (e.type === "pointerup") done(this.under(e), ghost !== null);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", finish);
    addEventListener("pointercancel", finish);
  }
}
