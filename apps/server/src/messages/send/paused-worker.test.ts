import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { pausedBeforeItsCall } from "../../../test/paused-worker.ts";
import { findMessage } from "../record/find-message.ts";

let m: Messaging;
let desk: Desk;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());
beforeEach(async () => {
  await m.t.app.drain();
  desk = await Desk.open(m);
  m.graph.sent.length = 0;
});

const texts = () => m.graph.sent.map((one) => one.text?.body);

test("a worker that was paused beyond its lease makes no call; the reply goes back and is sent once", async () => {
  const conversationId = await desk.hears("96551000001");
  const { id } = await desk.replies(conversationId, "first");
  await pausedBeforeItsCall(m.t.app, async () => {
    await desk.replies(conversationId, "second");
    m.t.clock.advance(30_000);
    await m.t.app.drain();
    assert.deepEqual(texts(), ["second"]);
    assert.deepEqual(await desk.outbox(), [{ message_id: id, state: "unknown" }]);
  });
  assert.deepEqual(texts(), ["second"], "it called after its claim was given up");
  // Nothing of the reply has left, so no outcome is unknown.
  await m.t.app.drain();
  assert.deepEqual(texts(), ["second", "first"]);
  assert.deepEqual(await desk.outbox(), []);
  assert.deepEqual(await desk.moves(), []);
});

test("a worker that wakes after its reply was given up sends nothing and changes nothing", async () => {
  const { id } = await desk.replies(await desk.hears("96551000001"));
  await pausedBeforeItsCall(m.t.app, async () => {
    m.t.clock.advance(30_000);
    await m.t.app.drain();
    m.t.clock.advance(15 * 60_000);
    await m.t.app.drain();
  });
  await m.t.app.drain();
  assert.deepEqual(texts(), []);
  assert.equal((await findMessage(m.t.app, desk.workspaceId, id))?.errorCode, "OUTCOME_UNKNOWN");
  assert.deepEqual(await desk.moves(), ["sent>failed"]);
});

test("a worker whose call would outlive its lease after a pause does not call, and the conversation stays in order", async () => {
  const conversationId = await desk.hears("96551000001");
  await desk.replies(conversationId, "first");
  await pausedBeforeItsCall(m.t.app, async () => {
    await desk.replies(conversationId, "second");
    m.t.clock.advance(10_001);
    await m.t.app.drain();
  });
  assert.deepEqual(texts(), []);
  await m.t.app.drain();
  assert.deepEqual(texts(), ["first", "second"]);
});

test("a shorter pause changes nothing", async () => {
  await desk.replies(await desk.hears("96551000001"), "first");
  await pausedBeforeItsCall(m.t.app, async () => m.t.clock.advance(10_000));
  assert.deepEqual(texts(), ["first"]);
  assert.deepEqual(await desk.outbox(), []);
});
