// What a person opens: texts, files and jobs. The studio says what a text is; each kind has its place on the page.

import {get, most, post} from "../lib/api.js";
import {signal} from "../lib/view.js";
import {ending, over, progress} from "../state/jobs.js";
import {gameOf} from "../state/library.js";
import {alone, label} from "../state/study.js";
import {locate} from "../state/tree.js";
import {amount, capital, firstWords, located, size} from "../state/words.js";
import {opens, visit} from "./address.js";
import {grew, showAnswer, tab} from "./answers.js";
import {listFile, listFound, remember} from "./archives.js";
import {showComposed} from "./composing.js";
import {board, look, openGame, openStudy, setMode} from "./desk.js";
import {kept} from "./kept.js";
import {join} from "./match.js";
import {dialog, forget, guarded, tell} from "./messages.js";
import {reviewGame, showReview} from "./review.js";
import {openRun, openSet, showJob} from "./sets.js";
import {begin, followed, jobs} from "./studio.js";

const none = {text: "", name: "", error: "", asks: false};

// The text in the dialog: {text, name, error, asks}. error says why it was not opened; asks says that it does not say who is to
// move.
export const draft = signal(none);

// What was opened lately, the last first: {id, label, note, time, position, text, name, side}; time in
// milliseconds since 1970.
export const recent = kept("recent", was => was || []);

const mostRecent = 8, longest = 20_000; // characters of a text that is kept

const openers = []; // handlers

// Calls a handler after a position was opened on the board.
export const onPosition = handler => openers.push(handler);

// Shows what was opened on the board. Messages about what was opened before go.
export async function onBoard(open) {
  tell("");
  setMode("analyse");
  await open();
  visit({place: "board"});
}

// Opens a game or position that was found in a text, or in the database. A game may be reviewed at once. more is of the message.
export async function openFound(found, {review = false, ...more} = {}) {
  const game = found.game || found.annotated, solution = found.solution && `The published solution is shown: ${found.solution}`;
  await onBoard(() => game ? openGame(gameOf(found)) : openStudy(found.study, found.solution));
  const says = [solution && found.about, solution, ...found.notes || []].filter(Boolean);
  tell(says.map(s => capital(s).replace(/[.]?$/, ".")).join(" "), more);
  if (game && review) reviewGame();
  if (!game) openers.forEach(handler => handler());
}

// Opens a row of store/archives.js: a game and its review, as of a file, or a position.
export const openRow = guarded(async row => {
  if (row.error) throw new Error(row.error);
  const found = await row.open();
  remember(row, found.study);
  await openFound(found, {review: !!found.game});
});

// Opens a game of the database by the number of its row, at the turn that the row is about, or at its end.
export const openStored = guarded(async ({item}) => {
  const {study, annotated, review} = await get("library/games/" + item.number), game = gameOf({study, annotated});
  const at = typeof item.at === "number" ? item.at : study.turns?.findIndex((_, i) => label(study, i) === item.at) ?? -1;
  await onBoard(() => openGame(game, at < 0 ? undefined : locate(game, study.turns.slice(0, at)).node));
  tell(`Game ${item.number} of the database${review ? `, which a review has looked at: ${amount(review.findings.length, "finding")}` : ""}.`);
});

// Checks a certificate: its text, or the name of one of the workspace. study is that of its position.
export async function check(fields, study) {
  const {id} = await begin({kind: "check", seconds: 60, ...fields});
  tell("The certificate is being checked. Its job is in the list of jobs.");
  tellChecked(await followed(id), study);
}

function tellChecked(job, study) {
  const tone = {accepted: "won", rejected: "lost"}[job.result?.verdict] || (job.error ? "lost" : "");
  const action = study ? {action: "Show the position", onAction: guarded(() => onBoard(() => openStudy(study)))} : {};
  tell(ending(job) || progress(job), {tone, ...action});
}

// Opens what the studio has found in a text.
async function take(answer, text, name, file) {
  const {kind, found, more} = answer, list = () => visit({place: "library", kind: "text"});
  if (kind === "certificate") {
    check({text}, found[0]?.study).catch(error => tell(error.message, {tone: "lost"})); // nobody waits for it
    return false;
  }
  if (kind === "run") {
    await openRun(text, name);
    return false;
  }
  if (found.length === 1 && !more) {
    const puzzle = kind === "puzzles" && {action: "Train on it", onAction: guarded(() => openSet(text, name))};
    await openFound(found[0], {review: !!file && !!found[0].game, ...puzzle});
    return true;
  }
  if (kind === "puzzles") {
    await openSet(text, name);
    return false;
  }
  const archive = kind === "games" ? file || new File([text], name || "pasted text") : null;
  const whole = archive && more && await listFile(archive).then(() => true, () => false); // it may be another form of games
  if (!whole) listFound(answer, name || "Pasted text", archive);
  list();
  return false;
}

