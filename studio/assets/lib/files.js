// Files that a person chooses, and files that are saved.

export const mostText = 1e6; // bytes of a text that a request carries

// The text of a file. If it is too long, the error says what to do instead.
export async function textOf(file, instead = "") {
  if (file.size > mostText) throw new Error(`${file.name} has more than a megabyte${instead}.`);
  return file.text();
}

// Saves a blob as a file.
export function download(blob, name) {
  const a = Object.assign(document.createElement("a"), {href: URL.createObjectURL(blob), download: name});
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

// Copies a text.
export const copy = text => navigator.clipboard.writeText(text).catch(() => {
  const area = Object.assign(document.createElement("textarea"), {value: text});
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("The browser did not allow the copy.");
});
