import assert from "node:assert/strict";
import { test } from "node:test";
import { newcombe, wilson, zOf } from "./split-statistics.ts";

const close = (actual: number, expected: number, message: string) =>
  assert.ok(Math.abs(actual - expected) < 0.00006, `${message}: ${actual}, not ${expected}`);

// Newcombe, Statistics in Medicine 17 (1998): 857-872, method 3, and 873-890, method 10.
const wilsons = [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const;

const newcombes = [
  [[56, 70], [48, 80], 0.0524, 0.3339, true],
  [[9, 10], [3, 10], 0.1705, 0.809, true],
  [[10, 10], [0, 20], 0.6791, 1, true],
  [[5, 56], [0, 29], -0.0381, 0.1926, false],
] as const;

for (const [count, of, low, high] of wilsons)
  test(`the interval of ${count} of ${of} is the published one`, () => {
    const rate = wilson(count, of);
    close(rate.low, low, "low");
    close(rate.high, high, "high");
  });

for (const [a, b, low, high, clear] of newcombes)
  test(`the interval of ${a.join("/")} − ${b.join("/")} is the published one`, () => {
    const found = newcombe(a, b);
    close(found.low, low, "low");
    close(found.high, high, "high");
    assert.equal(found.clear, clear);
  });

test("nothing sent is no rate and no difference; more comparisons are wider", () => {
  assert.deepEqual(wilson(0, 0), { count: 0, of: 0, rate: 0, low: 0, high: 1 });
  const nothing = { difference: 0, low: -1, high: 1, clear: false };
  assert.deepEqual(newcombe([0, 0], [5, 10]), nothing);
  assert.deepEqual(newcombe([5, 10], [0, 0]), nothing);
  assert.ok(zOf(1) < zOf(2) && zOf(2) < zOf(9));
});
