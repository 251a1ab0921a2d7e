// Random cases that are the same in each run.

// A generator of numbers from 0 to n - 1 (mulberry32).
export function random(seed) {
  return n => {
    seed = seed + 0x6D2B79F5 | 0;
    let t = Math.imul(seed ^ seed >>> 15, seed | 1);
    t = t + Math.imul(t ^ t >>> 7, t | 61) ^ t;
    return Math.floor(((t ^ t >>> 14) >>> 0) / 4294967296 * n);
  };
}
