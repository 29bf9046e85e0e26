import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { sql } from "./sql.ts";
import { parameterOf } from "./parameter.ts";

let t: TestApp;
before(async () => (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

// PostgreSQL refuses NUL, and half of a surrogate pair always becomes another character.
const word = fc
  .oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "NULL", "null", "{}", ",", '"', "\\", "a b", "x".repeat(80), "\u001f"),
  )
  .map((text) => text.replaceAll("\0", ""));

test("lists of any texts arrive unchanged, with their nulls", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(word)), async (list) => {
      const [row] = await t.app.db.query<{ list: string }>(
        sql`select to_json(${list}::text[]) as list`,
      );
      assert.deepEqual(row?.list, list);
    }),
    { numRuns: 200 },
  );
});

test("times arrive to the millisecond, from the year 1 to far ahead, alone and in lists", async () => {
  const times = [1, 1_582, 1_970, 2_026, 9_999, 10_000, 20_000].map((year) => {
    const time = new Date(Date.UTC(2_000, 1, 29, 23, 59, 58, 7));
    time.setUTCFullYear(year);
    return time;
  });
  for (const time of times) {
    const [row] = await t.app.db.query<{ alone: number; listed: number }>(sql`
      select (extract(epoch from ${time}::timestamptz) * 1000)::float8 as alone,
        (extract(epoch from (${[null, time]}::timestamptz[])[2]) * 1000)::float8 as listed`);
    assert.deepEqual(row, { alone: time.getTime(), listed: time.getTime() });
  }
});

test("numbers and booleans may stand in lists; other values are left to the driver", () => {
  assert.equal(parameterOf([1, -2.5, true, null]), "{1,-2.5,true,NULL}");
  const bytes = [Buffer.from("a")];
  assert.equal(parameterOf(bytes), bytes);
  assert.equal(parameterOf("text"), "text");
});
