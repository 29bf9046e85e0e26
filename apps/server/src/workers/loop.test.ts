import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import type { Context } from "../context.ts";
import { createLogger } from "../lib/logger.ts";
import { createWake } from "../lib/wake.ts";
import { startLoops } from "./loop.ts";
import type { Worker } from "./worker.ts";

function worker(runOnce: () => Promise<number>): Worker {
  return { name: "w", queue: "messages", pollMs: 60_000, runOnce };
}
const context = () => ({ wake: createWake(), log: createLogger("silent") });

test("a worker runs until it finds nothing, and again at a nudge", async () => {
  const c = context();
  const found = [3, 1, 0, 2, 0];
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const loops = startLoops(c, [
    worker(() => {
      const handled = found.shift() ?? 0;
      if (handled === 0) waits[found.length === 2 ? 0 : 1]?.resolve();
      return Promise.resolve(handled);
    }),
  ]);
  await waits[0]?.promise;
  assert.deepEqual(found, [2, 0]);
  c.wake.nudge("messages");
  await waits[1]?.promise;
  await loops.stop();
});

test("a nudge during a round starts another round, for each of two workers of the queue", async () => {
  const c = context();
  const both = [0, 0].map((_, index) => {
    const second = Promise.withResolvers<void>();
    let rounds = 0;
    return {
      second: second.promise,
      worker: worker(async () => {
        if (++rounds === 2) second.resolve();
        // The other worker waits already: the nudge itself wakes only that one.
        if (rounds === 1 && index === 1) await new Promise((resolve) => setTimeout(resolve, 20));
        if (rounds === 1 && index === 1) c.wake.nudge("messages");
        return 0;
      }),
    };
  });
  const loops = startLoops(
    c,
    both.map((one) => one.worker),
  );
  await Promise.all(both.map((one) => one.second));
  await loops.stop();
});

test("a round that throws does not end the loop; after a successful round the pause is short again", async () => {
  const faults: { at?: unknown }[] = [];
  const both = Promise.withResolvers<void>();
  const log: Context["log"] = {
    ...createLogger("silent"),
    error(facts: object) {
      faults.push(facts);
      if (faults.length === 2) both.resolve();
    },
  };
  const rounds = [false, true, false];
  const loops = startLoops({ wake: createWake(), log }, [
    worker(() => (rounds.shift() ? Promise.resolve(1) : Promise.reject(new Error("away")))),
  ]);
  await both.promise;
  const fault = { worker: "w", error: "Error", reason: "away", pauseMs: 250 };
  const withPlace = faults.map(({ at }) => ({ ...fault, at }));
  assert.deepEqual(faults, withPlace);
  assert.match(String(faults[0]?.at), /^at .*loop\.test\.ts/);
  await loops.stop();
});

test("a loop that keeps failing is tried at least once a second, because a database may be back at any moment", async () => {
  const pauses: unknown[] = [];
  let failed = Promise.withResolvers<void>();
  const log: Context["log"] = {
    ...createLogger("silent"),
    error(facts: { pauseMs?: unknown }) {
      pauses.push(facts.pauseMs);
      failed.resolve();
    },
  };
  const loops = startLoops({ wake: createWake(), log }, [
    worker(() => Promise.reject(new Error("away"))),
  ]);
  while (pauses.length < 4) {
    await failed.promise;
    failed = Promise.withResolvers();
  }
  await loops.stop();
  assert.deepEqual(pauses, [250, 500, 1_000, 1_000]);
});

test("a person's words that the database quotes stay out of the log; the database's code is logged", async () => {
  const told = Promise.withResolvers<unknown>();
  const log: Context["log"] = {
    ...createLogger("silent"),
    error: (facts: unknown) => told.resolve(facts),
  };
  const quoting = Object.assign(
    new pg.DatabaseError('invalid input syntax for type json: "my PIN is 4711"', 0, "error"),
    { code: "22P02" },
  );
  const loops = startLoops({ wake: createWake(), log }, [worker(() => Promise.reject(quoting))]);
  const line = JSON.stringify(await told.promise);
  assert.match(line, /"code":"22P02".*loop\.test\.ts/);
  assert.doesNotMatch(line, /4711/);
  await loops.stop();
});

test("a stop waits for the running round and starts no other", async () => {
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  let rounds = 0;
  let finished = false;
  const loops = startLoops(context(), [
    worker(async () => {
      rounds++;
      started.resolve();
      await finish.promise;
      finished = true;
      return 5;
    }),
  ]);
  await started.promise;
  let ended = false;
  const stopped = loops.stop().then(() => (ended = true));
  await new Promise((next) => setImmediate(next));
  assert.equal(ended, false);
  finish.resolve();
  await stopped;
  assert.deepEqual([rounds, finished], [1, true]);
});
