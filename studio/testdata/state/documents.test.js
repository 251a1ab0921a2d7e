import assert from "node:assert/strict";
import {test} from "node:test";

import {again, loses, next, open, request, suggestion, todo, unsaved, words} from "../../assets/state/documents.js";
import {random} from "./random.js";

// The document after events, each a type or [type, fields].
const after = (d, ...events) => events.reduce((d, e) => next(d, typeof e === "string" ? {type: e} : {type: e[0], ...e[1]}), d);
const is = (d, state, what, lost) => assert.deepEqual([d.state, todo(d), unsaved(d)], [state, what, lost]);
const mine = open({name: "mine", version: "v1"});

test("a new game gets a file with its first edit", () => {
  is(open(), "clean", "", false);
  let d = after(open(), "edited");
  is(d, "dirty", "save", true);
  assert.deepEqual(request(d, "G", "ann bob"), {name: "", version: "", game: "G", suggest: "ann bob"});
  is(d = after(d, "sending"), "saving", "", true);
  is(d = after(d, ["saved", {name: "ann bob", version: "v1"}]), "clean", "", false);
  assert.equal(words(d), "Saved as ann bob.");
  assert.deepEqual(request(d, "G", "x"), {name: "ann bob", version: "v1", game: "G"});
});

test("an edit while it is saved is saved next", () => {
  const d = after(mine, "edited", "sending", "edited", ["saved", {name: "mine", version: "v2"}]);
  is(d, "dirty", "save", true);
  is(after(d, "sending", ["saved", {name: "mine", version: "v3"}]), "clean", "", false);
});

test("a failure is tried again, and an edit tries at once", () => {
  const d = after(mine, "edited", "sending", ["failed", {error: "the disk is full"}]);
  is(d, "failed", "retry", true);
  assert.equal(words(d), "Not saved: the disk is full");
  is(after(d, "edited"), "dirty", "save", true);
  is(after(d, "sending"), "saving", "", true);
});

test("what the studio reports of its own writing is no change, early, late or twice", () => {
  const changed = version => ["changed", {version}], saved = version => ["saved", {name: "mine", version}];
  is(after(mine, "edited", "sending", changed("v2"), saved("v2"), changed("v2")), "clean", "", false);
  is(after(mine, "edited", "sending", saved("v2"), "edited", "sending", saved("v3"), changed("v2"), changed("v3")), "clean", "", false);
});

test("a change elsewhere is loaded, or asked about where edits would be lost", () => {
  const changed = ["changed", {version: "x9"}];
  is(after(mine, changed), "clean", "load", false);
  is(after(mine, changed, ["loaded", {version: "x9"}]), "clean", "", false);
  is(after(mine, changed, "edited"), "conflict", "ask", true); // before it was loaded
  let d = after(mine, "edited", changed);
  is(d, "conflict", "ask", true);
  assert.equal(words(d), "mine was changed elsewhere.");
  is(after(d, "edited"), "conflict", "ask", true);
  assert.deepEqual(request(after(d, "copy"), "G", "s"), {name: "", version: "", game: "G", suggest: "s"});
  is(after(d, ["loaded", {version: "x9"}]), "clean", "", false);
  // While it is saved: another window wrote after this one.
  is(after(mine, "edited", "sending", changed, ["saved", {name: "mine", version: "v2"}]), "clean", "load", false);
  is(after(mine, "edited", "sending", changed, "edited", ["saved", {name: "mine", version: "v2"}]), "conflict", "ask", true);
});

test("a refusal is asked about", () => {
  let d = after(mine, "edited", "sending", ["refused", {error: "changed"}]);
  is(d, "conflict", "ask", true);
  d = after(mine, "edited", "sending", ["refused", {error: "changed", version: "x9"}]);
  assert.equal(d.theirs, "x9");
  d = after(mine, "edited", "sending", ["refused", {error: "changed", version: null}]);
  assert.equal(words(d), "The file of mine was removed elsewhere.");
});

test("a file that was removed elsewhere is asked about", () => {
  is(after(mine, "removed"), "conflict", "ask", false);
  assert.equal(words(after(mine, "removed")), "The file of mine was removed elsewhere.");
  is(after(mine, "edited", "removed"), "conflict", "ask", true);
  assert.equal(request(after(mine, "removed", "copy"), "G", "s").name, "");
  is(after(mine, "edited", "sending", "removed", ["saved", {name: "mine", version: "v2"}]), "conflict", "ask", true);
  is(after(open(), "removed"), "clean", "", false); // it has no file
});

