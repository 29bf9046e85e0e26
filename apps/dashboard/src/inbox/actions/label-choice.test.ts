import assert from "node:assert/strict";
import { test } from "node:test";
import { LabelChoice } from "./label-choice.ts";

const KNOWN = ["delivery", "return", "vip"];

test("ticking a label adds it to those that lack it, and a second press takes it from all", () => {
  const begun = LabelChoice.of(KNOWN, [["vip", "return"], ["return"]]);
  assert.deepEqual(
    KNOWN.map((name) => begun.stateOf(name)),
    ["none", "all", "some"],
  );
  const ticked = begun.turn("vip");
  assert.deepEqual(ticked.change, { addLabels: ["vip"], removeLabels: [] });
  assert.deepEqual(ticked.turn("vip").change, { addLabels: [], removeLabels: ["vip"] });
});

test("a label that is as before changes nothing", () => {
  const begun = LabelChoice.of(KNOWN, [["vip"]]);
  const twice = begun.turn("delivery").turn("delivery").turn("vip").turn("vip");
  assert.deepEqual(twice.change, { addLabels: [], removeLabels: [] });
});

test("a new label is ticked and listed, and one that a conversation alone has is listed too", () => {
  const made = LabelChoice.of(KNOWN, [["old"]]).turn("gift");
  assert.deepEqual(made.names, [...KNOWN, "old", "gift"]);
  assert.deepEqual(made.change, { addLabels: ["gift"], removeLabels: [] });
});

test("in a whole view a label can be added and taken, though its rows are unknown", () => {
  const begun = LabelChoice.of(KNOWN, "all");
  assert.equal(begun.stateOf("vip"), "unknown");
  assert.deepEqual(begun.turn("vip").change.addLabels, ["vip"]);
  assert.deepEqual(begun.turn("vip").turn("vip").change.removeLabels, ["vip"]);
});
