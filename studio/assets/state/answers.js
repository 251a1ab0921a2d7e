// Answers about positions. Each answer is bound to the study that was asked about, by its key: the position with its
// history. Its parts come from jobs of their own, and a part stays when another one is asked for.
//
// The value is {entries, of}: entries by the key of a study, each {study, jobs, trees}: all that was found out about it, by
// ids; of leads from an id to its key. What is shown is worked out from all the jobs of an entry, so the order in which they
// are told does not matter.

import {ending, over, serial, without} from "./jobs.js";
import {after, atStart, between, key, label, mover} from "./study.js";
import {amount, capital} from "./words.js";

export const none = {entries: {}, of: {}};

// The turns of a line, or else of a refutation: a result lists one of them.
export const plies = r => (r?.line?.length ? r.line : r?.refutation) || [];

// What a question was, without the form of its request.
const questions = ["solve", "try", "certificate", "variations", "tries"];

function put(answers, study, list, id, value) {
  const k = key(study), entry = answers.entries[k] || {study: atStart(study), jobs: {}, trees: {}};
  return {entries: {...answers.entries, [k]: {...entry, [list]: {...entry[list], [id]: value}}}, of: {...answers.of, [id]: k}};
}

// Adds a job {id, state, request, result, ...} of the studio, as it is now. Jobs that answer no question about a position
// change nothing.
export function told(answers, job) {
  const r = job.request;
  if (!questions.includes(r?.kind) || !r.study) return answers;
  return put(answers, atStart(r.study), "jobs", job.id, job);
}

// Adds the brief of a job, which has neither request nor result: of a job that is known its state and progress.
export function brief(answers, b) {
  const known = byId(answers, b.id);
  if (!known || over(known) || Object.entries(b).every(([name, value]) => known[name] === value)) return answers;
  return put(answers, known.request.study, "jobs", b.id, {...known, ...b, partial: true});
}

// The ids of jobs that have ended and whose results are still to be asked for (GET /api/jobs/ID).
export const missing = answers => Object.keys(answers.of).filter(id => {
  const job = byId(answers, id);
  return job?.partial && over(job);
});

// Adds a search as a tree, as the studio shows it. What it has decided is an answer like that of a job.
export function grown(answers, tree) {
  if (answers.entries[answers.of[tree.id]]?.trees[tree.id] === tree) return answers;
  const study = atStart(tree.study), all = put(answers, study, "trees", tree.id, tree);
  return tree.verdict === "unknown" ? all : put(all, study, "jobs", tree.id, decided(tree, study));
}

// The answer of a search as a tree that is decided, in the form of a job. It is about wins in so many turns, and counts third
// repetitions where turns have led to the position.
function decided({id, win_in, verdict, nodes}, study) {
  const proved = verdict === "proved", aside = win_in > 1 && !study.turns.length, side = mover(study);
  const says = proved ? `Proved: ${side} wins in at most ${amount(win_in, "turn")}, by the search as a tree.`
    : `Disproved: ${side} has no win in ${amount(win_in, "turn")}${aside ? " (the third repetition set aside)" : ""}, by the search as a tree.`;
  const result = {verdict, says, least: null, ...(proved ? {within: win_in} : {refuted: win_in, repetition: aside ? "set aside" : "counted"})};
  return {id, state: "done", nodes, request: {kind: "tree", study, win_in}, result};
}

// Takes back what only the studio has, of a job or tree that it has forgotten: what was found out stays.
export function gone(answers, id) {
  const k = answers.of[id], entry = answers.entries[k];
  if (!entry) return answers;
  const job = entry.jobs[id], trees = without(entry.trees, id), jobs = without(entry.jobs, id), of = without(answers.of, id);
  const kept = job?.result ? {...jobs, [id]: {...job, forgotten: true}} : jobs;
  return {entries: {...answers.entries, [k]: {...entry, trees, jobs: kept}}, of: kept[id] ? answers.of : of};
}

