import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { sql } from "../../db/sql.ts";
import { createDispatcher } from "./dispatch-replies.ts";
import { atOnce } from "./at-once.fixture.ts";
import { findMessage } from "../record/find-message.ts";
import { claimReplies, type ClaimedReply } from "./outbox-store.ts";
import { settleReplies, beginReplies } from "./settle-replies.ts";
import type { Judgement } from "../../sending/judge-outcome.ts";

let m: Messaging;
let desk: Desk;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());
beforeEach(async () => {
  desk = await Desk.open(m);
  m.graph.sent.length = 0;
});

/** What a worker does until it dies: it claims a reply, and may have begun its call. */
async function claim(begin: boolean): Promise<ClaimedReply> {
  const now = m.t.clock.now();
  const leaseUntil = new Date(now.getTime() + 30_000);
  const [reply] = await claimReplies(m.t.app.db, {
    now,
    leaseUntil,
    by: m.t.app.life.id,
    limit: 10,
    busy: [],
  });
  assert.ok(reply);
  if (begin) assert.deepEqual(await m.t.app.groupCommit.submit(beginReplies, reply), now);
  return reply;
}
const settle = (reply: ClaimedReply, message: Judgement["message"]) => {
  const at = m.t.clock.now();
  const judgement = { message, wider: null };
  return m.t.app.groupCommit.submit(settleReplies, {
    reply,
    calledAt: at,
    secretsSince: null,
    part: null,
    judgement,
  });
};
const refused = { kind: "failed", code: "131026", detail: "", optedOut: false } as const;

test("a worker died before its call: another worker sends the reply once the lease has ended", async () => {
  const { id } = await desk.replies(await desk.hears("96551000001"));
  await claim(false);
  m.t.clock.advance(29_999);
  await m.t.app.drain();
  assert.equal(m.graph.sent.length, 0);
  m.t.clock.advance(1);
  await m.t.app.drain();
  assert.deepEqual(
    m.graph.sent.map((one) => one.biz_opaque_callback_data),
    [id],
  );
});

test("a worker died during its call: the reply is unknown, is not sent again, and does not block its conversation", async () => {
  const conversationId = await desk.hears("96551000001");
  const { id } = await desk.replies(conversationId);
  await claim(true);
  const next = await desk.replies(conversationId);
  m.t.clock.advance(30_000);
  await m.t.app.drain();
  assert.deepEqual(
    m.graph.sent.map((one) => one.biz_opaque_callback_data),
    [next.id],
  );
  assert.deepEqual(await desk.outbox(), [{ message_id: id, state: "unknown" }]);
  m.t.clock.advance(15 * 60_000);
  await m.t.app.drain();
  assert.equal((await findMessage(m.t.app, desk.workspaceId, id))?.errorCode, "OUTCOME_UNKNOWN");
});

test("after its lease a claim cannot begin its call, and cannot settle a reply that another has claimed since", async () => {
  const { id } = await desk.replies(await desk.hears("96551000001"));
  const slow = await claim(false);
  m.t.clock.advance(30_000);
  assert.equal(await m.t.app.groupCommit.submit(beginReplies, slow), null);
  await m.t.app.db.query(
    sql`update message_outbox set state = 'waiting', lease_until = null where message_id = ${id}`,
  );
  await claim(true);
  await settle(slow, refused);
  assert.equal((await findMessage(m.t.app, desk.workspaceId, id))?.status, "sent");
  await settle(slow, { kind: "again", afterMs: 1 });
  await settle(slow, { kind: "unknown" });
  assert.deepEqual(await desk.outbox(), [{ message_id: id, state: "calling" }]);
});

test("a proof of sending counts whatever happened to the claim, and corrects OUTCOME_UNKNOWN", async () => {
  const { id } = await desk.replies(await desk.hears("96551000001"));
  const slow = await claim(true);
  m.t.clock.advance(30_000);
  await m.t.app.drain();
  m.t.clock.advance(15 * 60_000);
  await m.t.app.drain();
  await settle(slow, { kind: "sent", providerMessageId: "wamid.slow", knownAs: [] });
  const message = await findMessage(m.t.app, desk.workspaceId, id);
  assert.deepEqual([message?.status, message?.providerMessageId], ["sent", "wamid.slow"]);
  assert.deepEqual(await desk.moves(), ["sent>failed", "failed>sent"]);
});

test("ten workers at once send each reply once, and one at a time within a conversation", async () => {
  const conversations = await Promise.all(
    Array.from({ length: 8 }, (_, index) => desk.hears(`9655300000${index}`)),
  );
  for (let round = 0; round < 5; round++) {
    await Promise.all(conversations.map((id) => desk.replies(id, `r${round}`)));
  }
  const workers = Array.from({ length: 10 }, () => createDispatcher(m.t.app, atOnce));
  for (let idle = 0; idle < 3;) {
    const claimed = await Promise.all(workers.map((worker) => worker.claim()));
    idle = claimed.some((count) => count > 0) ? 0 : idle + 1;
    await Promise.all(workers.flatMap((worker) => [...worker.inFlight]));
  }
  assert.equal(m.graph.sent.length, 40);
  assert.equal(new Set(m.graph.sent.map((one) => one.biz_opaque_callback_data)).size, 40);
  for (const number of new Set(m.graph.sent.map((one) => one.to))) {
    const texts = m.graph.sent.filter((one) => one.to === number).map((one) => one.text?.body);
    assert.deepEqual(texts, ["r0", "r1", "r2", "r3", "r4"]);
  }
});
