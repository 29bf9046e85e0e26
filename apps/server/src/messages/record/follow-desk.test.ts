import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { AGENT, KEY } from "../../../test/actors.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { sql } from "../../db/sql.ts";
import { goneBetween } from "../../desk/desk-gone.ts";
import { deskNumbers, deskRow } from "../../desk/read-desk.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { acceptMessage } from "../accept/accept-message.ts";
import { joinThreads } from "../receive/join-threads.ts";
import { receiveEvents } from "../receive/receive-events.ts";
import { findMessage } from "./find-message.ts";
import { followDesk } from "./follow-desk.ts";

let m: Messaging;
let desk: Desk;
before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
});
after(() => m[Symbol.asyncDispose]());

const rowOf = async (id: string) =>
  (await deskRow(m.t.app.db, desk.workspaceId, id)) ?? assert.fail("no row");
const numberNow = async () =>
  (await deskNumbers(m.t.app.db, [desk.workspaceId])).get(desk.workspaceId) ?? 0;

test("a program's reply becomes the row's preview, answers the customer, and is written once", async () => {
  const id = await desk.hears("96586000001", "how much is it?");
  const before = await rowOf(id);
  const reply = await desk.replies(id, "12 dinars");
  assert.equal((await rowOf(id)).preview, "how much is it?", "the hot path writes no row");
  // Two processes may do this at the same time.
  await Promise.all([followDesk(m.t.app), followDesk(m.t.app)]);
  const after = await rowOf(id);
  assert.deepEqual(
    [after.preview, after.previewSide, after.waitingSince, after.lastOutboundId, after.deskAt],
    ["12 dinars", "us", null, reply.id, before.deskAt],
  );
  assert.equal(after.change, before.change + 1);
  await m.t.app.drain();
  await followDesk(m.t.app);
  assert.equal((await rowOf(id)).change, after.change);
});

test("a program's message that answers nobody is the preview, and the customer goes on waiting", async () => {
  const id = await desk.hears("96586000011", "where is my order?");
  const { waitingSince } = await rowOf(id);
  const { app } = m.t;
  const say = (text: string, answers: boolean) =>
    acceptMessage(KEY, app, desk.workspaceId, { conversationId: id, text, answers });
  await say("We open at nine", false);
  await followDesk(app);
  const after = await rowOf(id);
  assert.deepEqual(
    [after.preview, after.previewSide, after.waitingSince],
    ["We open at nine", "us", waitingSince],
  );
  // An answer counts also when a message that answers nobody followed it before the row did.
  await say("It arrives today", true);
  await say("Rate us", false);
  await followDesk(app);
  const answered = await rowOf(id);
  assert.deepEqual([answered.preview, answered.waitingSince], ["Rate us", null]);
  // What a person sends always answers.
  const again = await desk.hears("96586000011", "and the other one?");
  assert.notEqual((await rowOf(again)).waitingSince, null);
  const reply = { conversationId: id, text: "Tomorrow", answers: false };
  await acceptMessage(AGENT, app, desk.workspaceId, reply);
  assert.equal((await rowOf(id)).waitingSince, null);
});

test("a message that the customer wrote meanwhile stays the preview", async () => {
  const id = await desk.hears("96586000002");
  const reply = await desk.replies(id, "first");
  await desk.hears("96586000002", "second");
  await followDesk(m.t.app);
  const row = await rowOf(id);
  assert.deepEqual([row.preview, row.lastOutboundId], ["second", reply.id]);
  assert.notEqual(row.waitingSince, null);
});

test("a failure that comes later changes the row", async () => {
  const id = await desk.hears("96586000003");
  const { id: messageId } = await desk.replies(id, "lost");
  await m.t.app.drain();
  const before = await rowOf(id);
  assert.equal(before.failed, false);
  const message = await findMessage(m.t.app, desk.workspaceId, messageId);
  await receiveEvents(m.t.app, [
    desk.status({
      status: "failed",
      errorCode: "131026",
      externalMessageId: message?.providerMessageId ?? "",
    }),
  ]);
  await followDesk(m.t.app);
  const after = await rowOf(id);
  assert.deepEqual([after.failed, after.change > before.change], [true, true]);
});

test("a conversation that was joined to another leaves the inbox, and open pages hear of it", async () => {
  const kept = await desk.hears("96586000004", "the first one");
  const gone = await desk.hears("96586000005", "the second one");
  const contactOf = async (id: string) =>
    (await findConversation(m.t.app, desk.workspaceId, id))?.contactId ?? "";
  const people = {
    ...desk.account,
    fromContactId: await contactOf(gone),
    intoContactId: await contactOf(kept),
    externalId: "96586000004",
  };
  const before = await numberNow();
  await m.t.app.db.transaction(async (tx) =>
    emitEvents(m.t.app, tx, await joinThreads(m.t.app, tx, people)),
  );
  await followDesk(m.t.app);
  assert.deepEqual(await goneBetween(m.t.app.db, desk.workspaceId, before, await numberNow()), [
    gone,
  ]);
  assert.equal(await deskRow(m.t.app.db, desk.workspaceId, gone), undefined);
  const row = await rowOf(kept);
  assert.deepEqual([row.preview, row.inboundCount], ["the second one", 2]);
});

test("messages of a campaign, sent or failed, change no row", async () => {
  const id = await desk.hears("96586000006", "hello there");
  const { id: messageId } = await desk.replies(id, "an offer");
  // This is how a campaign's message is stored and told.
  const { db } = m.t.app;
  await db.query(
    sql`update message set source = 'broadcast', broadcast_id = ${messageId} where id = ${messageId}`,
  );
  await db.query(sql`update event set body = replace(body, '"source":"api"', '"source":"broadcast"')
    where body like ${`%${messageId}%`}`);
  await followDesk(m.t.app);
  const row = await rowOf(id);
  assert.deepEqual([row.preview, row.lastOutboundId], ["hello there", null]);
});
