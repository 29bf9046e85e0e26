import assert from "node:assert/strict";
import { beforeEach, mock, afterEach, test } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import { ApiError } from "../api/api-error.ts";
import { Rereading, type RereadingOptions } from "./rereading.ts";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 }));
afterEach(() => mock.timers.reset());

const LOST = new ApiError({ code: "NO_CONNECTION" });

/** A place that reads. Each read waits until the test ends it. */
function place(options?: RereadingOptions) {
  const reads: { done: () => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];
  const rereading = new Rereading(
    (signal) =>
      new Promise<void>((done, fail) => {
        reads.push({ done, fail, signal });
      }),
    options,
  );
  const after = async (ms: number): Promise<number> => {
    mock.timers.tick(ms);
    await settled();
    return reads.length;
  };
  const end = async (error?: Error): Promise<void> => {
    if (error) reads.at(-1)?.fail(error);
    else reads.at(-1)?.done();
    await settled();
  };
  return { rereading, reads, after, end };
}

test("hints during a read are followed by one more read, and whoever waits is answered by it", async () => {
  const { rereading, reads, end } = place();
  void rereading.hint();
  let answered = false;
  const waiting = rereading.hint().then(() => (answered = true));
  void rereading.hint();
  await end();
  assert.deepEqual([reads.length, answered], [2, false]);
  await end();
  await waiting;
  assert.deepEqual([reads.length, rereading.underWay], [2, undefined]);
});

test("a failed read is repeated with growing pauses until one succeeds", async () => {
  const { rereading, after, end } = place();
  void rereading.hint();
  for (const [n, pause] of [1_000, 2_000, 5_000, 10_000, 10_000, 10_000].entries()) {
    await end(n % 2 === 0 ? LOST : new ApiError({ code: "INTERNAL", status: 502 }));
    // Not all browsers at once: between half of the pause and the whole.
    assert.equal(await after(pause / 2 - 1), n + 1);
    assert.equal(await after(pause / 2 + 1), n + 2);
  }
  await end();
  assert.equal(await after(60_000), 7);
  assert.equal(rereading.underWay, undefined);
});

test("a hint does not shorten the pause after a failure; the end of a break does", async () => {
  const { rereading, reads, after, end } = place();
  void rereading.hint();
  await end(LOST);
  void rereading.hint();
  assert.equal(await after(0), 1);
  void rereading.resume();
  assert.equal(await after(0), 2);
  // Its connection may be one that the break left dead: it is given up after five seconds, or by the next break.
  void rereading.resume();
  assert.equal(await after(0), 3);
  assert.equal(reads[1]?.signal.aborted, true);
  await end();
  assert.equal(await after(60_000), 3);
});

test("a read without an answer fails after 20 seconds and is repeated", async () => {
  const { rereading, reads, after, end } = place();
  void rereading.hint();
  assert.equal(await after(19_999), 1);
  assert.equal(await after(1), 1);
  assert.equal(reads[0]?.signal.aborted, true);
  assert.equal(await after(1_000), 2);
  await end();
  assert.equal(await after(60_000), 2);
});

test("the first read after a break is given up sooner, because its connection may be dead", async () => {
  const { rereading, reads, after, end } = place();
  void rereading.resume();
  assert.equal(await after(4_999), 1);
  assert.equal(reads[0]?.signal.aborted, false);
  await after(1);
  assert.equal(reads[0]?.signal.aborted, true);
  assert.equal(await after(1_000), 2);
  await after(5_000);
  assert.equal(reads[1]?.signal.aborted, false);
  await end();
});

test("a refusal is an answer; what is not shown, or was stopped, is not repeated", async () => {
  const refused = place();
  void refused.rereading.hint();
  await refused.end(new ApiError({ code: "FORBIDDEN", status: 403 }));
  assert.equal(await refused.after(60_000), 1);
  const hidden = place({ isShown: () => false });
  void hidden.rereading.hint();
  await hidden.end(LOST);
  assert.equal(await hidden.after(60_000), 1);
  const stopped = place();
  const waiting = stopped.rereading.hint();
  stopped.rereading.stop();
  await waiting;
  assert.equal(stopped.reads[0]?.signal.aborted, true);
  void stopped.rereading.hint();
  assert.equal(await stopped.after(60_000), 1);
});

test("reads begin at most every so often; a hint meanwhile is kept for the next one", async () => {
  const { rereading, after, end } = place({ gapMs: 1_000 });
  void rereading.hint();
  await end();
  void rereading.hint();
  assert.equal(await after(999), 1);
  assert.equal(await after(1), 2);
  await end();
  assert.equal(await after(5_000), 2);
});
