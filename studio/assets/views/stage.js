// A board of store/board.js on the page, with what presses and keys on its squares do.

import {html} from "../lib/view.js";
import {settings} from "../store/settings.js";
import {tell} from "../store/messages.js";
import {Board} from "../ui/boards.js";

// What is done on the squares of a board while it is played on.
export const playing = b => ({
  choose: square => b.marking.value ? marked(b, square) : b.choose(square),
  move: b.step,
  drop: () => tell("Pieces leave the board on traps alone. “Edit” removes them."),
  mark: b.mark,
  key: (_, key) => {
    if (key !== "Escape" || !b.chosen.value) return false;
    b.chosen.value = "";
    return true;
  },
});

// While squares are marked, two presses make an arrow, and two on the same square a ring.
function marked(b, square) {
  if (b.chosen.value) b.mark(b.chosen.value, square);
  else b.chosen.value = square;
}

// A board. act is as of ui/boards.js; targets says whether the squares to which the chosen piece may go are shown.
export function Stage({board: b, act = playing(b), targets = true, hold}) {
  const view = b.view.value, chosen = b.chosen.value, {coordinates} = settings.value;
  if (!view) return html`<div class="stage" />`;
  const to = chosen && targets && !b.marking.value ? view.steps.filter(s => s.from === chosen).map(s => s.to) : [];
  return html`<${Board} view=${view} flipped=${b.flipped.value} chosen=${chosen} targets=${to} marking=${b.marking.value}
    coordinates=${coordinates} played=${b.played.value} stamp=${b.stamp.value} act=${act} hold=${hold} />`;
}
