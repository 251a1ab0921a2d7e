// Chances in words.

// A chance from 0 to 1 in percent. 0 % and 100 % are for what is proved: an estimate is never one of them.
export function percent(chance) {
  const n = Math.round(100 * chance);
  return `${chance > 0 && chance < 1 ? Math.min(99, Math.max(1, n)) : n} %`;
}

// A chance from -1 to 1 as an estimate: -1 and 1 are for what is proved.
export const estimate = chance => Math.max(-0.99, Math.min(0.99, chance));