test("without a workspace nothing is saved, and what was edited is lost", () => {
  const d = open({workspace: false});
  is(d, "nowhere", "", false);
  is(after(d, "edited"), "nowhere", "", true);
  is(after(mine, "edited", "nowhere"), "nowhere", "", true);
  assert.match(words(after(d, "edited")), /no workspace/);
  assert.equal(words(d), "");
  assert.throws(() => next(d, {type: "odd"}));
});

test("whatever happens, an edit that is in no file is either on its way, asked about or warned of", () => {
  const next = random(5);
  for (let k = 0; k < 300; k++) {
    let d = open({name: "mine", version: "v1"}), edits = 0, inFile = 0, version = 1;
    for (let i = 0; i < 20; i++) {
      switch (next(6)) {
        case 0: d = after(d, "edited"); edits = d.edits; break;
        case 1: if (todo(d) === "save" || todo(d) === "retry") d = after(d, "sending"); break;
        case 2: if (d.state === "saving") { inFile = d.sent; d = after(d, ["saved", {name: "mine", version: "v" + ++version}]); } break;
        case 3: if (d.state === "saving") d = after(d, ["failed", {error: "e"}]); break;
        case 4: d = after(d, ["changed", {version: "x" + next(9)}]); break;
        case 5: if (todo(d) === "load") { d = after(d, ["loaded", {version: d.theirs}]); edits = inFile = 0; } break;
      }
      if (edits > inFile) assert.ok(unsaved(d), d.state);
      if (edits > inFile && d.state !== "saving") assert.ok(["save", "ask", "retry"].includes(todo(d)), d.state);
    }
  }
});

test("closing the page loses what cannot be sent any more", () => {
  const failed = ["failed", {error: "e"}], refused = ["refused", {error: "e"}];
  for (const [d, sent, long] of [
    [mine, false, false],
    [after(mine, "edited"), false, true],
    [after(mine, "edited", "sending"), false, true],
    [after(mine, "edited", "sending", "edited"), true, true],
    [after(mine, "edited", "sending", failed), true, true],
    [after(mine, "edited", "sending", refused), true, true],
    [after(mine, "removed"), false, false],
    [after(open({workspace: false}), "edited"), true, true],
    [open({workspace: false}), false, false],
  ]) assert.deepEqual([loses(d, true), loses(d, false)], [sent, long], d.state);
});

test("after a reload", () => {
  assert.deepEqual(again(undefined), open());
  assert.equal(todo(again(after(mine, "edited", "sending"))), "save");
  assert.equal(again(mine), mine);
  const none = open({workspace: false}); // the studio may be another one now
  is(again(after(none, "edited")), "dirty", "save", true);
  is(again(none), "clean", "", false);
});

test("renamed, and refused names", () => {
  const renamed = ["renamed", {name: "yours", version: "v1"}];
  is(after(mine, "removed", renamed), "clean", "", false); // the report of the old name came first
  is(after(mine, "edited", renamed), "dirty", "save", true);
  assert.equal(after(mine, renamed).name, "yours");
  const clean = open();
  is(after(clean, "sending", ["unsent", {was: clean}]), "clean", "", false);
  is(after(clean, "sending", "edited", ["unsent", {was: clean}]), "dirty", "save", true);
  const dirty = after(clean, "edited");
  is(after(dirty, "sending", ["unsent", {was: dirty}]), "dirty", "save", true);
});

test("names to suggest", () => {
  assert.equal(suggestion({Gold: "ann", Silver: "bob", Date: "2026-01-02"}, "today"), "ann bob 2026-01-02");
  assert.equal(suggestion({}, "2026-11-28"), "Game 2026-11-28");
  assert.equal(suggestion({Gold: "x".repeat(99)}, "").length, 60);
});

test("what was sent before a reload, or without an answer, is known when it is found in the file", () => {
  const known = ["known", {version: "v2"}], sent = after(mine, "edited", "sending");
  for (const d of [again(sent), again(after(mine, "edited")), after(sent, ["failed", {error: "no answer", unsure: true}])]) {
    assert.ok(d.unsure);
    const found = after(d, known);
    is(found, "dirty", "save", true);
    assert.deepEqual([found.version, found.unsure], ["v2", false]);
    is(after(found, "sending", ["saved", {name: "mine", version: "v3"}], ["changed", {version: "v2"}]), "clean", "", false);
  }
  assert.ok(!after(sent, ["failed", {error: "the disk is full"}]).unsure);
});
