import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DISABLE_AFTER, judgeDelivery, judgeEndpoint, RESTS_MS } from "./delivery-policy.ts";
import { nextAttempt, RETRY_GAPS_MS } from "./retry-schedule.ts";

const at = new Date("2026-11-21T10:00:00.000Z");

test("eight gaps, each longer than the one before, four hours in all", () => {
  assert.equal(RETRY_GAPS_MS.length, 8);
  assert.equal(
    RETRY_GAPS_MS.reduce((sum, gap) => sum + gap, 0),
    4 * 60 * 60 * 1_000,
  );
});

test("each gap lies within ten percent, and they always grow", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
      (dice) => {
        const gaps = dice.map((die, index) => {
          const next = nextAttempt(index + 1, at, () => die);
          return (next?.getTime() ?? 0) - at.getTime();
        });
        return gaps.every((gap, index) => {
          const promised = RETRY_GAPS_MS[index] ?? 0;
          const within = gap >= promised * 0.9 - 1 && gap <= promised * 1.1 + 1;
          return within && gap > (gaps[index - 1] ?? 0);
        });
      },
    ),
  );
  assert.equal(
    nextAttempt(9, at, () => 0.5),
    null,
  );
});

const cases: [status: number | null, failuresBefore: number, verdict: string][] = [
  [200, 0, "delivered"],
  [204, 8, "delivered"],
  [299, 3, "delivered"],
  [199, 0, "again"],
  [300, 0, "again"],
  [302, 0, "again"],
  [410, 0, "again"],
  [429, 0, "again"],
  [500, 7, "again"],
  [500, 8, "exhausted"],
  [null, 0, "again"],
  [null, 8, "exhausted"],
];
test("any 2xx acknowledges; after any other answer, or none, there are eight more tries", () => {
  for (const [statusCode, before, verdict] of cases) {
    const attempt = {
      attemptedAt: at,
      statusCode,
      failure: statusCode === null ? "timeout" : null,
    };
    assert.equal(
      judgeDelivery(attempt, before, () => 0.5).kind,
      verdict,
      `${statusCode} ${before}`,
    );
  }
});

test("an endpoint rests one second after each of five failures, then twice as long each time, up to two minutes", () => {
  const seconds = RESTS_MS.map((ms) => ms / 1_000);
  assert.deepEqual(seconds.slice(0, 12), [1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 64, 120]);
  assert.deepEqual(new Set(seconds.slice(12)), new Set([120]));
  assert.equal(seconds.length, DISABLE_AFTER - 1);
});

test("admins are warned at ten and fifteen failures, and exactly the twentieth disables", () => {
  const verdicts = Array.from({ length: DISABLE_AFTER }, (_, index) =>
    judgeEndpoint(index, index + 1),
  );
  assert.deepEqual(
    verdicts.flatMap((one, index) => (one.disable ? [index + 1] : [])),
    [20],
  );
  assert.deepEqual(
    verdicts.flatMap((one, index) => (one.warnAt === null ? [] : [[index + 1, one.warnAt]])),
    [
      [10, 10],
      [15, 15],
    ],
  );
  assert.deepEqual(judgeEndpoint(9, 16), { disable: false, warnAt: 15 });
});
