import assert from "node:assert/strict";
import { test } from "node:test";
import { opensAt, type Timing } from "../audience/send-times.ts";

const MINUTE = 60_000;
const DAY_MIN = 1_440;
const NONE: Timing = {
  scheduledAt: null,
  timeZone: "UTC",
  localTime: false,
  quietFrom: null,
  quietUntil: null,
};

/** Zones with clock changes: by half an hour, for Ramadan, at midnight, at the hours of both halves of the world. */
const ZONES = [
  "Australia/Lord_Howe",
  "Africa/Casablanca",
  "Africa/Cairo",
  "America/Santiago",
  "America/New_York",
  "Pacific/Chatham",
];

/** The minute of the day that the zone's clocks show, read from the formatted time. */
function reader(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (at) => {
    const [hour = "", minute = ""] = format.format(at).split(":");
    return Number(hour) * 60 + Number(minute);
  };
}

/** The minutes before which the clocks change, from noon to noon around it, as the clock shows them one by one. */
function changesOf(timeZone: string): { readonly start: number; readonly shown: number[] }[] {
  const shownAt = reader(timeZone);
  const changes = [];
  const first = Date.UTC(2026, 0, 1, 12);
  for (let start = first; start < Date.UTC(2027, 0, 1); start += DAY_MIN * MINUTE) {
    if (shownAt(start) === shownAt(start + DAY_MIN * MINUTE)) continue;
    const from = start - 12 * 60 * MINUTE;
    changes.push({ start: from, shown: minutesFrom(from, 3 * DAY_MIN, shownAt) });
  }
  return changes;
}

const minutesFrom = (start: number, count: number, shownAt: (at: number) => number): number[] =>
  Array.from({ length: count }, (_, n) => shownAt(start + n * MINUTE));

const quietAt = (minute: number, from: number, until: number): boolean =>
  from < until ? minute >= from && minute < until : minute >= from || minute < until;

for (const zone of ZONES)
  test(`quiet hours that end at a clock change in ${zone} end when a clock read every minute says so`, () => {
    const changes = changesOf(zone);
    assert.ok(changes.length >= 2, `${changes.length} changes`);
    for (const { start, shown } of changes) {
      const change = shown.findIndex(
        (minute, n) => n > 0 && minute !== ((shown[n - 1] ?? 0) + 1) % DAY_MIN,
      );
      const around = [shown[change - 1] ?? 0, shown[change] ?? 0];
      const edges = around.flatMap((minute) =>
        [-90, -45, -30, 0, 1, 30, 59, 60].map((by) => minute + by),
      );
      const windows = edges.flatMap((edge) => [
        [edge, edge + 360],
        [edge - 360, edge],
        [edge, edge + 25],
      ]);
      for (const window of windows) {
        const [quietFrom = 0, quietUntil = 0] = window.map((one) => (one + DAY_MIN) % DAY_MIN);
        // For each minute the first one from it on that is not quiet.
        const wanted: number[] = [];
        for (let n = shown.length - 1; n >= 0; n--)
          wanted[n] = quietAt(shown[n] ?? 0, quietFrom, quietUntil) ? (wanted[n + 1] ?? n) : n;
        for (let n = change - 480; n < change + 180; n += 29) {
          const now = new Date(start + n * MINUTE);
          const got =
            opensAt({ ...NONE, quietFrom, quietUntil }, zone, now)?.getTime() ?? now.getTime();
          const facts = `${now.toISOString()} ${quietFrom}-${quietUntil}`;
          assert.equal(
            new Date(got).toISOString(),
            new Date(start + (wanted[n] ?? 0) * MINUTE).toISOString(),
            facts,
          );
        }
      }
    }
  });
