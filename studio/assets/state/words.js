// Words and numbers, as every part of the page writes them.

// 12345 as "12,345".
export const number = n => n.toLocaleString("en");

// An amount with its noun: "1 turn", "2,000 turns".
export const amount = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;

// A text with a capital, unless it begins with something other than a word, such as the name of a file.
export const capital = text => text.replace(/^[a-z]+(?=[ ,:]|$)/, word => word[0].toUpperCase() + word.slice(1));

// A number of bytes: "12 KiB", "1.5 MiB".
export const size = n => n < 2 ** 20 ? `${Math.ceil(n / 1024)} KiB` : `${(n / 2 ** 20).toFixed(1)} MiB`;
