// The settings of the page, and facts about the studio.

import {html} from "../lib/view.js";
import {size} from "../state/words.js";
import {change, settings} from "../store/settings.js";
import {facts} from "../store/studio.js";
import {Settings} from "../ui/dialogs.js";

const options = all => all.map(([id, label]) => ({id, label}));

const fields = [
  {name: "theme", label: "Colours", options: options([["", "As the system"], ["light", "Light"], ["dark", "Dark"], ["contrast", "High contrast"]])},
  {name: "pieces", label: "Pieces", options: options([["", "Drawn"], ["flat", "Flat"], ["letters", "Letters"]])},
  {name: "coordinates", label: "Coordinates", note: "on the squares at the edge"},
  {name: "animate", label: "Animate turns"},
  {name: "sounds", label: "Sounds", note: "of turns and captures"},
  {name: "analysis", label: "Analysis with the board", note: "the engine looks at each position that is shown"},
  {name: "width", label: "Width of defences", note: "answers beside the most frequent one",
    options: options(Array.from({length: 10}, (_, i) => [`${i + 1}`, `${i + 1}`]))},
];

export function PageSettings() {
  const {pieces, width} = settings.value, set = (name, value) => change(name, name === "width" ? Number(value) : value);
  return html`<${Settings} id="set" fields=${fields} onChange=${set}
    values=${{...settings.value, pieces: pieces === "drawn" ? "" : pieces, width: `${width}`}} /><${Facts} />`;
}

function Facts() {
  const f = facts.value;
  if (!f) return null;
  const rows = [["Version", f.version], ["Memory for searches", `${size(f.memory)}, ${f.threads} ${f.threads === 1 ? "thread" : "threads"}`],
    ["Workspace", f.keeps ? "Games, searches, proved facts, the training and these settings are kept."
      : "There is none. Games last as long as this window. Searches, the training and these settings last until the studio ends."],
    ["Database of games", f.library ? "There is one. The Library shows it." : "There is none. goalproof library import makes one."],
    ["Programs that play", f.programs?.length ? f.programs.join(", ") : "The engine of goalproof alone."]];
  return html`<section aria-labelledby="facts"><h3 id="facts">This studio</h3>
    ${f.notices?.map(text => html`<p key=${text} class="lost">${text}</p>`)}
    <dl class="facts">${rows.map(([name, text]) => html`<div key=${name}><dt>${name}</dt><dd>${text}</dd></div>`)}</dl></section>`;
}
