// The place Board: the board with what stands around it, and on the right what belongs to its mode.

import {effect, html} from "../lib/view.js";
import {capital} from "../state/words.js";
import {tab} from "../store/answers.js";
import {board, canRedo, canUndo, game, go, here, mode, redo, setMode, study, undo, walk} from "../store/desk.js";
import {finished, players} from "../store/match.js";
import {change, settings} from "../store/settings.js";
import {strength} from "../store/strength.js";
import {standing, stepsLeft} from "../store/board.js";
import {kept} from "../store/kept.js";
import {StrengthBar, Strip, Transport} from "../ui/play.js";
import {IconButton} from "../ui/icons.js";
import {Button} from "../ui/parts.js";
import {Sheet} from "../ui/sheet.js";
import {Edit, editing, palette} from "./edit.js";
import {Play} from "./play.js";
import {Stage} from "./stage.js";
import {Turns} from "./turns.js";
import {Verdict, keys as asks} from "./verdict.js";

const ways = {first: "Home", back: "ArrowLeft", forward: "ArrowRight", last: "End"};
const toggle = next => {
  setMode(mode.value === next ? "analyse" : next);
  part.value = ""; // the first of the mode
};

// The keys of the board, as of keys.js.
const walks = (key, caption, what) => ({keys: [key], caption: [caption], what, run: () => mode.value !== "edit" && void go(key)});
export const keys = {title: "Board", place: "board", rows: [
  walks("ArrowLeft", "←", "turn back"), walks("ArrowRight", "→", "turn forward"), walks("ArrowUp", "↑", "variation before"),
  walks("ArrowDown", "↓", "variation after"), walks("Home", "Home", "first position"), walks("End", "End", "last position"),
  {keys: ["e"], caption: ["e"], what: "end the turn", run: () => mode.value !== "edit" && void board.end()},
  {keys: ["f"], caption: ["f"], what: "flip the board", run: () => mode.value !== "edit" && void board.flip()},
  {keys: ["k"], caption: ["k"], what: "rings and arrows, as with the right mouse button", run: () => mode.value !== "edit" && void mark()},
  {keys: ["a"], caption: ["a"], what: "analysis with the board, on and off",
    run: () => mode.value !== "edit" && void analyse()},
  ...asks,
  {keys: ["Ctrl+z"], caption: ["Ctrl", "Z"], what: "undo", run: () => void undo()},
  {keys: ["Ctrl+y", "Ctrl+Shift+z"], caption: ["Ctrl", "Y"], what: "redo", run: () => void redo()},
]};

// What the engine then sees stands in its tab, so that opens.
const analyse = () => {
  const on = !settings.value.analysis;
  if (on) tab.value = "engine";
  return change("analysis", on);
};

const mark = () => {
  board.marking.value = !board.marking.value;
  board.chosen.value = "";
};

const part = kept("part", was => was || "answer"), height = kept("height", was => was || "half"); // of the sheet on a phone

// A game that is opened shows its turns there, and a position its answer.
let opened = game.peek().id;
effect(() => {
  const {id, nodes} = game.value;
  if (id === opened) return;
  opened = id;
  part.value = nodes.length > 1 ? "game" : "answer";
  if (height.peek() === "peek") height.value = "half";
});

// Reports whether a way leads nowhere.
const stays = to => !to || to.node === here.value.node && !to.looked.length && !here.value.looked.length && !study.value.steps;

// The parts on the right, by mode. On a phone one is seen at a time.
const parts = {
  analyse: () => [{id: "answer", label: "Answer", content: html`<${Verdict} />`}, {id: "game", label: "Game", content: html`<${Turns} />`}],
  edit: () => [{id: "edit", label: "Edit", content: html`<${Edit} />`}],
  play: () => [{id: "play", label: "Play", content: html`<${Play} />`}, {id: "game", label: "Game", content: html`<${Turns} />`}],
};

// The strip of a player: name and rating come from the game, or from the match that is played.
function Player({side}) {
  const v = board.view.value, {tags} = game.value, tag = capital(side), seat = mode.value === "play" && players.value?.[side];
  const ended = mode.value === "play" && finished.value, moves = v?.side === side && !v.over && !ended;
  const lost = mode.value !== "edit" && v?.captured[side] || "";
  return html`<${Strip} side=${side} name=${seat?.name || tags[tag] || tag} rating=${tags[tag + "Rating"]}
    clock=${seat?.clock} toMove=${moves} lost=${lost} note=${v?.side === side && standing(v, ended)} brief=${moves ? stepsLeft(v) : undefined} />`;
}

export function BoardPlace() {
  const v = board.view.value, flipped = board.flipped.value, edits = mode.value === "edit";
  const at = Object.fromEntries(Object.entries(ways).map(([name, key]) => [name, stays(walk(key))]));
  const all = parts[mode.value](), shown = all.some(p => p.id === part.value) ? part.value : all[0].id;
  const top = flipped ? "gold" : "silver", below = flipped ? "silver" : "gold";
  return html`<main class="place-board" data-mode=${mode.value}>
    <${StrengthBar} ...${strength.value} flipped=${flipped} />
    <${Player} side=${top} /><${Stage} board=${board} act=${edits ? editing : undefined} targets=${!edits} hold=${palette.hold} />
    <${Player} side=${below} />
    <${Transport} go=${name => go(ways[name])} at=${at} flipped=${flipped} onFlip=${board.flip} editing=${edits} playing=${mode.value === "play"}
      onEdit=${() => toggle("edit")} onPlay=${() => toggle("play")}>
      <span class="group"><${IconButton} name="undo" label="Undo" keys="Ctrl+Z" disabled=${!canUndo.value} onClick=${undo} />
        <${IconButton} name="redo" label="Redo" keys="Ctrl+Y" disabled=${!canRedo.value} onClick=${redo} />
        <${IconButton} name="mark" label="Rings and arrows" keys="k" aria-pressed=${board.marking.value} onClick=${mark} /></span>
      ${study.value.steps && html`<${Button} filled disabled=${!!v?.no_end} title=${v?.no_end || "End the turn (e)"}
        onClick=${board.end}>End turn<//>`}
    <//>
    <${Sheet} label="About the position" parts=${all} part=${shown} onPart=${id => part.value = id} height=${height.value}
      onHeight=${h => height.value = h} />
  </main>`;
}
