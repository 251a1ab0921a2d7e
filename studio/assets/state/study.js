// Studies: positions with the turns that led to them. A study is {position, number, turns, steps}: the first position in
// the form "g [64 squares]", the number of its turn, the turns played from there, and the steps of the turn under way, "" for
// none. The studio leaves turns and steps out where there are none (studio/study.go); study() fills them in.

// A study with all its fields.
export const study = ({position, number = 2, turns = [], steps = ""}) => ({position, number, turns, steps});

// The study before the steps of the turn under way.
export const atStart = s => ({...study(s), steps: ""});

// The study after a whole turn, which replaces the steps under way.
export const after = (s, turn) => ({...study(s), turns: [...(s.turns || []), turn], steps: ""});

// The study before the last whole turn, or null where no turn was played.
export const before = s => s.turns?.length ? {...study(s), turns: s.turns.slice(0, -1), steps: ""} : null;

const number = s => Math.max(2, s.number || 2);

// A key of the position with its history and the number of its turn, a string. Repetitions are forbidden by what was played
// before, and the turns of a line are labelled by their numbers, so an answer is shown for this key alone.
export const key = s => JSON.stringify([s.position, number(s), s.turns || [], s.steps || ""]);

// Reports whether two studies are the same position with the same history and number.
export const same = (a, b) => !!a && !!b && key(a) === key(b);

// The turns that lead from study a to study b, [] if both are the same, or null if b does not continue a. Steps under way
// of b are not among them; those of a must be none, or the same as those of an equal b.
export function between(a, b) {
  const from = a.turns || [], to = b.turns || [];
  if (a.position !== b.position || number(a) !== number(b) || from.length > to.length || from.some((turn, i) => turn !== to[i])) return null;
  if (a.steps && (from.length < to.length || a.steps !== b.steps)) return null;
  return to.slice(from.length);
}

// The side to move after so many turns from a position: "gold" or "silver".
export const mover = (s, turns = s.turns?.length || 0) => ["gold", "silver"][((s.position[0] === "g" ? 0 : 1) + turns) % 2];

// The label of the turn that so many turns stand before, such as "12g"; without their number, of the turn under way.
export function label(s, turns = s.turns?.length || 0) {
  const n = turns + (s.position[0] === "g" ? 0 : 1);
  return number(s) + (n >> 1) + "gs"[n % 2];
}

// The position of a view of the studio alone, in the form "g [64 squares]", without history and steps left: for pictures and
// for places where equal boards may stand for each other. A view lists a1, b1, ... h8; the form begins with a8.
export function alone({squares, side}) {
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map(r => squares.slice(8 * r, 8 * r + 8));
  return `${side[0]} [${ranks.join("")}]`;
}
