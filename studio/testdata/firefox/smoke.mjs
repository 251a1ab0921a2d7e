// Visits each place of the page of a running studio in Firefox, and prints a line for each check: node smoke.mjs ADDRESS, with
// GOALPROOF_PUPPETEER as drive.mjs has it. It ends with the status 1 and the reason where a check fails.

import {launch, open, person, pieces, stands, until} from "../tasks/drive.mjs";

const position = "Ra5 rh7 ed4 g";
const header = 'nav[aria-label="Places"]';
// The places: the name of the button that leads there, and what is seen there and nowhere else.
const places = [["Board", ".transport"], ["Puzzles", ".shelf"], ["Library", ".searchlist"]];

// The checks, in this order.
const checks = [
  ["the board has pieces", async ({page}) => {
    await until(page, "pieces are drawn", pieces);
  }],
  ["a pasted position is on the board", async ({page, paste}) => {
    await paste(position);
    await stands(page, "d4", "silver elephant");
  }],
  ["a step by mouse", async ({page, drag}) => {
    await drag("a5", "a6");
    await stands(page, "a6", "gold rabbit");
  }],
  ...places.map(([name, has]) => [`the place ${name}`, async ({page, click}) => {
    await click([header + " button", name]);
    await until(page, `the place ${name}`, (nav, name, has) => document.querySelector(nav + ' [aria-current="page"]')?.textContent.trim() === name
      && document.querySelector(has)?.checkVisibility(), header, name, has);
  }]),
  ["Ctrl+O opens a dialog, and Escape closes it", async ({page, press}) => {
    await press("Ctrl+o");
    await until(page, "the dialog", () => !!document.querySelector("dialog[open] textarea"));
    await press("Escape");
    await until(page, "no dialog", () => !document.querySelector("dialog[open]"));
  }],
  ["no error, and nothing that the content policy refused", async ({faults}) => {
    const found = await faults();
    if (found.length) throw new Error(found.join("\n"));
  }],
  ["the content policy is in force, and heard of", async ({page}) => {
    await page.evaluate(() => document.body.setAttribute("style", "color: red"));
    await until(page, "a violation", () => violations.length > 0);
  }],
];

const browser = await launch("firefox");
try {
  const {page, faults} = await open(browser, process.argv[2]);
  const can = {page, faults, ...person(page)};
  for (const [name, check] of checks) {
    try {
      await check(can);
      console.log(`ok: ${name}`);
    } catch (error) {
      console.log(`failed: ${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
} finally {
  await browser.close();
}
