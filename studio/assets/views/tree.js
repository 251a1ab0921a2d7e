// The view of a search as a tree: it runs, pauses and steps, and is walked through, with the board following.

import {get, post, remove} from "../lib/api.js";
import {at, make, say} from "../lib/dom.js";
import {listed} from "../lib/files.js";
import {follow} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside} from "../lib/order.js";
import {amount, number} from "../state/words.js";
import {change, display} from "./shown.js";

// kept.tree is the search of this window, kept.path where the window is in it.
let tree = null;

const count = n => n === null ? "∞" : number(n);

const states = {paused: "Paused", running: "Running", decided: "Decided", full: "The memory is full"};

function show(t) {
  tree = t;
  at("tree").hidden = false;
  const verdict = t.verdict === "unknown" ? "not known" : t.verdict;
  at("tree-state").textContent = `${states[t.state]}. A win in ${t.win_in}: ${verdict}. ${amount(t.nodes, "node")}, proof number ${count(t.proof)}, disproof number ${count(t.disproof)}.`;
  at("run").disabled = at("step").disabled = t.state !== "paused";
  at("tune").disabled = t.state === "running";
  at("pause").disabled = t.state !== "running";
}

// Shows the node at a path, and its position on the board.
async function look(path, moves = true) {
  const id = kept.tree;
  const p = await post(`trees/${id}/node`, {path, flipped: kept.flipped});
  if (kept.tree !== id) return;
  kept.path = p.path;
  show(p.tree);
  if (moves) {
    say("");
    display(p.view, "", true);
  }
  keep();
  at("path").replaceChildren();
  ["root", ...p.path].forEach((step, i) => {
    const b = make(make(at("path"), "li"), "button", {type: "button", textContent: step});
    if (i === p.path.length) b.setAttribute("aria-current", "true");
    b.onclick = aside(() => look(p.path.slice(0, i)));
  });
  const n = p.node;
  at("node").textContent = `${n.type} node, ${amount(n.turns, "turn")} of the attacker left: ${n.verdict}. Proof number ${count(n.proof)}, disproof number ${count(n.disproof)}, ${amount(n.size, "node")}.` +
    (p.open ? " Options are still to be listed." : "");
  const body = at("children").querySelector("tbody"), focused = document.activeElement?.dataset?.step;
  body.replaceChildren();
  for (const c of p.children) {
    const row = make(body, "tr");
    const b = make(make(row, "td"), "button", {type: "button", textContent: c.step});
    b.dataset.step = c.step;
    b.onclick = aside(() => look([...p.path, c.step]));
    const mark = !c.best ? "" : c.most_proving ? "**" : "*";
    for (const text of [c.type, count(c.proof), count(c.disproof), number(c.size), mark]) make(row, "td", {textContent: text});
    if (c.step === focused) b.focus({preventScroll: true});
  }
}

// Follows a search that runs. The children are asked for after each report, and not before the last ones have come.
async function watch() {
  const id = kept.tree;
  let looking = null;
  await follow("trees/" + id, t => t.state === "running", t => {
    if (kept.tree !== id) return;
    show(t);
    looking ??= look(kept.path, false).catch(() => {}).finally(() => looking = null);
  });
  await looking;
  if (kept.tree === id) await look(kept.path, false);
}

const whole = id => Math.round(+at(id).value) || 0;

const parameters = () => ({evaluation: at("p-evaluation").value, start_numbers: at("p-start").value, widening: whole("p-widening"),
  killers: whole("p-killers"), gc_high: whole("p-high"), gc_low: whole("p-low")});

// Puts the parameters of a search, and its name, into the fields.
function fill(t) {
  const p = t.parameters;
  at("p-evaluation").value = p.evaluation;
  at("p-start").value = p.start_numbers;
  for (const [id, value] of [["p-widening", p.widening], ["p-high", p.gc_high], ["p-low", p.gc_low]]) at(id).value = value || "";
  at("p-killers").value = p.killers;
  at("tree-turns").value = t.win_in;
  at("tree-name").value = t.saved;
}

// Takes a search that has just been made in place of the last one.
async function take(t) {
  if (kept.tree) await remove("trees/" + kept.tree).catch(() => {}); // it may have been dropped
  kept.tree = t.id;
  kept.path = [];
  fill(t);
  show(t);
  await look([]);
}

const memory = () => whole("p-memory") * 2 ** 20;

const begin = async (study, turns) => take(await post("trees", {study, win_in: turns || 1, unusual: at("unusual").checked,
  memory: memory(), parameters: parameters()}));

// The path of best children, to where the search would go on.
async function most() {
  let path = [];
  for (;;) {
    const p = await post(`trees/${kept.tree}/node`, {path});
    const best = p.children.find(c => c.best);
    if (!best) return look(path);
    path = [...path, best.step];
  }
}

let list = null; // lists what is saved

export function trees() {
  list = listed("saved-part", {
    path: "saved", field: "searches", what: "search", some: "A search is loaded as it was, with its parameters.",
    open: async name => {
      await take(await post("trees", {saved: name, memory: memory()}));
      say(`The search ${name} has been loaded.`);
    },
    deleted: () => {},
  });
  at("plant").onsubmit = aside(() => begin({...kept.study, steps: ""}, whole("tree-turns")));
  at("tune").onclick = aside(async () => {
    const t = await post(`trees/${kept.tree}/tune`, parameters());
    fill(t);
    show(t);
    say("The search continues with these parameters.");
  });
  at("tree-save").onclick = aside(async () => {
    const t = await post(`trees/${kept.tree}/save`, {name: at("tree-name").value.trim()});
    show(t);
    say(`The search has been saved as ${t.saved}.`);
    await list();
  });
  at("run").onclick = aside(async () => {
    show(await post(`trees/${kept.tree}/run`, {}));
    await watch();
  });
  at("pause").onclick = aside(async () => show(await post(`trees/${kept.tree}/pause`, {})));
  at("step").onclick = aside(async () => {
    show(await post(`trees/${kept.tree}/step`, {expansions: Math.round(+at("expansions").value) || 1}));
    await look(kept.path);
  });
  at("reset").onclick = aside(() => begin(tree.study, tree.win_in));
  at("follow").onclick = aside(most);
  at("alone").onclick = aside(async () => {
    await change("edit", {});
    say("The position stands alone now, without the turns before it.");
  });
  if (kept.tree) aside(async () => {
    try {
      show(await get("trees/" + kept.tree));
      fill(tree);
      await look(kept.path, false);
      if (tree.state === "running") await watch();
    } catch (error) {
      if (error.status !== 404) throw error;
      kept.tree = null;
    }
  })();
}
