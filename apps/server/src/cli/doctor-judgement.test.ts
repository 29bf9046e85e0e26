import assert from "node:assert/strict";
import { test } from "node:test";
import { backupWarning, clockWarning, workerFault } from "./doctor-judgement.ts";

test("doctor says when processes run and none of them works", () => {
  assert.equal(workerFault([]), null);
  assert.equal(workerFault([{ role: "all" }]), null);
  assert.equal(workerFault([{ role: "api" }, { role: "worker" }]), null);
  assert.match(workerFault([{ role: "api" }, { role: "api" }]) ?? "", /PARLEY_ROLE=worker/);
});

test("doctor says when the clock is off, and in which direction", () => {
  assert.equal(clockWarning(5_000), null);
  assert.match(clockWarning(-3_600_000) ?? "", /3600 s ahead of PostgreSQL's/);
  assert.match(clockWarning(6_000) ?? "", /6 s behind PostgreSQL's/);
});

test("doctor says when the last backup is old, not when there never was one", () => {
  const now = new Date("2026-11-30T12:00:00Z");
  assert.equal(backupWarning(null, now), null);
  assert.equal(backupWarning(new Date("2026-11-29T00:00:00Z"), now), null);
  assert.match(backupWarning(new Date("2026-11-26T12:00:00Z"), now) ?? "", /96 hours ago/);
});
