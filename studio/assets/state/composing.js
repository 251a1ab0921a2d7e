// Puzzles that are made of positions. What a window has composed is a list of {id, aim, study}, the oldest first: jobs of the
// kind compose, and the studies that they are about.

import {atStart, same} from "./study.js";
import {capital} from "./words.js";

const most = 40; // jobs that a window remembers

// What can be made of a position.
export const aims = [{id: "hard", label: "Make it harder"}, {id: "small", label: "Remove what is superfluous"},
  {id: "longer", label: "One more turn"}, {id: "twin", label: "Find a twin"}];

export const aimOf = job => aims.find(a => a.id === job.request.aim);

// The list with a job, in place of an older one with the same aim about the same study.
export function noted(list, {id, request: {aim, study}}) {
  const s = atStart(study);
  return [...list.filter(c => c.id !== id && !(c.aim === aim && same(c.study, s))), {id, aim, study: s}].slice(-most);
}

// The ids of the jobs about a study, the newest first.
export const about = (list, study) => list.filter(c => same(c.study, study)).map(c => c.id).reverse();

// What is said of a puzzle besides its solution, beside the puzzle that it was made of, or null.
export function measures({difficulty, pieces}, from) {
  const beside = (now, was) => was === undefined || was === now ? now : `${now}, before ${was}`, hard = difficulty?.toFixed(1);
  return capital([hard && `difficulty ${beside(hard, from?.difficulty?.toFixed(1))}`, `pieces: ${beside(pieces, from?.pieces)}`]
    .filter(Boolean).join("; "));
}
