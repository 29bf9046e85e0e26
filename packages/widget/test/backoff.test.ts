import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffMs, retryAfterMs } from "../src/backoff.ts";

test("pauses double from a second to half a minute, half of each by chance", () => {
  const bounds = [1, 2, 3, 4, 5, 6, 60, 5_000].map((attempt) => [
    backoffMs(attempt, 0),
    backoffMs(attempt, 1),
  ]);
  assert.deepEqual(bounds, [
    [500, 1_000],
    [1_000, 2_000],
    [2_000, 4_000],
    [4_000, 8_000],
    [8_000, 16_000],
    [15_000, 30_000],
    [15_000, 30_000],
    [15_000, 30_000],
  ]);
});

test("Retry-After is read as seconds or as a date, never believed beyond five minutes; one that is over says nothing", () => {
  const now = Date.parse("2026-03-01T10:00:00Z");
  const cases: [string | null, number | null][] = [
    [null, null],
    ["", null],
    ["soon", null],
    ["0", null],
    ["-5", null],
    ["7", 7_000],
    ["86400", 300_000],
    ["Sun, 01 Mar 2026 10:00:20 GMT", 20_000],
    ["Sun, 01 Mar 2026 09:00:00 GMT", null],
  ];
  for (const [header, ms] of cases) assert.equal(retryAfterMs(header, now), ms, String(header));
});
