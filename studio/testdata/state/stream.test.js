import assert from "node:assert/strict";
import {test} from "node:test";

import {split} from "../../assets/lib/stream.js";

const text = 'event: studio\ndata: {"studio": "kqzvbm"}\n\n:\n\nevent: job\ndata: {"says": "a: b\\n\\nc"}\n\ndata: [1,\ndata:2]\n\nevent: ready\ndata: {}\n\n';
const all = [{name: "studio", data: {studio: "kqzvbm"}}, {name: "job", data: {says: "a: b\n\nc"}}, {name: "message", data: [1, 2]}, {name: "ready", data: {}}];

test("a whole stream", () => {
  assert.deepEqual(split(text), {events: all, rest: ""});
});

test("a stream that is cut anywhere has the same events", () => {
  for (let i = 0; i <= text.length; i++) {
    const first = split(text.slice(0, i)), second = split(first.rest + text.slice(i));
    assert.deepEqual([...first.events, ...second.events], all, `cut at ${i}`);
    assert.equal(second.rest, "");
  }
});

test("what is no event", () => {
  assert.deepEqual(split(""), {events: [], rest: ""});
  assert.deepEqual(split(":\n\nevent: job\n\nid: 5\nretry\n\n"), {events: [], rest: ""});
  assert.deepEqual(split("data: {}\n"), {events: [], rest: "data: {}\n"});
  assert.throws(() => split("data: {\n\n"), SyntaxError);
});