// Compares two results of the same question: positive if a says more. A proved win says more than none, a shorter win more than
// a longer one, "no win" up to more turns more than up to fewer, also where it was not decided whether there is a longer one, and
// counted repetitions more than those set aside. Of two that refuted as much, the one that is decided, and then the longer
// search, says more.
function compare(a, b) {
  const [r, s] = [a.result, b.result], is = verdict => (r.verdict === verdict) - (s.verdict === verdict);
  return is("proved") ||
    (r.verdict === "proved" && (s.within - r.within || (r.least !== null) - (s.least !== null) || plies(r).length - plies(s).length)) ||
    (r.refuted || 0) - (s.refuted || 0) || (r.repetition === "counted") - (s.repetition === "counted") || is("disproved") ||
    (r.seconds || 0) - (s.seconds || 0) || serial(a.id) - serial(b.id);
}

const best = jobs => jobs.length ? jobs.reduce((a, b) => compare(b, a) > 0 ? b : a) : null;
const latest = all => all.length ? all.reduce((a, b) => serial(b.id) > serial(a.id) ? b : a) : null;

const tried = job => job.request.kind === "try" ? job.result.try || job.request.turn : null;

// A contradiction: one job proved a win, another refuted it. It is certain unless the "no" sets the third repetition aside:
// by that rule a win can exist that the search without the rule does not find.
const conflict = (yes, no) => ({yes, no, certain: no.result.repetition === "counted"});

// The contradictions among jobs of one position. The "no" about a turn contradicts a win that begins with this turn.
function conflicts(jobs) {
  const proved = jobs.filter(j => j.result.verdict === "proved");
  return jobs.flatMap(no => {
    const against = proved.filter(yes => yes.result.within <= no.result.refuted && (tried(no) === null || tried(no) === plies(yes.result)[0]));
    return against.length ? [conflict(best(against), no)] : [];
  });
}

// What a proved win says about a study on its line, and the win by a turn that was tried about the position before it:
// {job, winner, within}, or null. The winner needs one turn less after each of its own. It is an upper bound, and only that.
function derived(answers, study) {
  let found = null;
  for (const {study: first, jobs} of Object.values(answers.entries)) {
    const played = between(first, study);
    if (!played) continue;
    for (const job of Object.values(jobs)) {
      const r = job.result, line = plies(r);
      if (r?.verdict !== "proved" || played.length >= line.length || played.some((turn, i) => turn !== line[i])) continue;
      if (!played.length && job.request.kind !== "try") continue; // it is no derived answer
      const within = r.within - Math.ceil(played.length / 2);
      const better = !found || within < found.within || within === found.within && serial(job.id) > serial(found.job.id);
      if (within > 0 && better) found = {job, winner: mover(first), within};
    }
  }
  return found;
}

// What is shown about a study:
// verdict: the job that says most, or null; whole: all that are about the position, and not about one turn, the newest first;
// bounds: {within, refuted, least, repetition} of all of them; line, solutions, defences, certificate, near (near tries): jobs
// that have them, or null; tries: the best job for each turn that was tried; tree: the search as a tree, or null; running: jobs
// that wait or run, the newest first; failed: the newest job of all if it has failed; derived: {job, winner, within}, what the
// line of another answer proves, if no answer here proves as much; conflicts: jobs that contradict each other. A study inside a
// turn has no answer of its own.
export function shown(answers, study) {
  const entry = answers.entries[key(study)];
  const jobs = Object.values(entry?.jobs || {}).sort((a, b) => serial(b.id) - serial(a.id));
  const done = jobs.filter(j => j.result), whole = done.filter(j => j.request.kind !== "try");
  const verdict = best(whole), proved = whole.filter(j => j.result.verdict === "proved");
  const along = derived(answers, study), newest = latest(jobs);
  const tries = {};
  for (const j of done.filter(tried)) tries[tried(j)] = best([j, ...tries[tried(j)] ? [tries[tried(j)]] : []]);
  const least = proved.length ? verdict.result.within : Infinity;
  const broken = along?.winner === mover(study) ? whole.filter(no => no.result.refuted >= along.within) : [];
  const all = [...conflicts(done), ...broken.filter(no => !jobs.includes(along.job) || no === along.job).map(no => conflict(along.job, no))];
  return {
    verdict, whole, bounds: bounds(whole), tries,
    line: best(proved.filter(j => j.result.within === least && plies(j.result).length)),
    solutions: best(whole.filter(j => j.result.listed && (j.result.within ?? Infinity) <= least)),
    defences: latest(proved.filter(j => j.request.kind === "variations" && !j.forgotten)),
    near: latest(whole.filter(j => j.result.tries && j.result.tries.win_in <= least)),
    certificate: latest(whole.filter(j => j.result.certificate && !j.forgotten)),
    tree: latest(Object.values(entry?.trees || {})),
    running: jobs.filter(j => !over(j)),
    failed: newest?.error ? newest : null,
    derived: along && along.within < least ? along : null,
    conflicts: all,
  };
}

