// Words and numbers, as every part of the page writes them.

// A whole number: 12345 as "12,345". The locales of the browser would take longer to come than the page itself.
export const number = n => String(n).replace(/\d(?=(\d{3})+$)/g, "$&,");

// An amount with its noun: "1 turn", "2,000 turns".
export const amount = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;

// A text with a capital, unless it begins with something other than a word, such as the name of a file.
export const capital = text => text.replace(/^[a-z]+(?=[ ,:.]|$)/, word => word[0].toUpperCase() + word.slice(1));

// An error of a text with its place in words: "1:1: a position ..." and "1: a ..." as "Line 1: a ...".
export const located = error => error.replace(/^(\d+): /gm, "Line $1: ").replace(/^((?:.*:)?)(\d+):\d+: /gm,
  (_, file, line) => `${file ? file.slice(0, -1) + ", line" : "Line"} ${line}: `);

// When something was, in milliseconds, seen from now: "5 minutes ago".
export function since(then, now) {
  const minutes = Math.max(0, Math.floor((now - then) / 60_000));
  if (!minutes) return "just now";
  if (minutes < 60) return `${amount(minutes, "minute")} ago`;
  return minutes < 24 * 60 ? `${amount(Math.floor(minutes / 60), "hour")} ago` : `${amount(Math.floor(minutes / 60 / 24), "day")} ago`;
}

// The first words of a text, in one line, without the # of a comment.
export function firstWords(text, most = 40) {
  const line = text.replace(/^[#\s]+/, "").trim().replace(/\s+/g, " ");
  return line.length > most ? line.slice(0, most - 1).trimEnd() + "…" : line;
}

// A number of bytes: "12 KiB", "1.5 MiB".
export const size = n => n < 2 ** 20 ? `${Math.ceil(n / 1024)} KiB` : `${(n / 2 ** 20).toFixed(1)} MiB`;
