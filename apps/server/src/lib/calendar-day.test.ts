import assert from "node:assert/strict";
import { test } from "node:test";
import { isCalendarDay } from "./calendar-day.ts";

test("a day that the calendar does not have is none, and nothing else is a day", () => {
  for (const day of ["2027-02-28", "2028-02-29", "2026-12-31", "0001-01-01"])
    assert.ok(isCalendarDay(day), day);
  for (const text of [
    "2027-02-29",
    "2027-02-30",
    "2027-04-31",
    "2027-13-01",
    "2027-00-10",
    "",
    "2027-2-8",
    "2027-02-08T10:00:00Z",
    "x",
  ])
    assert.ok(!isCalendarDay(text), text);
});
