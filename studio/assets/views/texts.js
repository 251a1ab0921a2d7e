// The view of texts: what is pasted or dropped is read, and the position or game is written in every form.

import {Refused, post} from "../lib/api.js";
import {at, make, say} from "../lib/dom.js";
import {download} from "../lib/files.js";
import {kept} from "../lib/kept.js";
import {aside, inTurn} from "../lib/order.js";
import {begin} from "./annotate.js";
import {archives, list, listFile} from "./games.js";
import {go, seen, showView} from "./shown.js";

const most = 1e6; // bytes of a text

// Reads a text, and opens what it holds if that is one thing.
async function open(text, name = "") {
  at("paste-error").textContent = "";
  at("found").replaceChildren();
  at("games").hidden = true;
  if (text.length > most) throw new Error("The text has more than a megabyte.");
  const here = () => showView("texts"); // a file may be dropped in another view
  let answer;
  try {
    answer = await post("read", {text, name, side: at("paste-side").value});
  } catch (error) {
    here();
    at("paste-error").textContent = error.message + (error instanceof Refused && error.code === "no_side" ? "\nChoose who is to move." : "");
    return;
  }
  const all = answer.found;
  if (all.length === 1 && !all[0].error) return choose(all[0]);
  here();
  for (const f of await list(all)) {
    const li = make(at("found"), "li");
    const b = make(li, "button", {type: "button", textContent: f.about, disabled: !f.study.position});
    b.onclick = () => inTurn(() => choose(f));
    for (const note of f.notes || []) make(li, "p", {className: "note", textContent: note});
    if (f.error) make(li, "pre", {textContent: f.error, tabIndex: 0, role: "group", ariaLabel: "What is wrong"});
  }
  if (answer.more) make(at("found"), "li", {className: "note", textContent: "There are more."});
}

async function choose(found) {
  if (found.study.turns || found.annotated) begin(found);
  await go(found.study, found.solution);
  say([found.about, found.solution && `The published solution: ${found.solution}`, ...found.notes || []].filter(Boolean).join(". "));
}

async function forms() {
  const {forms} = await post("forms", {study: kept.study});
  const name = at("form").value || forms[0].name;
  at("form").replaceChildren(...forms.map(f => new Option(f.name, f.name, false, f.name === name)));
  const form = forms.find(f => f.name === name);
  at("about-form").textContent = form.about;
  at("copied").value = form.text;
}

async function copy() {
  try {
    await navigator.clipboard.writeText(at("copied").value);
  } catch {
    at("copied").select();
    if (!document.execCommand("copy")) throw new Error("The browser did not allow the copy.");
  }
  say("Copied.");
}

async function openFile(file) {
  if (!file) return;
  if (file.size > most) {
    at("paste-error").textContent = "";
    at("found").replaceChildren();
    showView("texts");
    say("Reading the archive.");
    await listFile(file);
    return say(`${file.name} has been read.`);
  }
  await open(await file.text(), file.name);
}

export function texts() {
  archives();
  at("open").onclick = () => inTurn(() => open(at("paste").value));
  at("file").onchange = () => inTurn(async () => {
    await openFile(at("file").files[0]);
    at("file").value = "";
  });
  at("copy").onclick = () => inTurn(copy);
  at("draw").onclick = aside(async () => {
    const {svg} = await post("picture", seen());
    download(new Blob([svg], {type: "image/svg+xml"}), "board.svg");
  });
  at("form").onchange = () => inTurn(forms);
  document.addEventListener("viewed", () => kept.view === "texts" && inTurn(forms));
  addEventListener("dragover", e => e.preventDefault());
  addEventListener("drop", e => {
    e.preventDefault();
    const file = e.dataTransfer.files[0];
    if (kept.view !== "set" && kept.view !== "train") inTurn(() => openFile(file)); // see set.js and train.js
  });
}
