// Reviews of games: jobs that find the mistakes of a game while one looks at it. A review is shown as long as the present game
// has the line that was reviewed.

import {get} from "../lib/api.js";
import {on} from "../lib/events.js";
import {computed, effect, signal} from "../lib/view.js";
import {known as won} from "../state/answers.js";
import * as state from "../state/desk.js";
import {ending, over} from "../state/jobs.js";
import * as reviews from "../state/review.js";
import {after, atStart, between} from "../state/study.js";
import * as tree from "../state/tree.js";
import {answers, options, tryTurn} from "./answers.js";
import {visit} from "./address.js";
import {desk, game, here, look, mode, onTurn, openStudy, setMode, start, update} from "./desk.js";
import {kept} from "./kept.js";
import {failed, guarded, once, say, tell} from "./messages.js";
import {begin, followed, jobs, stop} from "./studio.js";

const patience = 5000; // milliseconds
const begun = kept("reviews", was => was || []); // as of reviews.remembered
const found = signal({}); // by id: {job, data: GET jobs/ID/review}
export const seconds = kept("seconds", was => was || ""); // for each turn, "" for no limit

// A line about a game: players, event and date.
export const about = ({Gold, Silver, Event, Date}) =>
  [(Gold || Silver) && `${Gold || "unknown"} against ${Silver || "unknown"}`, Event, Date].filter(Boolean).join(", ");

// The review of the present game, or null: {id, study, job, complete, positions, moments, headline, nodes}. job is null and
// positions are missing until they have come; nodes are those of the line.
export const reviewed = computed(() => {
  const g = game.value, one = begun.value.find(r => !r.gone && tree.follows(g, r.study));
  if (!one) return null;
  const {job = null, data} = found.value[one.id] || {};
  const nodes = tree.path(g, tree.locate(g, one.study.turns).node);
  return {...one, job, nodes, ...data, headline: data?.review?.headline || ""};
});

// Whether the present game was reviewed, but the studio does not have the review any more.
export const lapsed = computed(() => !reviewed.value && begun.value.some(r => r.gone && tree.follows(game.value, r.study)));

// Where the board is on the reviewed line: the number of the position, or of the last one on the way to a variation; and whether
// it is in such a variation.
export const at = computed(() => {
  const r = reviewed.value, way = r ? tree.path(game.value, here.value.node) : [];
  return way.findLastIndex((node, i) => r.nodes[i] === node);
});
export const beside = computed(() => !!reviewed.value && reviewed.value.nodes[at.value] !== here.value.node);

// The moment that was chosen, the number of its position: the board shows the position before the turn.
export const picked = signal(-1);

effect(() => {
  if (at.value !== picked.peek()) picked.value = -1;
});

// The rows of the list of turns, with the signs of the review.
export const rows = computed(() => {
  const r = reviewed.value, all = tree.rows(game.value);
  return r?.positions ? reviews.marked(all, r.nodes, r.positions) : all;
});

// Gold's chance from -1 to 1 at a study on the reviewed line, or null.
export const chanceAt = s => reviewed.value?.positions ? reviews.chanceAt(reviewed.value, s) : null;

const put = (id, fields) => found.value = {...found.value, [id]: {...found.value[id], ...fields}};

const watched = new Set();

// Follows a review to its end: after each report its data is asked for again, one request at a time.
async function watch(id) {
  let asking = null;
  const more = async () => put(id, {data: await get(`jobs/${id}/review`)});
  try {
    const job = await followed(id, job => {
      if (!over(job)) put(id, {job});
      asking ??= more().catch(() => {}).finally(() => asking = null);
    });
    await asking;
    await more();
    put(id, {job});
    say(`The review: ${ending(job)}`);
  } catch (error) {
    if (error.status !== 404) throw error;
    begun.value = reviews.forgotten(begun.value, other => other === id);
  }
}

const again = signal(0); // what has failed is tried again
effect(() => {
  const id = reviewed.value?.id;
  void [jobs.value.ready, again.value];
  if (!id || watched.has(id)) return;
  watched.add(id);
  watch(id).catch(error => {
    watched.delete(id);
    failed(error);
    setTimeout(() => again.value++, patience);
  });
});

const remember = (id, s) => begun.value = reviews.remembered(begun.value, id, atStart(s));

on("studio", ({studio}) => begun.value = reviews.forgotten(begun.value, id => !id.startsWith(studio + "-"))); // it may be another one

// Reviews that other windows have begun are shown with their games, too.
const heard = new Set();
effect(() => {
  for (const {id, kind} of Object.values(jobs.value.jobs)) {
    if (kind !== "review" || heard.has(id)) continue;
    heard.add(id);
    if (!begun.peek().some(r => r.id === id)) get("jobs/" + id).then(({request}) => remember(id, request.study), () => {}); // it may be gone
  }
});

// Begins the review of the line of the present game that goes through what the board shows.
export const reviewGame = once(guarded(async () => {
  const s = state.wholeLine(desk.value), {tags, doc} = game.value, name = (about(tags) || doc.name).slice(0, 200);
  if (!s.turns.length) return tell("There is nothing to review yet: play or open a game.");
  const job = await begin({kind: "review", study: s, seconds: +seconds.value || 0, ...(name && {name})});
  remember(job.id, s);
}));

// Shows a job of the kind review on the Board, with its game.
export async function showReview({id, request}) {
  const s = atStart(request.study);
  setMode("analyse");
  if (!tree.follows(game.value, s)) await openStudy(s);
  remember(id, s);
  visit({place: "board"});
}

export const stopReview = () => stop(reviewed.value.id);

// Shows a position of the reviewed line. moment says that the turn played from there is meant.
export async function showPosition(i, moment = false) {
  await look(tree.studyAt(game.value, reviewed.value.nodes[i]));
  picked.value = moment ? i : -1;
}

// Looks along a line that could have been played at a position of the reviewed line, after so many of its turns.
export const lookAlong = (i, line, turns) => look(tree.studyAt(game.value, reviewed.value.nodes[i], line.slice(0, turns)));

// Takes what the review has found into the game, at mistakes only.
export function takeFindings() {
  update(d => state.edited(d, {game: tree.merge(state.game(d), reviewed.value) || state.game(d)}));
  say("The mistakes are marked in the game, with what was better.");
}

// The turn that left the reviewed line and is judged, or null: {study, turn, before, job}: the study before it, the position of
// the review, and the job once it has ended. It is there as long as the board shows what follows the turn.
const tried = signal(null);
export const judged = computed(() => {
  const t = tried.value;
  return t && between(after(t.study, t.turn), start.value) ? t : null;
});

// A turn that leaves the reviewed line is judged at once, and so is one that is played where a win was known.
onTurn(async ({study, turn, over}) => {
  const r = reviewed.value, s = atStart(study), rest = r?.positions && between(s, r.study), win = won(answers.value, s);
  if (mode.value !== "analyse" || options.value.defends || over || rest?.[0] === turn) return; // a defence asks itself
  if (!rest?.length) return void (win && tryTurn(s, turn, win).catch(failed));
  const before = r.positions[s.turns.length], mine = tried.value = {study: s, turn, before, job: null};
  try {
    const had = before.proved === before.side ? before.within : 0;
    const job = await tryTurn(s, turn, had || win || r.review?.win_in || 3);
    if (tried.value === mine) tried.value = {...mine, job};
  } catch (error) {
    if (tried.value === mine) tried.value = null;
    failed(error);
  }
});
