// The view that verifies sets of puzzles and mines them from games, with a table that grows.

import {file, get, post, remove} from "../lib/api.js";
import {at, make, say, size} from "../lib/dom.js";
import {chosen, download, textOf} from "../lib/files.js";
import {followPuzzles, resume, over} from "../lib/jobs.js";
import {keep, kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {ending, progress} from "../state/jobs.js";
import {drawPosition} from "../ui/board.js";
import {open} from "./shown.js";
import {trainOn} from "./train.js";

let rows = []; // the puzzles that have been verified or mined

// What a puzzle is shown among, besides all.
const kinds = {
  false: p => p.claim_true === false,
  wrong: p => p.solution_ok === false,
  second: p => p.second.length > 0 || p.essentially_unique === false,
  changed: p => p.change !== undefined,
  unknown: p => p.verdict === "unknown" || p.verdict === "error",
};

const themes = p => p.themes || [];

// The published solution, or else the first that was found.
const solution = p => p.solution || p.solutions?.[0].turn || "";

const body = () => at("puzzles").querySelector("tbody");

const shown = p => (kinds[at("filter").value]?.(p) ?? true) && (!at("length").value || p.least === +at("length").value) &&
  (!at("theme").value || themes(p).includes(at("theme").value));

// Boards are drawn when they come into sight.
const sight = new IntersectionObserver(seen => seen.filter(s => s.isIntersecting).forEach(({target}) => {
  sight.unobserve(target);
  drawPosition(target, target.dataset.position, at("board"));
}));

function add(p) {
  const row = make(body(), "tr");
  row.hidden = !shown(p);
  const first = make(row, "td"), small = make(first, "div", {className: "small"});
  if (p.study.position) {
    small.dataset.position = p.study.position;
    sight.observe(small);
    make(first, "div", {className: "note", textContent: p.study.position.startsWith("s") ? "silver to move" : "gold to move"});
  }
  const b = make(make(row, "td"), "button", {type: "button", textContent: p.label, disabled: !p.study.position});
  if (rows.indexOf(p) === kept.puzzle) row.setAttribute("aria-current", "true");
  b.onclick = () => inTurn(async () => {
    try {
      await open(p.study, p.solution_ok === false ? "" : solution(p));
    } catch {
      await open(p.study); // the published solution is no turn
    }
    body().querySelector("[aria-current]")?.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
    kept.puzzle = rows.indexOf(p);
    keep();
    say([solution(p) && `Solution: ${solution(p)}`, p.shows && `${p.shows[0].toUpperCase()}${p.shows.slice(1)}: ${p.refutation.join(" / ")}`].filter(Boolean).join(". "));
  });
  make(row, "td", {textContent: p.claim || ""});
  const cell = make(row, "td", {textContent: p.says});
  const about = [p.difficulty !== null && `Difficulty ${p.difficulty.toFixed(1)}`, themes(p).join(", ")].filter(Boolean).join(": ");
  if (about) make(cell, "div", {className: "note", textContent: about});
  if (p.change) make(cell, "div", {className: "changed", textContent: `Changed (${p.change.what.join(", ")}). Earlier: ${p.change.was}.`});
  const bad = [p.claim_true === false && "The claim is false.", p.solution_ok === false && "The solution is wrong.", p.second.length && `Second: ${p.second.slice(0, 3).join("; ")}`].filter(Boolean);
  for (const text of bad) make(cell, "div", {className: "bad", textContent: text});
}

// Offers the lengths and themes that there are.
function offer() {
  const options = (id, all) => {
    const chosen = at(id).value;
    at(id).replaceChildren(new Option("any", ""), ...all.map(v => new Option(v, v)));
    if (all.includes(chosen)) at(id).value = chosen;
  };
  options("length", [...new Set(rows.map(p => p.least).filter(n => n !== null))].sort((a, b) => a - b).map(String));
  options("theme", [...new Set(rows.flatMap(themes))].sort());
}

function show(job) {
  at("set").hidden = false;
  at("stop-set").hidden = over(job);
  at("set-state").textContent = ending(job) || progress(job);
}

async function watch(id) {
  rows = [];
  at("compared").textContent = "";
  offer();
  body().replaceChildren();
  await followPuzzles(id, () => kept.set === id, show, puzzles => {
    rows.push(...puzzles);
    offer();
    puzzles.forEach(add);
  });
}

// Compares the set with an earlier run, and marks what has changed.
async function compare(file) {
  at("compared").textContent = "";
  const id = kept.set, found = await post(`jobs/${id}/compare`, {text: await textOf(file)});
  if (kept.set !== id) return;
  for (const p of rows) delete p.change;
  for (const c of found.changed) if (rows[c.puzzle]) rows[c.puzzle].change = c;
  say("");
  at("compared").textContent = found.says;
  body().replaceChildren();
  rows.forEach(add);
}

// Begins a job whose puzzles fill the table.
async function begin(task) {
  at("set-error").textContent = "";
  let job;
  try {
    job = await post("jobs", task);
  } catch (error) {
    at("set-error").textContent = error.message;
    return;
  }
  kept.set = job.id;
  kept.puzzle = -1; // the index of the one that is on the board
  keep();
  show(job);
  await watch(job.id);
}

const verify = async (text, name) => {
  if (text.length > 1e6) throw new Error("The set has more than a megabyte: goalproof verify reads it.");
  await begin({kind: "verify", text, name, claim: Math.round(+at("claim").value) || 0, describe: at("describe").checked, seconds: +at("each").value || 60});
};

// Mines what source says: text and name, or archive.
const mine = source => begin({kind: "mine", ...source, win_in: Math.round(+at("mine-in").value) || 0,
  themes: [...at("mine-themes").selectedOptions].map(o => o.value), unique: at("mine-unique").checked, seconds: +at("mine-each").value || 0});

const verifyFile = async file => verify(await textOf(file, ": goalproof verify reads it"), file.name);

const mineFile = async file =>
  mine({text: await textOf(file, ": put it into the workspace as NAME.tsv, or let goalproof mine read it"), name: file.name});

// Offers the archives of the workspace.
async function offerArchives() {
  if (!at("mine-part").open) return;
  const {archives} = await get("archives").catch(() => ({archives: []})); // there may be no workspace
  at("mine-archive-part").hidden = !archives.length;
  at("mine-archive").replaceChildren(new Option("none", ""), ...archives.map(a => new Option(`${a.name}: ${size(a.bytes)}`, a.name)));
}

export function sets() {
  at("verify").onclick = aside(() => verify(at("set-text").value, ""));
  chosen("set-file", verifyFile);
  at("mine").onclick = aside(() => mine(at("mine-archive").value ? {archive: at("mine-archive").value} : {text: at("mine-text").value}));
  chosen("mine-file", mineFile);
  at("mine-part").ontoggle = aside(offerArchives);
  at("train-set").onclick = aside(() => trainOn(kept.set));
  at("stop-set").onclick = aside(() => remove("jobs/" + kept.set));
  for (const id of ["filter", "length", "theme"]) at(id).onchange = () => rows.forEach((p, i) => body().rows[i].hidden = !shown(p));
  for (const [form, name] of [["text", "puzzles.tsv"], ["html", "puzzles.html"], ["arimaa", "puzzles.zip"], ["json", "puzzles.jsonl"]])
    at("export-" + form).onclick = aside(async () => download(await file(`jobs/${kept.set}/export?form=${form}`), name));
  chosen("earlier", compare);
  addEventListener("drop", e => {
    const dropped = e.dataTransfer.files[0];
    if (kept.view === "set" && dropped) aside(() => (at("mine-part").contains(e.target) ? mineFile : verifyFile)(dropped))();
  });
  resume("set", job => {
    show(job);
    return watch(job.id);
  });
}
