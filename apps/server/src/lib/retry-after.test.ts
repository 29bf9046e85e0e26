import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterOf } from "./retry-after.ts";

const DATE = "Mon, 30 Nov 2026 10:00:00 GMT";
const DAY_MS = 86_400_000;

const ANSWERS: readonly (readonly [string | undefined, string | undefined, number | null])[] = [
  ["3", undefined, 3_000],
  [" 3 ", DATE, 3_000],
  ["0.5", undefined, 500],
  ["Mon, 30 Nov 2026 10:02:00 GMT", DATE, 120_000],
  ["Monday, 30-Nov-26 10:02:00 GMT", DATE, 120_000],
  // Longer than any wait that is kept.
  ["99999999999", undefined, DAY_MS],
  ["Fri, 30 Nov 2029 10:00:00 GMT", DATE, DAY_MS],
  // No wait.
  ["0", undefined, null],
  ["-5", undefined, null],
  ["Mon, 30 Nov 2026 09:59:00 GMT", DATE, null],
  // It says nothing.
  ["Mon, 30 Nov 2026 10:02:00 GMT", undefined, null],
  ["1e400", undefined, null],
  ["soon", DATE, null],
  ["", DATE, null],
  [undefined, DATE, null],
];
for (const [given, date, wait] of ANSWERS)
  test(`Retry-After ${given} in an answer of ${date} asks for ${wait} ms`, () => {
    const headers = {
      ...(given !== undefined && { "retry-after": given }),
      ...(date !== undefined && { date }),
    };
    assert.equal(retryAfterOf({ headers }), wait);
  });
