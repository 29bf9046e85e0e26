import assert from "node:assert/strict";
import { test } from "node:test";
import { shortName } from "./short-name.ts";

test("a long name keeps as many of its first words as fit, and at least its beginning", () => {
  assert.equal(shortName("Sara Al-Mutairi"), "Sara Al-Mutairi");
  assert.equal(
    shortName("عبدالعزيز بن عبدالرحمن بن عبدالمحسن الفوزان التميمي"),
    "عبدالعزيز بن عبدالرحمن",
  );
  assert.equal(shortName("Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), "Aaaaaaaaaaaaaaaaaaaaaaaa");
});
