import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { buildApp } from "../app.ts";
import { unhindered } from "../lib/background.fixture.ts";
import { aheadOf, DatabaseClock } from "./database-clock.ts";
import type { Queryable } from "./database.ts";

const MINUTE = 60_000;

/** A machine and a PostgreSQL, with clocks that a test sets. Time passes for both. */
class Machines {
  own = Date.parse("2026-11-22T10:00:00Z");
  theirs = this.own;
  passed = 5_000;
  /** How long PostgreSQL takes to answer; null: it never does. */
  answerMs: number | null = 0;
  asked = 0;
  readonly told: object[] = [];
  readonly db: Queryable = {
    query: async () => {
      this.asked++;
      if (this.answerMs === null) throw new Error("away");
      this.pass(this.answerMs / 2);
      const ms = this.theirs;
      this.pass(this.answerMs / 2);
      return [{ ms }] as never[];
    },
  };

  pass(ms: number): void {
    this.own += ms;
    this.theirs += ms;
    this.passed += ms;
  }

  open(): Promise<DatabaseClock> {
    const log = { warn: (facts: object) => void this.told.push(facts) };
    return DatabaseClock.open({
      db: this.db,
      log,
      own: () => this.own,
      passed: () => this.passed,
    });
  }
}

test("a machine with a wrong clock uses PostgreSQL's time, warns once, and uses its own again when that is right", async () => {
  const m = new Machines();
  m.own += 10 * MINUTE;
  m.answerMs = 40;
  const clock = await m.open();
  assert.equal(clock.now().getTime(), m.theirs);
  m.pass(9_000);
  assert.equal(clock.now().getTime(), m.theirs);
  await clock.look();
  assert.deepEqual(m.told, [{ seconds: 600 }]);
  m.own -= 10 * MINUTE - 900;
  await clock.look();
  assert.equal(clock.now().getTime(), m.own, "less than a second off");
  await clock.close();
});

test("it is noticed at once when one of the two clocks is set", async () => {
  const m = new Machines();
  const clock = await m.open();
  m.pass(2_000);
  m.own -= 60 * MINUTE;
  assert.equal(clock.now().getTime(), m.theirs);
  assert.equal(clock.now().getTime(), m.theirs);
  await clock.look();
  assert.equal(m.asked, 2, "one look for both");
  assert.equal(clock.now().getTime(), m.theirs);

  // When PostgreSQL runs on another machine, a jump of its clock is known after the next look. On this machine the
  // clock is the same, and the jump is known at once.
  m.pass(2_000);
  m.own += 120 * MINUTE;
  m.theirs += 60 * MINUTE;
  clock.now();
  await clock.look();
  assert.equal(clock.now().getTime(), m.own);
  assert.equal(m.asked, 3);
  await clock.close();
});

test("while PostgreSQL is away or slow nothing changes, and it is not asked with every request", async () => {
  const m = new Machines();
  m.own += MINUTE;
  m.answerMs = null;
  const clock = await m.open();
  assert.equal(clock.now().getTime(), m.own, "nothing else is known");
  m.answerMs = 3_000;
  await clock.look();
  assert.equal(clock.now().getTime(), m.own, "an answer after three seconds says nothing");
  m.answerMs = 0;
  await clock.look();
  assert.equal(clock.now().getTime(), m.theirs);
  m.answerMs = null;
  m.pass(2_000);
  m.own += MINUTE;
  const { asked } = m;
  for (let turn = 0; turn < 5; turn++) {
    assert.equal(clock.now().getTime(), m.theirs);
    await new Promise(setImmediate);
  }
  assert.equal(m.asked, asked + 1);
  await clock.close();
});

test("an app on a machine an hour ahead writes with PostgreSQL's time", async (t) => {
  await using other = await startTestApp();
  const { config } = other.app;
  const right = Date.now;
  t.mock.method(Date, "now", () => right() + 60 * MINUTE);
  await using app = await buildApp(
    config,
    { masterKey: randomBytes(32) },
    { background: unhindered },
  );
  // On a busy machine the first look may take too long to say something. There is one every ten seconds.
  const ahead = async () => Math.abs(await aheadOf(app.db, app.clock.now()));
  const end = performance.now() + 180_000;
  while ((await ahead()) > MINUTE) {
    assert.ok(performance.now() < end, "an hour ahead");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});
