import assert from "node:assert/strict";
import { test } from "node:test";
import { Desk, startMessaging } from "../../test/messaging.ts";
import { createDispatchWorker } from "./dispatch-messages.ts";

test("a slow call delays no other reply, and a stop waits for it", async () => {
  await using m = await startMessaging();
  const [slow, quick] = [await Desk.open(m), await Desk.open(m)];
  const { promise, resolve } = Promise.withResolvers<void>();
  const called = Promise.withResolvers<void>();
  m.graph.answer = async (_, body) => {
    called.resolve();
    if (body.to === "96571000001") await promise;
    return m.graph.accepted();
  };
  await slow.replies(await slow.hears("96571000001"));
  const worker = createDispatchWorker(m.t.app);
  const first = worker.runOnce();
  await called.promise;
  // The round waits for the slow call; the new reply's nudge ends the wait.
  await quick.replies(await quick.hears("96571000002"));
  assert.equal(await first, 1);
  while ((await quick.outbox()).length > 0) await worker.runOnce();
  assert.deepEqual(
    m.graph.sent.map((one) => one.to),
    ["96571000001", "96571000002"],
  );
  let stopped = false;
  const stop = worker.stop?.().then(() => (stopped = true));
  await new Promise((done) => setImmediate(done));
  assert.equal(stopped, false);
  resolve();
  await stop;
  assert.deepEqual(await slow.outbox(), []);
  assert.equal(await worker.runOnce(), 0);
});