// The bounds that jobs together have proved: the least number of turns proved, the greatest one refuted, and the least
// number of the win if the two meet. repetition is that of the "no".
function bounds(jobs) {
  const within = Math.min(...jobs.map(j => j.result.within || Infinity)), noes = jobs.filter(j => j.result.refuted);
  const refuted = Math.max(0, ...noes.map(j => j.result.refuted));
  const counted = noes.some(j => j.result.refuted === refuted && j.result.repetition === "counted");
  return {within: within < Infinity ? within : null, refuted, least: refuted === within - 1 ? within : null,
    repetition: refuted ? counted ? "counted" : "set aside" : undefined};
}

// The job of shown whose sentence is the answer, where the job with the id first was asked for last; or null. A turn that was
// tried last comes first. Of those about the position it is the one that says most, and of two that refuted as much the last one.
export function foremost(s, first) {
  const tried = Object.values(s.tries), last = tried.find(j => j.id === first);
  if (last || !s.verdict) return last || latest(tried);
  const asked = s.whole.find(j => j.id === first && j.request.kind === "solve");
  return asked && s.verdict.result.verdict !== "proved" && asked.result.refuted >= s.verdict.result.refuted ? asked : s.verdict;
}

// What a job has answered, in the words of the studio: {badge, sentence, note}, a word, the first sentence, and the rest.
export function worded(job) {
  const [, badge, rest] = /^(?:(\w+): )?(.*)$/s.exec(ending(job));
  const [, sentence, note] = /^(.*?[.!?])(?: (?=[A-Z])(.*))?$/s.exec(rest) || [, rest];
  return {badge: badge || (job.error ? "Not answered" : "Answer"), sentence: sentence && capital(sentence), note: note || ""};
}

// The tone of the answer of a job: won, lost or open.
export const toneOf = job => ({proved: "won", disproved: "lost"})[job.result.verdict] || "open";

// What the line of another answer says, in words: "Gold wins in at most 1 turn, by the line of 12g."
export function inherited({job, winner, within}) {
  return `${capital(winner)} wins in at most ${amount(within, "turn")}, by the line of ${label(job.request.study)}.`;
}

// Which answers stand beside the board is {study, led, first, question}: those about the study; led are the lines of turns along
// which they have led the board, [] among them; first is the id of the job that was asked for last, and question the number of
// turns that a chip has asked for last, 0 for any. covers reports whether a study is on one of these lines.
export function covers(about, study) {
  const played = about && between(about.study, study);
  return !!played && about.led.some(line => played.length <= line.length && played.every((turn, i) => turn === line[i]));
}

// The turns of the win that is known at a study, or null: by an answer, or along the line of one.
export function known(answers, study) {
  const {bounds: {within}, derived: d} = shown(answers, study);
  return d && d.winner === mover(study) ? d.within : within;
}

// The sentence about contradictions, "" if there is none.
export function contradiction({yes, no, certain}) {
  const none = `there is none in ${amount(no.result.refuted, "turn")}`;
  return `Jobs ${yes.id} and ${no.id} contradict each other: one proved a win, the other that ${none}` +
    (certain ? ". One of them is wrong: check a certificate of the win." : ", with the third repetition set aside. That rule may be the reason.");
}

// A job by its id, or undefined.
export const byId = (answers, id) => answers.entries[answers.of[id]]?.jobs[id];

// The study before turn k of the line of a job, which begins with turn 0.
export const onLine = (job, k) => plies(job.result).slice(0, k).reduce(after, atStart(job.request.study));
