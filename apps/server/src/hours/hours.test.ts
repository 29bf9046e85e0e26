import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG } from "../../test/group.ts";
import { WEEKDAYS, type Span, type Week } from "../wire/hours.ts";
import { dueAt, isOpen, nextClosing, nextOpening, openMs, type Hours } from "./hours.ts";
import { nextRamadan } from "./ramadan.ts";

// The rules beside a walk by minutes, whose instants are found by Temporal and not by us.

const ZONES = [
  "UTC",
  "Asia/Kuwait",
  "Asia/Riyadh",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Amman",
  "Asia/Gaza",
  "Asia/Beirut",
  "Asia/Tehran",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Europe/Berlin",
  "Europe/London",
  "America/New_York",
  "America/Sao_Paulo",
  "America/St_Johns",
  "America/Havana",
  "Australia/Lord_Howe",
  "Australia/Adelaide",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Antarctica/Troll",
];
const MINUTE = 60_000;
const DAYS = 12;
const MINUTES = DAYS * 1_440;
const QUESTIONS = 50;
const WORLDS = LONG ? 2_000 : 60;

/** Numbers from a seed (mulberry32), so that a failure can be repeated. */
function dice(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, chance: (share: number) => next() < share };
}
type Dice = ReturnType<typeof dice>;

function someSpans({ below, chance }: Dice): Span[] {
  return Array.from({ length: chance(0.2) ? 0 : 1 + below(3) }, () => {
    const from = chance(0.5) ? below(24) * 60 : below(1_440);
    return { from, to: Math.min(1_680, from + 1 + below(chance(0.3) ? 1_680 : 400)) };
  });
}

function someWeek(die: Dice): Week {
  const spans = () => someSpans(die);
  return {
    monday: spans(),
    tuesday: spans(),
    wednesday: spans(),
    thursday: spans(),
    friday: spans(),
    saturday: spans(),
    sunday: spans(),
  };
}

/** A moment of the years 2010 to 2030; often within a few days of a change of clocks. */
function someMoment(die: Dice, zone: string): number {
  const at = Date.UTC(2010 + die.below(20), die.below(12), 1 + die.below(28));
  if (zone === "Pacific/Apia" && die.chance(0.5)) return Date.UTC(2011, 11, 24);
  const change = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .getTimeZoneTransition("next");
  if (!change || die.chance(0.3)) return at;
  return Math.floor(change.epochMilliseconds / MINUTE) * MINUTE - die.below(8) * 1_440 * MINUTE;
}

/** Whether each minute from `start` is open: every span of every day is walked. */
function walk({ zone, week, periods, days }: Hours, start: number): Uint8Array {
  const open = new Uint8Array(MINUTES);
  const first = Temporal.Instant.fromEpochMilliseconds(start)
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  for (let n = -4; n <= DAYS + 2; n++) {
    const date = first.add({ days: n });
    const text = date.toString();
    const weekday = WEEKDAYS[date.dayOfWeek - 1] ?? "monday";
    const own = days.find((day) => day.date === text)?.spans;
    const period = periods.find(({ from, to }) => from <= text && text <= to);
    for (const { from, to } of own ?? (period?.week ?? week)[weekday]) {
      const instant = (minutes: number) =>
        date.toPlainDateTime().add({ minutes }).toZonedDateTime(zone).epochMilliseconds;
      const end = (instant(to) - start) / MINUTE;
      for (let m = Math.max(0, (instant(from) - start) / MINUTE); m < Math.min(end, MINUTES); m++)
        open[m] = 1;
    }
  }
  return open;
}

function world(seed: number): {
  readonly hours: Hours;
  readonly start: number;
  readonly die: Dice;
} {
  const die = dice(seed);
  const zone = ZONES[seed % ZONES.length] ?? "UTC";
  const start = someMoment(die, zone);
  const date = (n: number) => new Date(start + n * 1_440 * MINUTE).toISOString().slice(0, 10);
  const from = die.below(8);
  return {
    start,
    die,
    hours: {
      zone,
      week: someWeek(die),
      periods: die.chance(0.5)
        ? [{ name: "", from: date(from), to: date(from + die.below(5)), week: someWeek(die) }]
        : [],
      days: [1, 4, 7]
        .filter(() => die.chance(0.4))
        .map((n) => ({ date: date(n), name: "", spans: someSpans(die) })),
    },
  };
}

