import assert from "node:assert/strict";
import { test } from "node:test";
import { processorMs } from "../../test/processor-time.ts";
import { cutChunks } from "./cut-chunks.ts";
import { MAX_CHUNK } from "./source.ts";

test("marked lines and short ones between empty lines are headings", () => {
  const text =
    "Before.\n\n## Hours ##\nFrom nine.\n\nReturns:\n\nWithin 14 days.\n\nIt is free.\n\n# \nEnd.";
  assert.deepEqual(cutChunks("Shop", text), [
    { title: "Shop", text: "Before." },
    { title: "Shop › Hours", text: "From nine." },
    { title: "Shop › Returns", text: "Within 14 days.\n\nIt is free.\n\n#\nEnd." },
  ]);
});

test("what is longer than a heading is text, and a word without an end is cut, but no character", () => {
  const long = `# ${"x".repeat(151)}`;
  assert.deepEqual(cutChunks("Shop", long), [{ title: "Shop", text: long }]);
  const word = "😀".repeat(1_000);
  const pieces = cutChunks("Shop", `a${word}`).map(({ text }) => text);
  assert.equal(pieces.join(""), `a${word}`);
  assert.ok(pieces.every((one) => one.length <= MAX_CHUNK && one.isWellFormed()));
});

test("a file that a stranger wrote is cut in a moment, whatever its lines are", () => {
  const many = 200_000;
  const x = "x".repeat(200);
  for (const text of [
    `# ${" ".repeat(many)}${x}`,
    `# ${"#".repeat(many)}${x}`,
    `# ${"# ".repeat(many / 2)}${x}`,
    "x".repeat(5 * many),
    "# x\n".repeat(many / 4),
    " \t\n".repeat(many / 3),
  ]) {
    const ms = processorMs(() => cutChunks("t", text));
    assert.ok(ms < 3_000, `${text.slice(0, 10)}: ${ms} ms`);
  }
});
