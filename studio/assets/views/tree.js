// The search as a tree, as a part of the answer: it runs, pauses and steps, and is walked through, with the board following.

import {html, useEffect, useState} from "../lib/view.js";
import {amount, number, size} from "../state/words.js";
import {subject} from "../store/answers.js";
import {deleteSaved, drop, load, loadSaved, openAlone, pause, plan, plant, run, save, saved, setPlan, step, toMostProving, tree, tune,
  walk, walked} from "../store/trees.js";
import {label} from "../state/study.js";
import {roving, Button} from "../ui/parts.js";

const count = n => n === null ? "∞" : number(n);
const states = {paused: "Paused", running: "Running", decided: "Decided", full: "The memory is full"};

const Field = ({name, text, placeholder, min = 0, max}) => html`<label class="row">${text}<input type="number" min=${min} max=${max}
  value=${plan.value[name] || (placeholder ? "" : plan.value[name])} placeholder=${placeholder}
  onChange=${e => setPlan(name, Math.max(min, Math.round(+e.currentTarget.value) || 0))} /></label>`;

const Choice = ({name, text, choices}) => html`<label class="row">${text}<select value=${plan.value[name]}
  onChange=${e => setPlan(name, e.currentTarget.value)}>${Object.entries(choices).map(([id, words]) => html`
    <option key=${id} value=${id}>${words}</option>`)}</select></label>`;

const Parameters = () => html`<details class="search"><summary>Parameters</summary><div class="choices">
  <${Choice} name="evaluation" text="Evaluation of turns" choices=${{immediate: "when their nodes are made", delayed: "when they are visited"}} />
  <${Choice} name="start_numbers" text="First numbers" choices=${{one: "1 and 1", mobility: "mobility", distance: "distance of the rabbits"}} />
  <${Field} name="widening" text="Widening, children that count" placeholder="all" />
  <${Field} name="killers" text="Killers of a level" max="8" />
  <${Field} name="gc_high" text="Collector starts at, nodes" placeholder="never" />
  <${Field} name="gc_low" text="Collector stops at, nodes" placeholder="three fifths" />
  <${Field} name="memory" text="Memory of a new or loaded search, in MiB" placeholder="a quarter" />
  ${tree.value && html`<${Button} disabled=${tree.value.state === "running"} onClick=${tune}>Take these parameters<//>`}</div></details>`;

// The saved searches, read when they are unfolded.
const Saved = () => html`<details class="search" onToggle=${e => e.currentTarget.open && loadSaved()}><summary>Saved searches</summary>
  ${saved.value?.length === 0 && html`<p class="dim">There is none. “Save the search” adds one.</p>`}
  <ul class="savedlist" aria-label="Saved searches">${(saved.value || []).map(s => html`<li key=${s.name}>
    <button type="button" class="line" onClick=${() => load(s.name)}><span class="turn">${s.name}</span>
      <span class="note">${size(s.bytes)}</span></button>
    <${Button} aria-label="Delete ${s.name}" onClick=${() => deleteSaved(s)}>Delete<//></li>`)}</ul></details>`;

// Marks of a child: the best one, and the way to the most-proving node.
const mark = c => !c.best ? "" : c.most_proving ? "**" : "*";

function Node() {
  const w = walked.value;
  if (!w) return html`<p class="dim">Reading the tree.</p>`;
  const {path, node: n, children} = w;
  return html`<ol class="path" aria-label="Path" onKeyDown=${roving("button")}>${["root", ...path].map((name, i) => html`<li key=${i}>
      <button type="button" aria-current=${i === path.length ? "true" : undefined} tabIndex=${i === path.length ? 0 : -1}
        onClick=${() => walk(path.slice(0, i))}>${name}</button></li>`)}</ol>
    <p class="dim">${n.type} node, ${amount(n.turns, "turn")} of the attacker left: ${n.verdict}. Proof number ${count(n.proof)}, disproof number
      ${" " + count(n.disproof)}, ${amount(n.size, "node")}.${w.open && " Options are still to be listed."}</p>
    <p class="buttons"><${Button} onClick=${toMostProving}>To the most-proving node<//><${Button} onClick=${openAlone}>Open as a position<//></p>
    ${children.length > 0 && html`<div class="children" tabIndex="0" role="region" aria-label="Children"><table><thead><tr>
      ${["Step", "Type", "Proof", "Disproof", "Size", "Best"].map(t => html`<th key=${t} scope="col">${t}</th>`)}</tr></thead>
      <tbody>${children.map(c => html`<tr key=${c.step}>
        <td><button type="button" class="turn" onClick=${() => walk([...path, c.step])}>${c.step}</button></td>
        ${[c.type, count(c.proof), count(c.disproof), number(c.size), mark(c)].map((text, i) => html`<td key=${i}>${text}</td>`)}</tr>`)}</tbody>
      </table></div>
      <p class="dim">OR: the attacker is to move; AND: the defender. * marks the best child, ** the way to the most-proving node.</p>`}`;
}

function Search() {
  const t = tree.value, [expansions, setExpansions] = useState(1), [name, setName] = useState(t.saved);
  useEffect(() => setName(t.saved), [t.id, t.saved]);
  const verdict = t.verdict === "unknown" ? "not known" : t.verdict;
  return html`<p>${states[t.state]}. A win in ${t.win_in}: ${verdict}.</p>
    <p class="dim">${amount(t.nodes, "node")}, proof number ${count(t.proof)}, disproof number ${count(t.disproof)}.</p>
    <p class="buttons">${t.state === "running" ? html`<${Button} icon="stop" onClick=${pause}>Pause<//>`
      : html`<${Button} icon="play" disabled=${t.state !== "paused"} onClick=${run}>Run<//>`}
      <${Button} disabled=${t.state !== "paused"} onClick=${() => step(expansions)}>Step<//>
      <label class="row">Expansions<input type="number" min="1" max="10000" value=${expansions}
        onChange=${e => setExpansions(Math.round(+e.currentTarget.value) || 1)} /></label></p>
    <${Node} />
    <p class="buttons"><label class="row">Name<input maxlength="64" size="12" autocomplete="off" value=${name}
      onInput=${e => setName(e.currentTarget.value)} /></label>
      <${Button} disabled=${!name.trim()} onClick=${() => save(name.trim())}>Save the search<//></p>`;
}

export const TreeTab = () => html`<div class="searchtree">${tree.value ? html`<${Search} />`
  : html`<p class="dim">A best-first proof-number search (pns), with one thread, that can be looked at while it grows.</p>`}
  <p class="buttons"><${Field} name="win_in" text="Win in, turns" min="1" max="100" />
    <${Button} onClick=${() => plant()}>${tree.value ? "Begin again" : `Begin at ${label(subject.value)}`}<//>
    ${!tree.value && html`<${Button} onClick=${() => plant(false)}>Begin paused<//>`}
    ${tree.value && html`<${Button} onClick=${drop}>Drop the search<//>`}</p>
  <${Parameters} /><${Saved} /></div>`;
