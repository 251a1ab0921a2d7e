import assert from "node:assert/strict";
import {readFileSync, readdirSync} from "node:fs";
import {test} from "node:test";

const folder = new URL("../../assets/state/", import.meta.url);

test("the state imports itself and the signals alone, and knows neither page nor network", () => {
  const files = readdirSync(folder);
  assert.ok(files.length > 8);
  for (const name of files) {
    const text = readFileSync(new URL(name, folder), "utf8").replace(/\/\/.*/g, "");
    for (const [, from] of text.matchAll(/from "(.*?)"/g)) assert.match(from, /^\.\/\w+\.js$|^\.\.\/vendor\/signals-core/, name);
    assert.doesNotMatch(text, /\b(document|window|fetch|sessionStorage|localStorage|location|setTimeout|globalThis)[.(]/, name);
  }
});
