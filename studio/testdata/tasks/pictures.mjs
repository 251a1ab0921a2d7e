// Draws the pictures of the guide on the page of a running studio, in Chromium: node pictures.mjs ADDRESS DIR, with
// GOALPROOF_PUPPETEER as drive.mjs has it. The studio needs a workspace of its own that is empty. DIR is docs/studio.

import {mkdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {launch, open, person, stands, until} from "./drive.mjs";

const [address, folder] = process.argv.slice(2);
const example = name => readFileSync(new URL(`../../../examples/${name}`, import.meta.url), "utf8");

const won = page => until(page, "the win", () => {
  const e = document.querySelector("section.verdict");
  return e?.dataset.tone === "won" && !e.querySelector(".progress");
});
const quiet = page => until(page, "nothing runs", () => !document.querySelector(".bubble"));

async function solve({page, paste, press, click}) {
  await click(['nav[aria-label="Places"] button', "Board"]);
  await paste(example("win-in-2.txt"));
  await stands(page, "d6", "gold elephant");
  await press("Enter");
  await won(page);
}

// What leads to each picture, and the size of its window.
const pictures = {
  solve: {does: solve},
  review: {does: async ({page, drop, click}) => {
    await drop("game.turns", example("game.turns"));
    await click([".moments button", "22g"]);
    await until(page, "the review has ended", () => document.querySelector(".moments"));
  }},
  puzzles: {does: async ({page, click}) => {
    await click(['nav[aria-label="Places"] button', "Puzzles"]);
    await until(page, "the shelf has boards", () => document.querySelectorAll(".shelf .mini use").length > 20);
  }},
  phone: {does: solve, width: 390, height: 844},
};

mkdirSync(folder, {recursive: true});
const browser = await launch("chrome");
for (const [name, {does, width, height}] of Object.entries(pictures)) {
  const context = await browser.createBrowserContext();
  const {page} = await open(context, address, {width, height});
  await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: "light"}, {name: "prefers-reduced-motion", value: "reduce"}]);
  await until(page, "the page", () => document.querySelector(".stage [data-square]"));
  await does({page, ...person(page)});
  await page.evaluate(() => document.querySelectorAll(".toast .only").forEach(close => close.click()));
  await quiet(page);
  await sleep(500); // pieces that move
  await page.screenshot({path: join(folder, `${name}.webp`), type: "webp", quality: 55});
  await context.close();
}
await browser.close();
