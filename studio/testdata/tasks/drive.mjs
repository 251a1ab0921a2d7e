// Drives the page of a studio as a person does: in Chromium, or in Firefox over WebDriver BiDi, with puppeteer-core, whose folder
// the variable GOALPROOF_PUPPETEER names. What can be clicked on is named by a selector, or by [selector, name]: the first visible
// element of it whose label or text is or begins with that name.

import {existsSync} from "node:fs";
import {delimiter, join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {pathToFileURL} from "node:url";

const programs = {chrome: ["chromium", "chromium-browser", "google-chrome"], firefox: ["firefox-esr", "firefox"]};
const patience = 180_000; // milliseconds: a review takes a while where much else runs

const program = browser => process.env.PATH.split(delimiter).flatMap(folder => programs[browser].map(name => join(folder, name))).find(existsSync)
  || fail(`None of these is installed: ${programs[browser].join(", ")}.`);

function fail(message) {
  throw new Error(message);
}

// Starts a browser, "chrome" or "firefox", without a window. Close it at the end.
export async function launch(browser) {
  const folder = process.env.GOALPROOF_PUPPETEER || fail("Set GOALPROOF_PUPPETEER to the folder of puppeteer-core (npm install puppeteer-core).");
  const {default: puppeteer} = await import(pathToFileURL(join(folder, "lib/esm/puppeteer/puppeteer-core.js")));
  return puppeteer.launch({browser, executablePath: program(browser), headless: true, protocolTimeout: 2 * patience,
    args: browser === "chrome" ? ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"] : [],
    extraPrefsFirefox: {"network.proxy.type": 0}}); // the studio is on this machine
}

// Waits until a function of the page, which receives the other arguments, returns something true that is no element, and returns it.
export async function until(page, what, holds, ...given) {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(25)) {
    const value = await page.evaluate(holds, ...given);
    if (value) return value;
  }
  const text = await page.evaluate(() => document.body.innerText);
  return fail(`not in time: ${what}. The page reads: ${text.replace(/\s+/g, " ").slice(0, 1500)}`);
}

// Opens an address in a new page of a browser or of a context of it. faults are what went wrong on the page since: errors of
// the console and of requests, and what the content policy refused.
export async function open(browser, address, {width = 1280, height = 800} = {}) {
  const page = await browser.newPage(), faults = [];
  await page.setViewport({width, height});
  page.on("console", m => m.type() === "error" && faults.push(`the console: ${m.text()}`));
  page.on("pageerror", e => faults.push(`an error: ${e.message}`));
  page.on("response", r => r.status() >= 400 && faults.push(`${r.status()} ${r.request().method()} ${new URL(r.url()).pathname}`));
  await page.evaluateOnNewDocument(() => {
    globalThis.violations = [];
    addEventListener("securitypolicyviolation", e => violations.push(`the content policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
  });
  await page.goto(address);
  return {page, faults: async () => [...faults, ...await page.evaluate(() => violations)]};
}

// The middle of an element, which is scrolled into view. Nothing lies on it there.
const middle = (page, [selector, name = ""]) => until(page, `${selector} ${name} can be clicked on`, (selector, name) => {
  const nameOf = e => (e.ariaLabel || e.textContent).trim();
  const can = e => e.checkVisibility({visibilityProperty: true}) && !e.disabled && nameOf(e).startsWith(name);
  const e = [...document.querySelectorAll(selector)].find(can);
  if (!e) return null;
  const seen = () => {
    const {left, top, width, height} = e.getBoundingClientRect(), at = [left + width / 2, top + height / 2];
    return e.contains(document.elementFromPoint(...at)) ? at : null;
  };
  if (!seen()) e.scrollIntoView({block: "center"});
  return seen();
}, selector, name);

// A person at a page. Each function is an act, of which acts has a line; what is read or waited for is none.
export function person(page) {
  const acts = [], note = (act, what) => void acts.push(`${act} ${[what].flat().join(" ")}`);
  const cdp = page.browser().protocol === "cdp";
  // A shortcut with Ctrl. Chromium needs to be told what an editor does with it.
  const ctrl = async (on, key) => {
    const command = {c: "Copy", v: "Paste", a: "SelectAll"}[key];
    await on.keyboard.down("Control");
    await on.keyboard.press(key, cdp && command ? {commands: [command]} : {});
    await on.keyboard.up("Control");
  };
  const click = async what => {
    note("click", what);
    await page.mouse.click(...await middle(page, [what].flat()));
  };
  return {
    acts, click,
    // A key, or a shortcut such as "Ctrl+o".
    press: async key => {
      note("press", key);
      await (key.startsWith("Ctrl+") ? ctrl(page, key.slice(5)) : page.keyboard.press(key));
    },
    // Drags a piece from a square to another one.
    drag: async (from, to) => {
      note("drag", [from, to]);
      await middle(page, [square(to)]);
      const [start, end] = [await middle(page, [square(from)]), await middle(page, [square(to)])];
      await page.mouse.move(...start);
      await page.mouse.down();
      await page.mouse.move(...end, {steps: 5});
      await page.mouse.up();
    },
    // Drops a file onto the page.
    drop: async (name, text) => {
      note("drop", name);
      await page.evaluate((name, text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name));
        for (const type of ["dragenter", "dragover", "drop"]) {
          document.body.dispatchEvent(new DragEvent(type, {dataTransfer, bubbles: true, cancelable: true}));
        }
      }, name, text);
    },
    // Chooses a value of a field, or types it.
    choose: async (selector, value) => {
      note("choose", [selector, value]);
      const field = await page.$(selector);
      if (await field.evaluate(e => e.tagName === "SELECT")) return void await field.select(value);
      await field.evaluate(e => e.select());
      await field.type(value);
    },
    // Presses Ctrl+V with a text that was copied elsewhere.
    paste: async text => {
      const other = await page.browserContext().newPage();
      await other.setContent("<textarea></textarea>");
      await other.bringToFront();
      await other.evaluate(text => {
        document.querySelector("textarea").value = text;
        document.querySelector("textarea").focus();
      }, text);
      await ctrl(other, "a");
      await ctrl(other, "c");
      await other.close();
      await page.bringToFront();
      note("press", "Ctrl+V");
      await ctrl(page, "v");
    },
  };
}

// A square of the board, and its label, which says what stands there.
export const square = name => `[data-square="${name}"]`;
export const label = (page, name) => page.evaluate(s => document.querySelector(s).ariaLabel, square(name));

// Waits until a piece stands on a square, such as "gold elephant".
export const stands = (page, name, piece) => until(page, `${piece} on ${name}`,
  (s, piece) => document.querySelector(s)?.ariaLabel.includes(piece), square(name), piece);

// Runs in the page: the number of pieces that the board shows.
export const pieces = () => [...document.querySelectorAll('svg.board:not(.mini, .piece) use[href^="#piece-"]')].filter(e => e.checkVisibility()).length;
