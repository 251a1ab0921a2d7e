import assert from "node:assert/strict";
import {test} from "node:test";

import {estimate, percent} from "../../assets/lib/chance.js";

test("an estimate is neither 0 % nor 100 %", () => {
  assert.deepEqual([0, 0.0001, 0.004, 0.5, 0.996, 0.9999, 1].map(percent), ["0 %", "1 %", "1 %", "50 %", "99 %", "99 %", "100 %"]);
});

test("what was proved about the position before a turn is an estimate within it", () => {
  assert.deepEqual([-1, -0.5, 0, 0.999, 1].map(estimate), [-0.99, -0.5, 0, 0.99, 0.99]);
});
