// Boards as components: the board that is played on, small ones, and the pieces to set up with.

import {html, useEffect, useLayoutEffect, useRef, useState} from "../lib/view.js";
import {Board as Squares, kinds, pieceName, svg} from "./board.js";
import {Icon} from "./icons.js";
import {corner, displacements, frames} from "./steps.js";

const symbol = letter => "#piece-" + kinds[letter.toLowerCase()];
const sideOf = letter => letter < "a" ? "gold" : "silver";
const edge = "-8 -8 816 816"; // a thin frame; coordinates stand on the squares

// Adds to the drawings of the pieces (package render) a disc with a letter. The style sheet shows one of the two, by data-pieces.
export function addLetters(drawings) {
  for (const [letter, kind] of Object.entries(kinds)) {
    const piece = drawings.querySelector("#piece-" + kind);
    for (const part of piece.children) part.classList.add("face");
    svg(piece, "circle", {class: "disc", cx: 50, cy: 50, r: 40});
    svg(piece, "text", {class: "letter", x: 50, y: 52}, letter.toUpperCase());
  }
}

// The shapes of a view for a board with a thin frame.
const shapes = (view, coordinates) => view.shapes.flatMap(s => {
  if (s.class !== "label") return [s];
  if (!coordinates) return [];
  const file = s.y > 800;
  return [{...s, x: file ? s.x + 38 : 12, y: file ? 786 : s.y - 36}];
});

// Plays a turn above the pieces, which are hidden meanwhile. Returns a function that ends it.
function animate(layer, {squares, turn}, flipped, each) {
  const {pieces, count} = displacements(squares, turn);
  if (!count) return;
  const moving = svg(layer.ownerSVGElement, "g", {class: "moving"});
  layer.classList.add("hidden");
  const end = () => {
    layer.classList.remove("hidden");
    moving.remove();
  };
  const running = pieces.map(p => svg(svg(moving, "g", {class: sideOf(p.letter)}), "use", {href: symbol(p.letter)})
    .animate(frames(p, count, flipped), {duration: each * count, easing: "linear", fill: "both"}));
  Promise.all(running.map(a => a.finished)).then(end, () => {}); // those that are cut short have ended
  return () => {
    running.forEach(a => a.cancel());
    end();
  };
}

// The board. view is the studio's, in which flipped is taken into account. chosen and targets are squares; marking: the left
// button marks. played is {squares, turn}, the board before the turn that led here: it is animated when it is a new object.
// stamp is {square, good}, a tick or a cross. act has the functions choose(square), move(from, to), drop(from), mark(from, to)
// and key(square, key), which says whether it knows the key. hold(board) receives the board below, to drag pieces onto it.
export function Board(props) {
  const {view, flipped, chosen = "", targets = [], marking, coordinates = true, played, each = 160, stamp, label = "Squares", act, hold} = props;
  const picture = useRef(), layer = useRef(), grid = useRef(), board = useRef(), latest = useRef(act);
  latest.current = act;
  useLayoutEffect(() => {
    const call = name => [name, (...all) => latest.current[name]?.(...all)];
    board.current = new Squares(picture.current, grid.current, Object.fromEntries(["choose", "move", "drop", "mark", "key"].map(call)));
    board.current.layer = layer.current;
    hold?.(board.current);
  }, []);
  useLayoutEffect(() => {
    board.current.marking = !!marking;
    board.current.show({...view, shapes: shapes(view, coordinates)}, !!flipped, chosen, targets);
  }, [view, flipped, chosen, targets.join(), marking, coordinates]); // a piece that is dragged meanwhile stays lifted
  useLayoutEffect(() => { // before the pieces are seen where the turn leads
    if (played && !matchMedia("(prefers-reduced-motion: reduce)").matches) return animate(layer.current, played, flipped, each);
  }, [played]);
  const [x, y] = stamp ? corner(stamp.square, flipped) : [0, 0];
  return html`<div class="stage">
    <svg ref=${picture} class="board" viewBox=${edge} role="img" aria-label="Board">
      <use href="#ground" /><g ref=${layer} />
      ${stamp && html`<g class="stamp ${stamp.good ? "good" : "bad"}" transform="translate(${x + 80} ${y + 20})">
        <circle r="24" /><path d=${stamp.good ? "M-11 1 -3 9 12 -8" : "M-9 -9 9 9M9 -9 -9 9"} /></g>`}
    </svg>
    <div ref=${grid} class="squares" role="group" aria-label="${label}. Arrow keys move, Enter takes a piece and puts it down." />
  </div>`;
}

// A small board of a position such as "g [64 squares]", a8 to h1. It says nothing to screen readers: its row does.
export function MiniBoard({position}) {
  const squares = position.slice(position.indexOf("[") + 1);
  const side = gold => html`<g class=${gold ? "gold" : "silver"}>
    ${[...squares.slice(0, 64)].map((letter, i) => kinds[letter.toLowerCase()] && letter < "a" === gold &&
    html`<use href=${symbol(letter)} x=${100 * (i % 8)} y=${100 * (i >> 3)} />`)}</g>`;
  return html`<svg class="board mini" viewBox="0 0 800 800" aria-hidden="true"><use href="#ground" />${side(true)}${side(false)}</svg>`;
}

// Calls act once when the element of the reference that it returns comes close to being seen.
export function useSeen(act) {
  const place = useRef();
  useEffect(() => {
    const observer = new IntersectionObserver(all => {
      if (!all.some(e => e.isIntersecting)) return;
      observer.disconnect();
      act();
    }, {rootMargin: "200px"});
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return place;
}

// A small board that is drawn when it comes into sight: for long lists.
export function SeenBoard({position}) {
  const [seen, see] = useState(false), place = useSeen(() => see(true));
  return html`<span class="mini" ref=${place}>${seen && html`<${MiniBoard} position=${position} />`}</span>`;
}

// A piece alone, such as one that was captured.
export const Piece = ({letter}) =>
  html`<svg class="board piece" viewBox="0 0 100 100" aria-hidden="true"><g class=${sideOf(letter)}><use href=${symbol(letter)} /></g></svg>`;

// The pieces to set up with: one is chosen, "" clears squares. drag(event, letter) begins to drag one onto the board.
export function Palette({chosen, choose, drag}) {
  const row = letters => html`<div class="row">${letters.map(letter => html`<button type="button" key=${letter} aria-pressed=${letter === chosen}
    aria-label=${letter ? pieceName(letter) : "clear squares"} title=${letter ? pieceName(letter) : "clear squares"}
    onClick=${() => choose(letter)} onPointerDown=${e => letter && drag?.(e, letter)}>
    ${letter ? html`<${Piece} letter=${letter} />` : html`<${Icon} name="cross" />`}</button>`)}</div>`;
  return html`<div class="palette" role="group" aria-label="Pieces">${row([..."EMHDCR", ""])}${row([..."emhdcr"])}</div>`;
}
