// Numbers in words, as every part of the page writes them.

// 12345 as "12,345".
export const number = n => n.toLocaleString("en");

// An amount with its noun: "1 turn", "2,000 turns".
export const amount = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;
