// The page of a running studio without a browser, for the tests of the views: happy-dom stands for the document, in which nothing
// has a place or a size. A process is a window. GOALPROOF_STUDIO is the address of the studio, with its token; GOALPROOF_DOM the
// folder of happy-dom.

import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const {GOALPROOF_STUDIO: studio, GOALPROOF_DOM: dom} = process.env;
const assets = new URL("../../assets/", import.meta.url);

// What the modules of the page find in a window.
const names = ["location", "history", "sessionStorage", "localStorage", "matchMedia", "requestAnimationFrame", "cancelAnimationFrame",
  "addEventListener", "removeEventListener", "dispatchEvent", "IntersectionObserver", "ResizeObserver", "Element", "Event", "KeyboardEvent",
  "innerWidth", "innerHeight", "navigator", "getComputedStyle"];

// Opens the page. It is to be done once.
export async function open() {
  const {Window} = await import(pathToFileURL(`${dom}/lib/index.js`));
  const window = new Window({url: studio, width: 1280, height: 800, console, settings: {disableJavaScriptFileLoading: true,
    disableCSSFileLoading: true, disableJavaScriptEvaluation: true, handleDisabledFileLoadingAsSuccess: true}});
  window.document.write(readFileSync(new URL("index.html", assets), "utf8"));
  const pieces = ["rabbit", "cat", "dog", "horse", "camel", "elephant"].map(kind => `<g id="piece-${kind}"></g>`).join("");
  window.document.querySelector(".drawings defs").innerHTML = pieces;
  const {fetch} = globalThis, {origin} = new URL(studio);
  const own = {window, document: window.document, fetch: (path, options) => fetch(origin + path, options)};
  for (const name of names) own[name] = typeof window[name] === "function" && /^[a-z]/.test(name) ? window[name].bind(window) : window[name];
  for (const [name, value] of Object.entries(own)) Object.defineProperty(globalThis, name, {value, configurable: true, writable: true});
  await import(new URL("app.js", assets));
}

const words = e => (e.ariaLabel || e.getAttribute("aria-label") || e.textContent).trim();

// The elements that a selector finds, those with a name that begins so.
export const all = (selector, name = "") => [...document.querySelectorAll(selector)].filter(e => words(e).startsWith(name));

// The text of the elements that a selector finds.
export const text = selector => all(selector).map(e => e.textContent).join(" ");

// Waits until a function returns something true, and returns it.
export async function until(holds) {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise(done => setTimeout(done, 10))) {
    const value = await holds();
    if (value) return value;
  }
  assert.fail(`not in time: ${holds}. The page reads: ${document.body.textContent}`);
}

// Waits for a text in the elements that a selector finds.
export const has = (selector, part) => until(() => text(selector).includes(part));

const happens = (e, type, more = {}) => e.dispatchEvent(Object.assign(new Event(type, {bubbles: true, cancelable: true}), more));

// Presses a button, when it is there.
export async function press(selector, name) {
  const button = await until(() => all(selector, name).find(e => !e.disabled));
  button.focus();
  button.click();
}

// Types a text into a field.
export async function type(selector, value) {
  const field = await until(() => document.querySelector(selector));
  field.value = value;
  for (const event of ["input", "change"]) happens(field, event);
}

// Presses a key where the focus is, and pastes a text there.
export const key = key => happens(document.activeElement, "keydown", {key});
export const paste = pasted => happens(document.activeElement, "paste", {clipboardData: {getData: () => pasted, files: []}});

// The text of an example.
export const example = name => readFileSync(new URL(`../../../examples/${name}`, import.meta.url), "utf8");