let opened = 0; // texts and files, in the order in which they were opened

// Opens a text, unless another one is opened before the studio has read it. side is that which is to move, where the text does
// not say: gold, silver or "". file is where it comes from, or null. What is wrong is shown in the dialog, with the text.
export async function openText(text, name = "", side = "", file = null) {
  const mine = ++opened;
  let answer;
  try {
    answer = await post("open", {text, name, side});
    if (mine !== opened) return;
    const {found} = answer;
    if (found.length && found.every(f => f.error)) throw new Error(found.slice(0, 9).map(f => `${f.about}: ${f.error}`).join("\n"));
    dialog.value = "";
    draft.value = none;
    const shown = await take(answer, text, name, file);
    keep({text, name, side, label: name || firstWords(text), note: answer.says, position: found[0]?.study.position}, shown);
  } catch (error) {
    if (mine !== opened) return;
    if (error.status === 413) return openLong(file || new File([text], name || "The pasted text"));
    draft.value = {text, name, error: located(error.message), asks: error.code === "no_side"};
    dialog.value = "open";
  }
}

// Remembers what was opened. shown says that the board shows it, so that its small board does, too.
function keep(item, shown) {
  if (item.text.length > longest) return;
  if (shown) item.position = alone(board.view.value);
  const others = recent.value.filter(r => r.text !== item.text);
  recent.value = [{...item, time: Date.now(), id: `${Math.max(0, ...recent.value.map(r => +r.id)) + 1}`}, ...others].slice(0, mostRecent);
}

// Opens a file: a text, or an archive of games if it is long.
export async function openFileOf(file) {
  const mine = ++opened;
  if (file.size > most) return openLong(file);
  const text = await file.text();
  return mine === opened && openText(text, file.name, "", file);
}

// Lists an archive that is longer than a text may be.
async function openLong(file) {
  const mine = ++opened;
  const reading = tell(`Reading ${file.name}.`);
  try {
    await listFile(file);
    forget(reading);
    if (mine !== opened) return tell(`The games of ${file.name} are listed in the Library.`);
    dialog.value = "";
    draft.value = none;
    visit({place: "library", kind: "text"});
  } catch (error) {
    forget(reading);
    draft.value = {...none, error: error.status === 422 ? tooLong(file, error) : located(error.message)};
    dialog.value = "open";
  }
}

// What is said of a long file that is no archive.
function tooLong({name, size: bytes}, {message}) {
  const [, where] = /^archive:(\d+: .*)/.exec(message) || [];
  return `${name} has ${size(bytes)}. A text has 1 MiB at most; only archives of the game room may be longer, up to 64 MiB, and this is none${
    where ? `: line ${where}` : ""}. Open a part of it, or give the file to a command: goalproof verify, goalproof mine or goalproof review.`;
}

// What shows a job or a search, by its kind.
const shows = {
  review: showReview,
  play: job => playing(job.request.study),
  game: async job => {
    if (over(job)) return playing(job.game?.study || job.request.study);
    await join(job);
    visit({place: "board"});
  },
  verify: showJob, mine: showJob,
  check: tellChecked,
  compose: job => onBoard(() => showComposed(job)),
};

async function playing(study) {
  await look(study);
  setMode("play");
  visit({place: "board"});
}

// Opens a job where it belongs, by its id, or a search.
export const openJob = guarded(async id => {
  const found = jobs.value.trees[id] || await get("jobs/" + id).catch(error => {
    if (error.status !== 404) throw error;
    return get("trees/" + id).catch(() => {
      throw error;
    });
  });
  if (!found.request) return openSearch(found);
  const job = found, show = shows[job.request.kind];
  if (show) return show(job);
  await onBoard(async () => await showAnswer(job) || await look(job.request.study));
  if (job.error) tell(job.error, {tone: "lost"});
});

// Opens a search, as of GET /api/trees/ID, on the board.
async function openSearch(tree) {
  await onBoard(() => look(tree.study));
  grew(tree);
  tab.value = "tree";
}

opens("job", ({id}) => openJob(id));
