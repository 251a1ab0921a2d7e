// Files: those of the workspace, those that a person chooses, and those that are saved.

import {get, remove} from "./api.js";
import {at, confirmed, make, say, size} from "./dom.js";
import {aside} from "./order.js";

// Lists files of the workspace in a part of the page when it is opened. path and field say where the API has them, what is the
// word for one, some and none are notes above the list. open opens a file by its name. deleted is called after a file was
// deleted; without it files cannot be deleted. Returns the function that lists the files again.
export function listed(part, {path, field = path, what, some = "", none = "There is none.", open, deleted}) {
  const [note, list] = ["p.note", "ul"].map(s => at(part).querySelector(s));
  const show = async () => {
    if (!at(part).open) return;
    let files = null;
    try {
      files = (await get(path))[field];
    } catch (error) {
      note.textContent = error.message;
    }
    list.replaceChildren(); // after the answer: two lists may be on their way
    if (!files) return;
    note.textContent = files.length ? some : none;
    for (const {name, bytes, changed} of files) {
      const li = make(list, "li", {className: "pair"});
      make(li, "button", {type: "button", textContent: `${name}: ${size(bytes)}, ${new Date(changed).toLocaleString()}`}).onclick = aside(() => open(name));
      if (deleted) make(li, "button", {type: "button", textContent: "Delete", ariaLabel: `Delete ${name}`}).onclick = aside(async () => {
        if (!await confirmed(`Delete the ${what} ${name} from the workspace?`)) return;
        await remove(`${path}/${encodeURIComponent(name)}`);
        deleted(name);
        say(`The ${what} ${name} has been deleted.`);
        await show();
      });
    }
  };
  at(part).ontoggle = aside(show);
  return show;
}

// Calls take with each file that a person chooses.
export const chosen = (id, take) => at(id).onchange = aside(async () => {
  const [file] = at(id).files;
  at(id).value = "";
  if (file) await take(file);
});

// The text of a file. If it is too long, the error says what to do instead.
export async function textOf(file, instead = "") {
  if (file.size > 1e6) throw new Error(`${file.name} has more than a megabyte${instead}.`);
  return file.text();
}

export function download(blob, name) {
  const a = make(document.body, "a", {href: URL.createObjectURL(blob), download: name});
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}
