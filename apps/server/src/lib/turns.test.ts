import assert from "node:assert/strict";
import { test } from "node:test";
import { TestClock } from "../../test/harness.ts";
import { systemClock } from "./clock.ts";
import { createTurns } from "./turns.ts";

test("turns come at least the gap apart, however many ask at once", async () => {
  const turn = createTurns(systemClock, 30);
  const at: number[] = [];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      await turn();
      at.push(performance.now());
    }),
  );
  // Timers may fire a millisecond early.
  for (const [index, time] of at.slice(1).entries()) assert.ok(time - (at[index] ?? 0) >= 27);
});

test("who comes after the gap waits for nothing", async () => {
  const clock = new TestClock();
  const turn = createTurns(clock, 3_600_000);
  await turn();
  clock.advance(3_600_000);
  await turn();
});
