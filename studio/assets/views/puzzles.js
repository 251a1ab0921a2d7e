// The place Puzzles: a board of its own, the exercise or the finding that it shows, and the set that this comes from.

import {html} from "../lib/view.js";
import {kept} from "../store/kept.js";
import {standing, stepsLeft} from "../store/board.js";
import {board, exercise, mode, next, now, part, row} from "../store/exercise.js";
import {again, hint, solution} from "../store/judging.js";
import {go, walk} from "../store/trail.js";
import {same, atStart} from "../state/study.js";
import {capital} from "../state/words.js";
import {Strip, Transport} from "../ui/play.js";
import {Button} from "../ui/parts.js";
import {Sheet} from "../ui/sheet.js";
import {Sets} from "./sets.js";
import {Stage} from "./stage.js";
import {Finding, Task} from "./task.js";

const trains = () => mode.value === "train" && !!exercise.value;

// Enter leads on, where it presses no other button.
function enter(e) {
  const elsewhere = e.target.closest?.("button, a, summary, [role=tab]");
  if (!trains() || elsewhere && !elsewhere.closest(".squares")) return false;
  if (now.value.over) return void next();
  if (now.value.state !== "wrong" || same(now.value.at, atStart(board.view.value.study))) return false;
  again();
}

const walks = (key, caption, what, way) => ({keys: [key], caption: [caption], what, run: () => go(way)});
const task = (key, what, act) => ({keys: [key], caption: [key], what, run: () => trains() && void act()});

// The keys of the place, as of keys.js.
export const keys = {title: "Puzzles", place: "puzzles", rows: [
  task("h", "hint", hint), task("s", "show the solution", solution), task("n", "next exercise", next),
  {keys: ["Enter"], caption: ["Enter"], what: "next exercise when it is solved, another try when the turn was wrong", run: enter},
  {keys: ["e"], caption: ["e"], what: "end the turn", run: () => board.view.value?.study.steps ? void board.end() : false},
  walks("ArrowLeft", "←", "turn back", "back"), walks("ArrowRight", "→", "turn forward", "forward"),
  walks("Home", "Home", "first position", "first"), walks("End", "End", "last position", "last"),
  {keys: ["f"], caption: ["f"], what: "flip the board", run: () => void board.flip()},
]};

const height = kept("puzzle-height", was => was || "half"); // of the sheet on a phone

const ways = ["first", "back", "forward", "last"];

function Player({side}) {
  const v = board.view.value, moves = v?.side === side && !v.over;
  return html`<${Strip} side=${side} name=${capital(side)} toMove=${moves} lost=${v?.squares.trim() ? v.captured[side] : ""}
    note=${v?.side === side && standing(v)} brief=${moves ? stepsLeft(v) : undefined} />`;
}

export function PuzzlesPlace() {
  const v = board.view.value, flipped = board.flipped.value;
  const upper = trains() ? html`<${Task} />` : row.value && html`<${Finding} />`;
  const parts = [...upper ? [{id: "task", label: mode.value === "train" ? "Task" : "Puzzle", content: upper}] : [],
    {id: "set", label: "Set", content: html`<${Sets} />`}];
  const at = Object.fromEntries(ways.map(way => [way, walk(way) === undefined]));
  const shown = parts.some(p => p.id === part.value) ? part.value : parts[0].id;
  return html`<main class="place-board puzzles">
    <${Player} side=${flipped ? "gold" : "silver"} /><${Stage} board=${board} /><${Player} side=${flipped ? "silver" : "gold"} />
    <${Transport} go=${go} at=${at} flipped=${flipped} onFlip=${board.flip}>
      ${v?.study.steps && html`<${Button} filled disabled=${!!v.no_end} title=${v.no_end || "End the turn (e)"}
        onClick=${board.end}>End turn<//>`}<//>
    <${Sheet} label="The puzzle" parts=${parts} part=${shown} onPart=${id => part.value = id} height=${height.value}
      onHeight=${h => height.value = h} />
  </main>`;
}
