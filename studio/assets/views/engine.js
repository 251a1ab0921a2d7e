// The tab Engine: the turns that the engine likes best at the position on the board.

import {html} from "../lib/view.js";
import {after, label} from "../state/study.js";
import {analysis} from "../store/analysis.js";
import {start} from "../store/desk.js";
import {change, settings} from "../store/settings.js";
import {Line, Turn} from "./line.js";

export function EngineTab() {
  const a = analysis.value, at = start.value;
  return html`<label class="check"><input type="checkbox" checked=${settings.value.analysis}
      onChange=${e => change("analysis", e.currentTarget.checked)} />Analyse the position on the board <kbd class="keyboard">a</kbd></label>
    ${!settings.value.analysis && html`<p class="dim">The engine shows its best turns, with the chance that it gives them. Only what is called proved
      is proved.</p>`}
    ${a?.error && html`<p class="error">${a.error}</p>`}
    ${a?.lines.length > 0 && html`<p class="dim">${label(at)}, ${a.running ? "searching for" : "after"} ${a.seconds.toFixed(1)} s</p>`}
    ${a && !a.lines.length && !a.error && html`<p class="dim">${a.waits || "The engine is searching."}</p>`}
    ${a?.lines.length > 0 && html`<ol class="near" aria-label="Lines of the engine">${a.lines.map(l => html`<li key=${l.turn}>
      <${Turn} at=${at} turn=${l.line[0] || l.turn} labelled=${label(at)} note=${l.says} />
      ${l.line.length > 1 && html`<${Line} title="" from=${after(at, l.line[0])} turns=${l.line.slice(1)} />`}</li>`)}</ol>`}`;
}
