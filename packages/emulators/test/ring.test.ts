import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMap, MOST_FILE_BYTES } from "../src/core/ring.ts";

test("the oldest are forgotten when there are too many, or when together they are too large", () => {
  const few = new BoundedMap<string, number>(2);
  for (const key of ["a", "b", "c"]) few.set(key, 1);
  assert.deepEqual([few.get("a"), few.get("b"), few.get("c"), few.size], [undefined, 1, 1, 2]);

  const third = MOST_FILE_BYTES / 3;
  const heavy = new BoundedMap<string, number>(100, (bytes) => bytes);
  for (const key of ["a", "b", "c"]) heavy.set(key, third);
  assert.equal(heavy.size, 3);
  heavy.set("b", third);
  assert.equal(heavy.size, 3, "the same again weighs once");
  heavy.delete("c");
  heavy.set("d", third);
  assert.equal(heavy.size, 3);
  heavy.set("e", 1);
  assert.deepEqual([heavy.get("a"), heavy.size], [undefined, 3]);
  heavy.set("huge", MOST_FILE_BYTES * 2);
  assert.deepEqual(heavy.values(), [MOST_FILE_BYTES * 2], "the newest stays whatever it weighs");
});
