// A turn as a list of displacements, for animations. It is read from the text of the turn; no rule is known here.

import {squareName} from "./board.js";

const ways = {n: [0, 1], s: [0, -1], e: [1, 0], w: [-1, 0]};
const files = "abcdefgh";

// The upper left corner of a square on the board, in its units.
export function corner(square, flipped) {
  const file = files.indexOf(square[0]), rank = square[1] - 1;
  return flipped ? [100 * (7 - file), 100 * rank] : [100 * file, 100 * (7 - rank)];
}

// The pieces of a board (64 letters, a1 to h8) while a turn is played, and the number of its displacements. Each piece has its
// letter, the squares where it stands with the displacement that takes it there (0: it is there before the turn), and the
// displacement with which it is lost, or null. A push or a pull is two displacements, one after the other.
export function displacements(squares, turn) {
  const pieces = [], on = new Map();
  const put = (letter, square, time) => {
    const piece = {letter, path: [{time, square}], lost: null};
    pieces.push(piece);
    on.set(square, piece);
  };
  [...squares].forEach((letter, i) => letter !== " " && put(letter, squareName(i), 0));
  let time = 0;
  for (const step of turn.split(" ").filter(Boolean)) {
    const square = step.slice(1, 3), piece = on.get(square), way = ways[step[3]];
    if (step.length === 3) put(step[0], square, time);
    else if (!piece) break; // the turn is of another position
    else if (step[3] === "x") {
      piece.lost = time;
      on.delete(square);
    } else if (way) {
      const to = files[files.indexOf(square[0]) + way[0]] + (+square[1] + way[1]);
      piece.path.push({time: ++time, square: to});
      on.delete(square);
      on.set(to, piece);
    }
  }
  return {pieces, count: time};
}

// The frames of a piece for Element.animate, over all displacements of the turn.
export function frames({path, lost}, count, flipped) {
  const place = ({square}) => `translate(${corner(square, flipped).join("px, ")}px)`;
  const all = [{offset: 0, transform: place(path[0])}];
  path.slice(1).forEach((p, i) => all.push({offset: (p.time - 1) / count, transform: place(path[i])}, {offset: p.time / count, transform: place(p)}));
  const last = place(path.at(-1));
  if (lost !== null && lost < count) {
    all.push({offset: lost / count, transform: last, opacity: 1}, {offset: (lost + 0.5) / count, transform: last, opacity: 0});
  }
  all.push({offset: 1, transform: last, ...(lost !== null && {opacity: 0})});
  return all;
}
