import assert from "node:assert/strict";
import { test } from "node:test";
import { minuteOf, nextSpan, timeOf, withFrom, withTo } from "./hours-draft.ts";

test("a time of a field is a minute of the day, and an end that is not after the begin is the next day's", () => {
  assert.equal(timeOf(1_560), "02:00");
  assert.equal(minuteOf("09:30"), 570);
  assert.equal(minuteOf(""), null);
  assert.deepEqual(withTo({ from: 1_200, to: 1_300 }, 120), { from: 1_200, to: 1_560 });
  assert.deepEqual(withTo({ from: 0, to: 60 }, 0), { from: 0, to: 1_440 });
  assert.deepEqual(withFrom({ from: 1_200, to: 1_560 }, 60), { from: 60, to: 120 });
});

test("a further span begins an hour after the last one, within the day", () => {
  assert.deepEqual(nextSpan([]), { from: 540, to: 1_020 });
  assert.deepEqual(nextSpan([{ from: 540, to: 720 }]), { from: 780, to: 840 });
  assert.deepEqual(nextSpan([{ from: 1_200, to: 1_560 }]), { from: 1_380, to: 1_440 });
});
