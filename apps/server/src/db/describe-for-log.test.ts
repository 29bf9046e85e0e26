import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { describeForLog, describeInLine } from "./describe-for-log.ts";

const ofDatabase = (code: string, words: string) =>
  Object.assign(new pg.DatabaseError(words, 0, "error"), { code });
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};
/** The described facts without the place. */
const factsOf = (error: unknown) => {
  const { at: _, ...facts } = describeForLog(error);
  return facts;
};

test("what a database or a parser quotes appears nowhere, not in a cause and not in a place", () => {
  const secret = "my PIN is 4711\n    at home (4711.ts:47:11)\n    at 4711:1:1";
  const quoting = [
    ofDatabase("22P02", `invalid input value for enum a: "${secret}"`),
    ofDatabase("42601", `syntax error in tsquery: "${secret}"`),
    ofDatabase("23514", `new row violates "${secret}"`),
    thrownBy(() => JSON.parse(`{"text": ${secret}}`)),
  ];
  for (const error of [
    ...quoting,
    new AggregateError(quoting, "several"),
    new Error("a batch broke", { cause: new Error("deeper", { cause: quoting[0] }) }),
    secret,
  ])
    for (const told of [JSON.stringify(describeForLog(error)), describeInLine(error)])
      assert.doesNotMatch(told, /4711/);
  assert.match(String(describeForLog(quoting[0])["at"]), /describe-for-log\.test\.ts:\d+:\d+/);
});

test("what the database says about itself is described, and so are the causes of a failed call", () => {
  const full = 'could not extend file "base/5/1": No space left on device';
  assert.deepEqual(factsOf(ofDatabase("53100", full)), {
    error: "error",
    code: "53100",
    reason: full,
    outage: true,
  });
  const refused = (port: number) =>
    Object.assign(new Error(`connect ECONNREFUSED ::1:${port}`), { code: "ECONNREFUSED" });
  const all = new AggregateError([refused(1), refused(2)]);
  assert.deepEqual(factsOf(new Error("Redis is away", { cause: all })), {
    error: "Error",
    reason: "Redis is away",
    causes: [
      {
        error: "AggregateError",
        reason: "",
        causes: [
          { error: "Error", code: "ECONNREFUSED", reason: "connect ECONNREFUSED ::1:1" },
          { error: "Error", code: "ECONNREFUSED", reason: "connect ECONNREFUSED ::1:2" },
        ],
      },
    ],
  });
  assert.equal(
    describeInLine(new Error("a\0b", { cause: ofDatabase("23505", "x") })),
    "Error: ab: error (23505)",
  );
});

test("an error is described that is too long, contains itself, or is no error", () => {
  const circle = new Error("x".repeat(100_000));
  circle.cause = circle;
  const wide = new AggregateError(
    Array.from({ length: 1_000 }, () => new Error("y".repeat(1_000))),
  );
  for (const error of [circle, wide]) {
    assert.ok(JSON.stringify(describeForLog(error)).length < 6_000);
    assert.ok(describeInLine(error).length <= 500);
  }
  const bare = Object.assign(new Error("without a stack"), { stack: undefined });
  assert.deepEqual(describeForLog(bare), { error: "Error", reason: "without a stack", at: [] });
  for (const none of [undefined, null, 7, {}, Symbol("s")])
    assert.deepEqual(describeForLog(none), { error: typeof none });
});