test(`hours equal a walk by minutes, ${WORLDS * QUESTIONS} cases in ${ZONES.length} zones`, () => {
  let differ = 0;
  const check = (seed: number, what: string, is: unknown, expected: unknown) => {
    if (is === expected) return;
    differ++;
    assert.ok(
      differ > 0 && differ <= 5,
      `${what} of world ${seed}: ${String(is)}, not ${String(expected)}`,
    );
  };
  for (let seed = 1; seed <= WORLDS; seed++) {
    const { hours, start, die } = world(seed);
    const open = walk(hours, start);
    const found = (from: number, is: number) => {
      const m = open.indexOf(is, from);
      return m < 0 ? null : start + m * MINUTE;
    };
    const within = (at: number | null) =>
      at === null || at >= start + MINUTES * MINUTE ? null : at;
    for (let question = 0; question < QUESTIONS; question++) {
      const a = die.below(MINUTES);
      const b = a + die.below(MINUTES - a);
      const at = start + a * MINUTE;
      const sum = open.subarray(a, b).reduce((all, minute) => all + minute, 0);
      check(seed, "isOpen", isOpen(hours, at + die.below(MINUTE)), open[a] === 1);
      check(seed, "openMs", openMs(hours, at, start + b * MINUTE), sum * MINUTE);
      check(seed, "nextOpening", within(nextOpening(hours, at)), found(a, 1));
      if (open[a] === 1) check(seed, "nextClosing", within(nextClosing(hours, at)), found(a, 0));
      const wanted = 1 + die.below(600);
      let left = wanted;
      let due: number | null = null;
      for (let m = a; m < MINUTES && due === null; m++)
        if (open[m] === 1 && --left === 0) due = start + (m + 1) * MINUTE;
      // What is due at the very end of the walk is beyond it for both.
      check(seed, "dueAt", within(dueAt(hours, at, wanted * MINUTE)), within(due));
    }
  }
  assert.equal(differ, 0);
});

const CLOSED: Week = {
  monday: [],
  tuesday: [],
  wednesday: [],
  thursday: [],
  friday: [],
  saturday: [],
  sunday: [],
};
const never: Hours = { zone: "Asia/Kuwait", week: CLOSED, periods: [], days: [] };
const at = (text: string) => Date.parse(text);

test("hours that never open have no opening and no due time", () => {
  const now = at("2026-11-29T10:00:00Z");
  assert.equal(nextOpening(never, now), null);
  assert.equal(nextClosing(never, now), null);
  assert.equal(dueAt(never, now, 1), null);
  assert.equal(dueAt(never, now, 0), now);
  assert.equal(openMs(never, now, now - 1), 0);
});

test("hours that never close have no closing, and their time is the clock's", () => {
  const spans = [{ from: 0, to: 1_440 }];
  const week = { ...CLOSED };
  for (const day of WEEKDAYS) week[day] = spans;
  const always = { ...never, week };
  const now = at("2026-11-29T10:00:00Z");
  assert.equal(nextClosing(always, now), null);
  assert.equal(dueAt(always, now, 100 * 3_600_000), now + 100 * 3_600_000);
});

test("a night counts to the day on which it began: a holiday does not cut it, and its own night is left out", () => {
  const night = [{ from: 1_200, to: 1_560 }];
  const hours: Hours = {
    ...never,
    week: { ...CLOSED, thursday: night, friday: night },
    days: [{ date: "2026-12-04", name: "Holiday", spans: [] }],
  };
  // Friday, 4 December 2026, 01:00 in Kuwait: Thursday's night. 23:00: Friday's own, closed.
  assert.equal(isOpen(hours, at("2026-12-03T22:00:00Z")), true);
  assert.equal(isOpen(hours, at("2026-12-04T20:00:00Z")), false);
  assert.equal(nextClosing(hours, at("2026-12-03T22:00:00Z")), at("2026-12-03T23:00:00Z"));
});

test("the proposal of Ramadan is the next one that has not ended", () => {
  const of2027 = { from: "2027-02-08", to: "2027-03-08" };
  assert.deepEqual(nextRamadan("2026-11-29"), of2027);
  assert.deepEqual(nextRamadan("2027-03-08"), of2027);
  assert.equal(nextRamadan("2027-03-09").from.slice(0, 4), "2028");
});
