import assert from "node:assert/strict";
import { test } from "node:test";
import { fileFault, isPicture } from "../src/files.ts";

test("a file is refused for its size or type before a byte is sent", () => {
  const settings = { maxFileBytes: 100, fileTypes: ["image/*", "application/pdf", ".csv"] };
  const cases: [string, string, number, string | null][] = [
    ["a.png", "image/png", 100, null],
    ["a.png", "image/png", 101, "too-large"],
    ["a.png", "image/png", 0, "empty"],
    ["a.pdf", "application/pdf", 1, null],
    ["A.CSV", "", 1, null],
    ["a.txt", "text/plain;charset=utf-8", 1, "wrong-type"],
    ["a.exe", "", 1, "wrong-type"],
    ["a", "imagex/png", 1, "wrong-type"],
  ];
  for (const [name, type, size, fault] of cases)
    assert.equal(fileFault({ name, type, size }, settings), fault, name);
  assert.equal(
    fileFault({ name: "a", type: "", size: 1 }, { maxFileBytes: 9, fileTypes: [] }),
    null,
  );
});

test("an SVG is no picture to show: it can carry a script", () => {
  assert.equal(isPicture("image/svg+xml"), false);
  assert.equal(isPicture("image/PNG; q=1"), true);
  assert.equal(isPicture(null), false);
});
