import assert from "node:assert/strict";
import { test } from "node:test";
import { createGate } from "./gate.ts";

test("a gate runs so many at once, lets so many wait in order, and refuses the next one at once", async () => {
  const gate = createGate({ atOnce: 2, waiting: 2, retryAfterSeconds: 3 });
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const runs = ends.map(({ promise }, n) =>
    gate.run(() => {
      begun.push(n);
      return promise;
    }),
  );
  await assert.rejects(
    gate.run(() => Promise.resolve()),
    { code: "OVERLOADED", facts: { retryAfterSeconds: 3 } },
  );
  assert.deepEqual([begun, gate.asked], [[0, 1], 5]);
  // A place becomes free after a failure too.
  ends[1]?.reject(new Error("failed"));
  await assert.rejects(runs[1] ?? Promise.resolve(), /failed/);
  assert.deepEqual(begun, [0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all([runs[0], runs[2], runs[3]]);
  assert.deepEqual(begun, [0, 1, 2, 3]);
  assert.equal(await gate.run(() => Promise.resolve("free again")), "free again");
});
