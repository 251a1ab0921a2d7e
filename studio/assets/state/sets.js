// Sets of puzzles: what their rows say, and which are shown. A row is a puzzle of GET /api/jobs/ID/puzzles, or of
// GET /api/collection. A change is what POST /api/jobs/ID/compare found out about one.

// What the rows of a table are shown by, besides all of them.
export const findings = {
  false: {label: "false claims", of: p => p.claim_true === false},
  wrong: {label: "wrong solutions", of: p => p.solution_ok === false},
  second: {label: "second solutions", of: p => p.second.length > 0 || p.essentially_unique === false},
  unknown: {label: "not decided or broken", of: p => p.verdict === "unknown" || p.verdict === "error"},
  changed: {label: "changed since the earlier run", of: (p, change) => change !== undefined},
};

const themes = p => p.themes || [];

// Reports whether a filter {finding, length, theme} lets a row through.
export const shown = (p, change, {finding = "", length = "", theme = ""}) =>
  (findings[finding]?.of(p, change) ?? true) && (!length || p.least === +length) && (!theme || themes(p).includes(theme));

// The lengths of the wins, and the themes, that there are among rows.
export const lengths = rows => [...new Set(rows.map(p => p.least ?? p.win_in ?? null).filter(n => n !== null))].sort((a, b) => a - b);
export const allThemes = rows => [...new Set(rows.flatMap(themes))].sort();

// The rows to train on: the wins whose length is known, each with its number in the set, from 1.
export const exercises = rows => rows.flatMap((p, i) => {
  const win_in = p.win_in ?? p.least ?? null;
  return win_in === null ? [] : [{number: i + 1, label: p.label, study: p.study, win_in, difficulty: p.difficulty ?? null, themes: themes(p),
    idea: p.idea || ""}];
});

// The solution of a puzzle that is shown: the published one, or else the first that was found; "" if the published one is wrong.
export const solution = p => p.solution_ok === false ? "" : p.solution || p.solutions?.[0]?.turn || "";

// The turn that is drawn as arrows: the solution, or else the first turn of the refutation.
export const drawn = p => solution(p) || p.refutation?.[0] || "";

// The turns that can be walked through: why the puzzle is wrong, or else the win.
export const line = p => p.refutation || p.line || [];

// What stands below the finding of a row: {text, tone}.
export function remarks(p, change) {
  const about = [p.difficulty !== null && `Difficulty ${p.difficulty.toFixed(1)}`, themes(p).join(", ")].filter(Boolean).join(": ");
  const bad = [p.claim_true === false && "The claim is false.", p.solution_ok === false && "The solution is wrong.",
    p.second.length > 0 && `Second: ${p.second.slice(0, 3).join("; ")}${p.second.length > 3 ? `; ${p.second.length - 3} more` : ""}`].filter(Boolean);
  return [about && {text: about, tone: "dim"}, change && {text: `Changed (${change.what.join(", ")}). Earlier: ${change.was}.`, tone: "changed"},
    ...bad.map(text => ({text, tone: "lost"}))].filter(Boolean);
}

// What a set is called, by the brief of its job.
export const nameOf = job => job.label || (job.kind === "mine" ? "Puzzles mined from a text" : "Pasted puzzles");
