import assert from "node:assert/strict";
import { test } from "node:test";
import { planForgetter } from "./database.ts";

test("a connection's plans are made anew soon after it began, then less and less often, at last twice a minute", () => {
  let now = 0;
  const forget = planForgetter(() => now);
  const connection = {};
  const anew: number[] = [];
  for (; now <= 120_000; now += 250) if (forget.isDue(connection)) anew.push(now);
  assert.deepEqual(anew, [500, 1_500, 3_500, 7_500, 15_500, 31_500, 61_500, 91_500]);
  assert.equal(forget.isDue({}), false);
});
