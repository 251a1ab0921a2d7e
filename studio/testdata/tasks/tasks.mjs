// Performs tasks on the page of a running studio in Chromium, and counts what a person does for them: node tasks.mjs ADDRESS
// [TASK ...], with GOALPROOF_PUPPETEER as drive.mjs has it; a TASK is a letter. A click, a key (a shortcut is one), a drag, a drop
// and a choice count one each; reading and waiting count nothing. A turn is played step by step. A task ends when the page shows
// what was asked for. The studio needs a workspace of its own: what was trained before changes the task about puzzles. The status
// is 1 if a task could not be performed.

import {readFileSync} from "node:fs";
import {setTimeout as sleep} from "node:timers/promises";
import {label, launch, open, person, square, stands, until} from "./drive.mjs";

const [address, ...only] = process.argv.slice(2);
const [base, token] = address.split("/#");
const example = name => readFileSync(new URL(`../../../examples/${name}`, import.meta.url), "utf8");
const twoTurns = example("win-in-2.txt"); // Re1e Rh2w Ed6n Ed7w is the only solution

// Asks the studio for what a person knows: the turn that solves a puzzle.
async function ask(method, path, body) {
  const answer = await fetch(base + "/api/" + path, {method, body: body && JSON.stringify(body),
    headers: {Authorization: `Bearer ${token}`, "Content-Type": "application/json"}});
  const found = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${found.error}`);
  return found;
}

async function solution(position, win_in) {
  let job = await ask("POST", "jobs", {kind: "solve", study: {position}, win_in, all: true, unusual: true});
  for (; job.state === "running" || job.state === "waiting"; job = await ask("GET", "jobs/" + job.id)) await sleep(50);
  if (job.result?.verdict !== "proved") throw new Error(`no win in ${win_in}: ${position}`);
  return job.result.solutions.find(s => s.essential).turn;
}

// The position on the board, with a side to move, as the labels of the squares have it.
const position = (page, side) => page.evaluate(side => [...document.querySelectorAll("[data-square]")].map(e => {
  const [, color, kind] = e.ariaLabel.match(/(gold|silver) (\w+)/) || [];
  if (!kind) return "";
  const letter = kind === "camel" ? "m" : kind[0];
  return (color === "gold" ? letter.toUpperCase() : letter) + e.dataset.square;
}).filter(Boolean).join(" ") + " " + side, side);

// Plays a turn, and ends it.
async function play({page, drag, press}, turn) {
  const ways = {n: [0, 1], s: [0, -1], e: [1, 0], w: [-1, 0]};
  for (const step of turn.split(" ").filter(s => s[3] !== "x")) {
    const from = step.slice(1, 3), [x, y] = ways[step[3]], to = String.fromCharCode(from.charCodeAt(0) + x) + (+from[1] + y);
    const before = await label(page, from);
    await drag(from, to);
    await until(page, `the step ${step}`, (s, before) => document.querySelector(s).ariaLabel !== before, square(from), before);
  }
  await press("e");
}

// Waits for a card with a tone and a text that match.
const card = (page, tone, text) => until(page, `the card is ${tone}: ${text}`, (tone, text) => {
  const e = document.querySelector("section.verdict");
  return e?.dataset.tone === tone && e.innerText.includes(text);
}, tone, text);

// Waits until something is seen.
const seen = (page, selector, least = 1) => until(page, `${selector}, ${least} at least`, (selector, least) =>
  [...document.querySelectorAll(selector)].filter(e => e.checkVisibility()).length >= least, selector, least);

const place = name => ['nav[aria-label="Places"] button', name];

// What comes before a task, and is not counted. All begin in the place Board.
async function onBoard({page, paste}) {
  await paste(twoTurns);
  await stands(page, "d6", "gold elephant");
  await until(page, "Enter asks", () => !!document.activeElement.closest(".asks")); // it follows the board within a frame
}
async function solved(p) {
  await onBoard(p);
  await p.press("Enter");
  await card(p.page, "won", "2 turns");
}

// before: what the task took on the page that had a view for each form.
const tasks = {
  a: {name: "paste a position and solve it", before: 6, does: solved},
  b: {name: "review a dropped game and find the losing turn", before: 5, does: async ({page, drop}) => {
    await drop("game.turns", example("game.turns"));
    await until(page, "the losing turn", () => document.querySelector(".turning")?.innerText.includes("the turning point at 22g"));
  }},
  c: {name: "see why a played turn fails", before: 2, begins: solved, does: async ({page, drag, click}) => {
    await drag("d6", "d7");
    await click(["section.verdict button", "Did my turn keep the win?"]);
    await card(page, "lost", "Ed6n");
  }},
  d: {name: "see every defence of a win", before: 2, begins: onBoard, does: async ({page, press, click}) => {
    await press("Enter");
    await card(page, "won", "2 turns");
    await click("#verdict-defences");
    await seen(page, "#verdict-panel summary, #verdict-panel button.line", 2);
  }},
  e: {name: "train ten puzzles", before: 102, does: async p => {
    const {page, click} = p;
    await click(place("Puzzles"));
    for (let i = 0, last = ""; i < 10; i++) {
      const [title, task] = await until(page, `exercise ${i + 1}`, last => {
        const e = document.querySelector("section.verdict"), title = e?.querySelector(".between .dim").textContent;
        return title && title !== last && e.querySelector(".badge").textContent === "Your turn" && [title, e.querySelector(".sentence").textContent];
      }, last);
      last = title;
      const side = task.split(" ")[0].toLowerCase();
      for (let left = +task.match(/in (\d+)/)[1]; left; left--) {
        await until(page, `${side} is to move`, side => document.querySelector("main").innerText.includes(`${side} to move, 4 steps left`), side);
        await play(p, await solution(await position(page, side[0]), left));
        await card(page, "won", left > 1 ? "Right" : "Solved");
      }
    }
    await until(page, "the streak", () => document.querySelector("section.verdict").innerText.includes("Streak 10"));
  }},
  f: {name: "play a turn against the engine, take the reply, and review that game", before: 7, does: async ({page, click, drag, press}) => {
    await click([".transport button", "Play"]);
    await click([".new-game button", "Begin"]);
    await stands(page, "e2", "gold elephant");
    await drag("e2", "e4");
    await stands(page, "e4", "gold elephant");
    await press("e");
    await seen(page, 'button.turn[aria-label^="2s"]');
    await click("#review");
    await seen(page, ".graph [role=slider]");
  }},
  g: {name: "walk a proof tree three nodes deep", before: 6, begins: onBoard, does: async ({page, click}) => {
    await click("#verdict-tree");
    await click(["#verdict-panel button", "Begin"]);
    await until(page, "the search has ended", () => document.querySelector("#verdict-panel").innerText.includes("Decided."));
    for (let depth = 1; depth <= 3; depth++) {
      await click("#verdict-panel tbody button");
      await seen(page, "#verdict-panel .path li", depth + 1);
    }
  }},
};

// Counts acts by their kind: "1 drop, 2 click".
function kinds(acts) {
  const counts = {};
  for (const act of acts.map(a => a.split(" ")[0])) counts[act] = (counts[act] || 0) + 1;
  return Object.entries(counts).map(([kind, n]) => `${n} ${kind}`).join(", ");
}

const browser = await launch("chrome");
for (const [letter, {name, before, begins, does}] of Object.entries(tasks)) {
  if (only.length && !only.includes(letter)) continue;
  const context = await browser.createBrowserContext(), {page, faults} = await open(context, address);
  try {
    await seen(page, "[data-square]");
    await person(page).click(place("Board"));
    await begins?.({page, ...person(page)});
    const {acts, ...can} = person(page);
    await does({page, ...can});
    console.log(`${letter}. ${name}: ${acts.length} (${kinds(acts)}), ${before} before`);
    for (const act of acts.slice(0, 12)) console.log(`   ${act}`);
    if (acts.length > 12) console.log("   ...");
  } catch (error) {
    console.log(`${letter}. ${name}: failed: ${error.message}`);
    process.exitCode = 1;
  }
  for (const fault of await faults()) {
    console.log(`   went wrong: ${fault}`);
    process.exitCode = 1;
  }
  await context.close();
}
await browser.close();
