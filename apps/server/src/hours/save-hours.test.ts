import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../actor.ts";
import { AppError } from "../errors.ts";
import { hoursInputExample } from "../wire/hours.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { readHours } from "./read-hours.ts";
import { saveHours } from "./save-hours.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

test("a workspace without hours is always open, in its own zone; each saving raises the version", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "Acme" });
  const before = await readHours(t.app.db, id);
  assert.deepEqual(
    [before.version, before.zone, before.week.friday],
    [0, "UTC", [{ from: 0, to: 1_440 }]],
  );
  const save = () => saveHours(OPERATOR, t.app, id, hoursInputExample);
  assert.equal((await save()).version, 1);
  assert.equal((await save()).version, 2);
  const saved = await readHours(t.app.db, id);
  assert.deepEqual([saved.version, saved.zone, saved.week.friday], [2, "Asia/Kuwait", []]);
  const own = await saveHours(OPERATOR, t.app, id, { ...hoursInputExample, timeZone: null });
  assert.equal(own.zone, "UTC");
});

const week = hoursInputExample.week;
const period = { name: "", from: "2027-02-08", to: "2027-03-08", week };
const faults: readonly (readonly [object, string])[] = [
  [{ week: { ...week, monday: [{ from: 600, to: 600 }] } }, "week.monday.0.to"],
  [
    {
      week: {
        ...week,
        monday: [
          { from: 0, to: 60 },
          { from: 59, to: 90 },
        ],
      },
    },
    "week.monday.1.from",
  ],
  [{ periods: [{ ...period, to: "2027-02-07" }] }, "periods.0.to"],
  [{ periods: [period, { ...period, from: "2027-03-08", to: "2027-03-10" }] }, "periods.1"],
  [{ periods: [{ ...period, from: "2027-02-30" }] }, "periods.0.from"],
  [{ days: [...hoursInputExample.days, ...hoursInputExample.days] }, "days.1.date"],
  [
    { days: [{ date: "2027-01-01", name: "", spans: [{ from: 9, to: 1_700 }] }] },
    "days.0.spans.0.to",
  ],
  [{ timeZone: "Mars/Base" }, "timeZone"],
];

test("hours with a fault are refused with its place", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "Faults" });
  for (const [change, path] of faults)
    await assert.rejects(
      saveHours(OPERATOR, t.app, id, { ...hoursInputExample, ...change }),
      (error) => error instanceof AppError && error.facts.details?.[0]?.path === path,
      path,
    );
  assert.equal((await readHours(t.app.db, id)).version, 0);
});
