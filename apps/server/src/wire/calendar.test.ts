import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY, MOMENT } from "./calendar.ts";

const DAY_MS = 86_400_000;

test("the pattern of a day takes the days of the calendar and no others", () => {
  const day = new RegExp(`^${DAY}$`);
  const known = new Set<string>();
  const years = [
    1896, 1899, 1900, 1904, 1999, 2000, 2001, 2026, 2027, 2028, 2100, 2396, 2400, 9996,
  ];
  for (const year of years)
    for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += DAY_MS)
      known.add(new Date(at).toISOString().slice(0, 10));
  const two = (n: number) => String(n).padStart(2, "0");
  for (const year of years)
    for (let month = 0; month <= 13; month++)
      for (const date of [0, 1, 9, 10, 19, 20, 28, 29, 30, 31, 32]) {
        const text = `${year}-${two(month)}-${two(date)}`;
        assert.equal(day.test(text), known.has(text), text);
      }
  for (const text of ["0999-01-01", "10000-01-01", "2027-1-1", "2027-01-01 ", "٢٠٢٧-01-01"])
    assert.equal(day.test(text), false, text);
});

test("the pattern of a moment wants a time that a clock shows, and a zone", () => {
  const moment = new RegExp(MOMENT);
  for (const text of [
    "2027-03-14T02:30Z",
    "2028-02-29T23:59:59.123456789+14:00",
    "9999-12-31T00:00:00-00:30",
  ])
    assert.ok(moment.test(text), text);
  for (const text of [
    "2027-02-29T10:00:00Z",
    "2027-04-31T10:00:00Z",
    "2027-01-01T24:00:00Z",
    "2027-01-01T10:60:00Z",
    "2027-01-01T10:00:60Z",
    "2027-01-01T10:00:00",
    "2027-01-01T10:00:00+24:00",
  ])
    assert.ok(!moment.test(text), text);
});
