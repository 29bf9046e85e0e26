import assert from "node:assert/strict";
import { test } from "node:test";
import { TestClock } from "../../test/harness.ts";
import { systemClock } from "./clock.ts";
import { createTurns } from "./turns.ts";

test("turns come at least the gap apart, however many ask at once", async () => {
  const turn = createTurns(systemClock, 30);
  const begun = performance.now();
  const at: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      await turn();
      at.push(performance.now());
    }),
  );
  // Counted from the beginning, because a busy machine may wake one of them late. Timers may be early by one.
  for (const [index, time] of at.entries()) assert.ok(time - begun >= index * 30 - 3);
});

test("a call after the gap does not wait", async () => {
  const clock = new TestClock();
  const turn = createTurns(clock, 3_600_000);
  await turn();
  clock.advance(3_600_000);
  await turn();
});
