// Measures the page of a running studio in Chromium, in a new browser each time: node figures.mjs ADDRESS [RUNS [ROUNDS]], with
// GOALPROOF_PUPPETEER as drive.mjs has it. It prints medians over the runs (7) with the least and the greatest value. ROUNDS
// (500) is how often the first ten turns of a game are walked through and back before the heap is measured, in the last run alone.

import {readFileSync} from "node:fs";
import {loadavg} from "node:os";
import {setTimeout as sleep} from "node:timers/promises";
import {launch, open, person, square, until} from "./drive.mjs";

const [address, runs = 7, rounds = 500] = process.argv.slice(2);
const game = readFileSync(new URL("../../../examples/game.turns", import.meta.url), "utf8");
const turns = 50; // of that game

// Where things are on the page. load shows the game; first is its first turn in the list, from which arrow keys walk.
const elements = {first: "ol.turns button.turn", load: ({paste}) => paste(game)};

// Runs in the page before its scripts: notes when the board has pieces, in milliseconds.
function watchBoard() {
  const look = () => {
    const drawn = [...document.querySelectorAll('svg.board:not(.mini, .piece) use[href^="#piece-"]')].some(e => e.checkVisibility());
    if (drawn) globalThis.boardAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

// Runs in the page: the shares of frames within a number of milliseconds that follow the one before in 16.8 ms.
const frames = length => new Promise(done => {
  const times = [];
  const frame = now => {
    times.push(now);
    if (now - times[0] < length) return requestAnimationFrame(frame);
    const gaps = times.slice(1).map((t, i) => t - times[i]);
    done({count: gaps.length, share: 100 * gaps.filter(g => g <= 16.8).length / gaps.length});
  };
  requestAnimationFrame(frame);
});

// Runs in the page: walks so many turns forward and back by arrow keys, pressing each as soon as the board has changed.
async function walk(turns) {
  const board = document.querySelector("[data-square]").parentElement;
  for (let i = 0; i < 2 * turns; i++) {
    await new Promise((done, fail) => {
      const late = setTimeout(() => fail(new Error(`the board stands still after ${i} keys`)), 10_000);
      const observer = new MutationObserver(() => {
        observer.disconnect();
        clearTimeout(late);
        setTimeout(done);
      });
      observer.observe(board, {subtree: true, attributeFilter: ["aria-label"]});
      const key = i < turns ? "ArrowRight" : "ArrowLeft";
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
    });
  }
}

async function heap(cdp) {
  for (let i = 0; i < 3; i++) await cdp.send("HeapProfiler.collectGarbage");
  return (await cdp.send("Runtime.getHeapUsage")).usedSize / 2 ** 20;
}

// Opens the page with a cold cache, and returns its figures by their names.
async function load(browser) {
  const {page, cdp, traffic} = await open(browser, "about:blank").then(async ({page}) => {
    const cdp = await page.createCDPSession(), traffic = {requests: 0, bytes: 0};
    await cdp.send("Network.enable");
    cdp.on("Network.requestWillBeSent", e => traffic.requests += !e.request.url.startsWith("data:"));
    cdp.on("Network.loadingFinished", e => traffic.bytes += e.encodedDataLength);
    await page.evaluateOnNewDocument(watchBoard);
    return {page, cdp, traffic};
  });
  await page.goto(address);
  await until(page, "the board", () => globalThis.boardAt > 0);
  await sleep(1000); // what else is loaded
  const paint = await page.evaluate(() => Object.fromEntries(performance.getEntriesByType("paint").map(e => [e.name, e.startTime])));
  return {page, cdp, figures: {"first paint, ms": paint["first-paint"], "first contentful paint, ms": paint["first-contentful-paint"],
    "board with pieces, ms": await page.evaluate(() => boardAt), "requests": traffic.requests, "bytes": traffic.bytes}};
}

// The frames while a piece is dragged about, and while arrow keys walk through the game.
async function move(page) {
  await elements.load(person(page));
  await person(page).click(elements.first);
  await page.keyboard.press("Home");
  await sleep(500);
  const box = await page.evaluate(s => {
    const {left, top, width} = document.querySelector(s).getBoundingClientRect();
    return {x: left + width / 2, y: top + width / 2, size: width};
  }, square("d4"));
  const piece = await page.evaluate(() => {
    const {left, top, width} = [...document.querySelectorAll("[data-square]")].find(e => /gold|silver/.test(e.ariaLabel)).getBoundingClientRect();
    return [left + width / 2, top + width / 2];
  });
  await page.mouse.move(...piece);
  await page.mouse.down();
  const dragged = page.evaluate(frames, 2000);
  for (let i = 0, end = Date.now() + 2000; Date.now() < end; i++) {
    await page.mouse.move(box.x + 2 * box.size * Math.cos(i / 10), box.y + 2 * box.size * Math.sin(i / 10));
    await sleep(5);
  }
  const drag = await dragged;
  await page.mouse.move(...piece);
  await page.mouse.up();
  await page.keyboard.press("Escape");
  await person(page).click(elements.first);
  await page.keyboard.press("Home");
  await sleep(500);
  const walked = page.evaluate(frames, 5000);
  for (let i = 0, start = Date.now(); i < turns; i++) {
    await page.keyboard.press("ArrowRight");
    await sleep(Math.max(0, start + 100 * (i + 1) - Date.now()));
  }
  const walking = await walked;
  return {"frames in 2 s of dragging": drag.count, "of them within 16.8 ms, %": drag.share, "frames in 5 s of walking": walking.count,
    "of them within 16.8 ms, % (walking)": walking.share};
}

const all = {};
const add = figures => {
  for (const [name, value] of Object.entries(figures)) (all[name] ||= []).push(value);
};
const before = loadavg()[0];
for (let i = 1; i <= runs; i++) {
  const browser = await launch("chrome");
  try {
    const {page, cdp, figures} = await load(browser);
    add(figures);
    add(await move(page));
    if (i < runs) continue;
    await page.keyboard.press("Home");
    await sleep(500);
    add({"heap with a game, MiB": await heap(cdp)});
    for (let n = 0; n < rounds; n++) await page.evaluate(walk, 10);
    add({[`heap after ${rounds} times ten turns and back, MiB`]: await heap(cdp)});
  } finally {
    await browser.close();
  }
}
const round = n => Math.round(10 * n) / 10;
console.log(`| figure | median | least | greatest |\n| --- | ---: | ---: | ---: |`);
for (const [name, values] of Object.entries(all)) {
  const sorted = values.toSorted((a, b) => a - b);
  console.log(`| ${name} | ${[sorted[sorted.length >> 1], sorted[0], sorted.at(-1)].map(round).join(" | ")} |`);
}
console.log(`\nLoad of the machine (one minute): ${round(before)} before, ${round(loadavg()[0])} after.`);
