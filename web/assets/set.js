// The view that verifies sets of puzzles, with a table that grows.

import {follow, get, over, post, remove} from "./api.js";
import {amount, aside, at, go, inTurn, keep, kept, make, say} from "./studio.js";

let rows = []; // the puzzles that have been verified

// What a puzzle is shown among, besides all.
const kinds = {
  false: p => p.true === false,
  wrong: p => p.right === false,
  second: p => p.second.length > 0 || p.unique === false,
  unknown: p => p.verdict === "unknown" || p.verdict === "error",
};

const body = () => at("puzzles").querySelector("tbody");

function add(p) {
  const row = make(body(), "tr"), filter = kinds[at("filter").value];
  row.hidden = filter !== undefined && !filter(p);
  const b = make(make(row, "td"), "button", {type: "button", textContent: p.label, disabled: !p.study.position});
  b.onclick = () => inTurn(async () => {
    try {
      await go(p.study, p.right === false ? "" : p.solution);
    } catch {
      await go(p.study); // the published solution is no turn
    }
    say([p.solution && `Solution: ${p.solution}`, p.refutation.length && `Refutation: ${p.refutation.join(", ")}`].filter(Boolean).join(". "));
  });
  make(row, "td", {textContent: p.claim || ""});
  const cell = make(row, "td", {textContent: p.says});
  const bad = [p.true === false && "The claim is false.", p.right === false && "The solution is wrong.", p.second.length && `Second: ${p.second.slice(0, 3).join("; ")}`].filter(Boolean);
  for (const text of bad) make(cell, "div", {className: "bad", textContent: text});
}

function show(job) {
  at("set").hidden = false;
  at("stop-set").hidden = over(job);
  const ended = job.result ? job.result.says : job.error || "";
  at("set-state").textContent = over(job) ? ended : `${job.done} of ${amount(job.total, "puzzle")}`;
}

// Follows a job. New puzzles are asked for after a report, and not before the last ones have come.
async function watch(id) {
  let asking = null;
  const more = async () => {
    const {puzzles} = await get(`jobs/${id}/puzzles?from=${rows.length}`);
    if (kept.set !== id) return;
    rows.push(...puzzles);
    puzzles.forEach(add);
  };
  rows = [];
  body().replaceChildren();
  const ended = await follow("jobs/" + id, job => !over(job), job => {
    if (kept.set !== id) return;
    show(job);
    if (job.done > rows.length) asking ??= more().catch(() => {}).finally(() => asking = null);
  });
  await asking;
  if (kept.set !== id) return;
  await more();
  show(ended);
}

async function verify(text, name) {
  at("set-error").textContent = "";
  if (text.length > 1e6) throw new Error("The set has more than a megabyte: goalproof verify reads it.");
  let job;
  try {
    job = await post("jobs", {kind: "verify", text, name, claim: Math.round(+at("claim").value) || 0, seconds: +at("each").value || 60});
  } catch (error) {
    at("set-error").textContent = error.message;
    return;
  }
  kept.set = job.id;
  keep();
  show(job);
  await watch(job.id);
}

const verifyFile = async file => {
  if (!file) return;
  if (file.size > 1e6) throw new Error(`${file.name} has more than a megabyte: goalproof verify reads it.`);
  await verify(await file.text(), file.name);
};

export function sets() {
  at("verify").onclick = aside(() => verify(at("set-text").value, ""));
  at("set-file").onchange = aside(async () => {
    const file = at("set-file").files[0];
    at("set-file").value = "";
    await verifyFile(file);
  });
  at("stop-set").onclick = aside(() => remove("jobs/" + kept.set));
  at("filter").onchange = () => {
    body().replaceChildren();
    rows.forEach(add);
  };
  addEventListener("drop", e => {
    const file = e.dataTransfer.files[0];
    if (kept.view === "set") aside(() => verifyFile(file))();
  });
  if (kept.set) aside(async () => {
    try {
      show(await get("jobs/" + kept.set));
    } catch (error) {
      if (error.status !== 404) throw error;
      kept.set = null;
      return;
    }
    await watch(kept.set);
  })();
}
