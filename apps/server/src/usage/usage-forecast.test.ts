import assert from "node:assert/strict";
import { test } from "node:test";
import { forecastUsage } from "./usage-forecast.ts";

const month = {
  monthStart: new Date("2026-11-01T00:00:00Z"),
  monthEnd: new Date("2026-12-01T00:00:00Z"),
};
const daily = new Map(
  Array.from({ length: 30 }, (_, index) => [
    `2026-11-${String(index + 1).padStart(2, "0")}`,
    index < 10 ? 1_000 : 100,
  ]),
);

test("the pace is that of the last seven whole days, and shows on which day the allowance ends", () => {
  const now = new Date("2026-11-21T00:00:00Z");
  assert.deepEqual(forecastUsage(daily, { ...month, used: 11_000, limit: 11_500, now }), {
    messages: 12_000,
    perDay: 100,
    days: 7,
    limitOn: "2026-11-26",
  });
  const enough = forecastUsage(daily, { ...month, used: 11_000, limit: 50_000, now });
  assert.equal(enough.limitOn, null);
});

test("a young month has fewer days and its first day at least an hour; without messages there is no forecast", () => {
  const third = new Date("2026-11-03T12:00:00Z");
  assert.equal(forecastUsage(daily, { ...month, used: 2_500, limit: null, now: third }).days, 2);
  const first = new Date("2026-11-01T00:01:00Z");
  const one = new Map([["2026-11-01", 1]]);
  const begun = forecastUsage(one, { ...month, used: 1, limit: 500, now: first });
  assert.deepEqual([begun.days, begun.perDay], [0, 24]);
  const none = forecastUsage(new Map(), { ...month, used: 0, limit: 0, now: first });
  assert.deepEqual([none.messages, none.limitOn], [0, null]);
});
