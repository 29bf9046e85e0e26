import assert from "node:assert/strict";
import { test } from "node:test";
import { createGate } from "./gate.ts";

test("a gate runs so many at once, lets so many wait in order, and refuses the next one at once", async () => {
  const gate = createGate({ atOnce: 2, waiting: 2, retryAfterSeconds: 3 });
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const runs = ends.map(({ promise }, n) =>
    gate.run(() => {
      begun.push(n);
      return promise;
    }),
  );
  await assert.rejects(
    gate.run(() => Promise.resolve()),
    { code: "OVERLOADED", facts: { retryAfterSeconds: 3 } },
  );
  assert.deepEqual([begun, gate.asked], [[0, 1], 5]);
  // A place becomes free after a failure too.
  ends[1]?.reject(new Error("failed"));
  await assert.rejects(runs[1] ?? Promise.resolve(), /failed/);
  assert.deepEqual(begun, [0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all([runs[0], runs[2], runs[3]]);
  assert.deepEqual(begun, [0, 1, 2, 3]);
  assert.equal(await gate.run(() => Promise.resolve("free again")), "free again");
});

test("no owner has more than a share of the queue", async () => {
  const gate = createGate({ atOnce: 1, waiting: 3, waitingEach: 2, retryAfterSeconds: 3 });
  const end = Promise.withResolvers<void>();
  const runs = ["a", "a", "a"].map((owner) => gate.run(() => end.promise, owner));
  await assert.rejects(
    gate.run(() => end.promise, "a"),
    { code: "OVERLOADED" },
  );
  runs.push(gate.run(() => end.promise, "b"));
  await assert.rejects(
    gate.run(() => end.promise, "c"),
    { code: "OVERLOADED" },
  );
  end.resolve();
  await Promise.all(runs);
});

test("after its work a place rests, while its caller has the result already", async (t) => {
  const clock = { now: 0 };
  t.mock.method(performance, "now", () => clock.now);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const rest = { times: 3, mostMs: 500 };
  const gate = createGate({ atOnce: 1, waiting: 3, retryAfterSeconds: 3, rest });
  const begun: string[] = [];
  const work = (name: string, tookMs: number) => () => {
    begun.push(name);
    clock.now += tookMs;
    return Promise.resolve(name);
  };
  const runs = [
    gate.run(work("short", 100)),
    gate.run(work("long", 10_000)),
    gate.run(work("last", 1)),
  ];
  assert.equal(await runs[0], "short");
  t.mock.timers.tick(299);
  assert.deepEqual(begun, ["short"]);
  t.mock.timers.tick(1);
  assert.equal(await runs[1], "long");
  t.mock.timers.tick(499);
  assert.deepEqual(begun, ["short", "long"]);
  t.mock.timers.tick(1);
  assert.equal(await runs[2], "last");
});
