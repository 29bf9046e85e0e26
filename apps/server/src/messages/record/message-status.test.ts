import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";
import { applyReport, byTime, mayMove, type Progress } from "./message-status.ts";

const WORDS = ["sent", "delivered", "read", "failed"] as const;

const START: Progress = {
  status: "sent",
  errorCode: null,
  errorMessage: null,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
};
test("the table of moves allows exactly these moves", () => {
  const allowed = WORDS.flatMap((from) =>
    WORDS.filter((to) => mayMove(from, "131026", to)).map((to) => `${from}>${to}`),
  );
  assert.deepEqual(allowed, [
    "sent>delivered",
    "sent>read",
    "sent>failed",
    "delivered>read",
    "delivered>failed",
    "failed>delivered",
    "failed>read",
  ]);
  assert.deepEqual(
    WORDS.filter((to) => mayMove("failed", OUTCOME_UNKNOWN, to)),
    ["sent", "delivered", "read"],
  );
});

const report = fc.record({
  status: fc.constantFrom(...WORDS),
  at: fc.integer({ min: 0, max: 5 }).map((second) => new Date(second * 1000)),
  errorCode: fc.constant("131026"),
  errorMessage: fc.constant(null),
});

test("giving up on a message changes nothing once there is evidence of it", () => {
  const giveUp = {
    status: "failed",
    at: new Date(9000),
    errorCode: OUTCOME_UNKNOWN,
    errorMessage: null,
  } as const;
  assert.equal(applyReport(START, giveUp).moved, true);
  for (const status of WORDS) {
    const row = { ...START, status, sentAt: new Date(0) };
    assert.equal(applyReport(row, giveUp).moved, false, status);
  }
});

test("in any order of reports: read is final, read and delivered have their times, failed has its code", () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 12 }), (reports) => {
      let row = START;
      let seenRead = false;
      for (const one of reports) {
        const step = applyReport(row, one);
        assert.equal(step.moved, step.row.status !== row.status);
        seenRead ||= one.status === "read";
        row = step.row;
        if (seenRead) assert.equal(row.status, "read");
        if (row.status === "read") assert.ok(row.readAt);
        if (row.status === "read" || row.status === "delivered")
          assert.ok(row.deliveredAt && row.sentAt);
        assert.equal(row.errorCode, row.status === "failed" ? "131026" : null);
        assert.deepEqual(applyReport(row, one).moved, false, "a repeated report moves nothing");
      }
    }),
  );
});

test("a failure from before the delivery changes nothing when it comes after it, as when both come in order", () => {
  const word = (status: "delivered" | "failed", second: number) => ({
    status,
    at: new Date(second * 1000),
    errorCode: status === "failed" ? "131026" : null,
    errorMessage: null,
  });
  const end = (...reports: readonly ReturnType<typeof word>[]) =>
    reports.reduce((row, one) => applyReport(row, one).row, START).status;
  // Platforms tell whole seconds: of the same second, the proof of delivery counts.
  for (const second of [4, 5]) {
    assert.equal(end(word("failed", second), word("delivered", 5)), "delivered");
    assert.equal(end(word("delivered", 5), word("failed", second)), "delivered");
  }
  assert.equal(end(word("delivered", 5), word("failed", 6)), "failed");
});

test("reports that arrive together give the same result in any order", () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(report, { selector: (one) => one.status })
        .chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
      ([one, other]) => {
        const end = (list: typeof one) =>
          list.toSorted(byTime).reduce((row, next) => applyReport(row, next).row, START);
        assert.deepEqual(end(one), end(other));
      },
    ),
  );
});
