import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Desk, graphError, json, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { sql } from "../../db/sql.ts";
import { HttpFailure } from "../../lib/http.ts";
import { findMessage } from "../record/find-message.ts";
import { joinThreads } from "../receive/join-threads.ts";
import { receiveEvents } from "../receive/receive-events.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { claimReplies, LEASE_MS } from "./outbox-store.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());
beforeEach(() => {
  m.graph.sent.length = 0;
  m.graph.answer = () => m.graph.accepted();
});

const order = (a = "", b = "") => Number(a > b) - Number(a < b);

async function shown(desk: Desk, id: string) {
  const message = await findMessage(m.t.app, desk.workspaceId, id);
  assert.ok(message);
  return [message.status, message.errorCode, message.providerMessageId] as const;
}

test("an accepted reply is handed over once, with our id as its correlation, and gets the platform's id", async () => {
  const desk = await Desk.open(m);
  const { id } = await desk.replies(await desk.hears("96551000001"), "مرحبا");
  assert.equal((await findMessage(m.t.app, desk.workspaceId, id))?.providerMessageId, null);
  await m.t.app.drain();
  assert.deepEqual(
    m.graph.sent.map((one) => [one.to, one.text?.body, one.biz_opaque_callback_data]),
    [["96551000001", "مرحبا", id]],
  );
  const message = await findMessage(m.t.app, desk.workspaceId, id);
  assert.equal(message?.status, "sent");
  assert.match(message?.providerMessageId ?? "", /^wamid\./);
  assert.deepEqual(message?.sentAt, m.t.clock.now());
  assert.deepEqual(await desk.outbox(), []);
  assert.deepEqual(await desk.moves(), []);
});

test("replies of one conversation go out in order and one at a time; other conversations do not wait for them", async () => {
  const desk = await Desk.open(m);
  const [a, b] = [await desk.hears("96551000001"), await desk.hears("96551000002")];
  const open = new Map<string, number>();
  // No call is answered before both conversations have one.
  const both = Promise.withResolvers<boolean>();
  const late = setTimeout(() => both.resolve(false), 120_000);
  m.graph.answer = async (_, body) => {
    open.set(body.to, (open.get(body.to) ?? 0) + 1);
    assert.equal(open.get(body.to), 1, "two of one conversation in the air");
    if ([...open.values()].filter((count) => count > 0).length === 2) both.resolve(true);
    await both.promise;
    await new Promise((resolve) => setTimeout(resolve, 5));
    open.set(body.to, 0);
    return m.graph.accepted();
  };
  for (let index = 0; index < 10; index++) {
    await desk.replies(a, `a${index}`);
    await desk.replies(b, `b${index}`);
  }
  await m.t.app.drain();
  clearTimeout(late);
  const texts = (to: string) =>
    m.graph.sent.filter((one) => one.to === to).map((one) => one.text?.body);
  assert.deepEqual(
    texts("96551000001"),
    Array.from({ length: 10 }, (_, i) => `a${i}`),
  );
  assert.deepEqual(
    texts("96551000002"),
    Array.from({ length: 10 }, (_, i) => `b${i}`),
  );
  assert.equal(await both.promise, true, "both were in the air at once");
});

test("a reply that was claimed when its conversation was joined to another is sent, also when its worker died", async () => {
  const desk = await Desk.open(m);
  const kept = await desk.hears("96551000011");
  const gone = await desk.hears("96551000012");
  const { db, clock } = m.t.app;
  const { id } = await desk.replies(gone, "an answer");
  const now = clock.now();
  const claim = { now, leaseUntil: new Date(now.getTime() + LEASE_MS), by: m.t.app.ids.next() };
  assert.equal((await claimReplies(db, { ...claim, limit: 10, busy: [] })).length, 1);
  const contactOf = async (conversationId: string) =>
    (await findConversation(m.t.app, desk.workspaceId, conversationId))?.contactId ?? "";
  const people = {
    ...desk.account,
    fromContactId: await contactOf(gone),
    intoContactId: await contactOf(kept),
    externalId: "96551000011",
  };
  await db.transaction(async (tx) =>
    emitEvents(m.t.app, tx, await joinThreads(m.t.app, tx, people)),
  );
  m.t.clock.advance(LEASE_MS + 1);
  await m.t.app.drain();
  assert.deepEqual(
    m.graph.sent.map((one) => [one.to, one.biz_opaque_callback_data]),
    [["96551000011", id]],
  );
  assert.deepEqual(await desk.outbox(), []);
});

test("a reply goes before what batches handed in earlier, and none of that is forgotten", async () => {
  const desk = await Desk.open(m);
  const waiting = 40;
  for (let n = 0; n < waiting; n++)
    await desk.replies(await desk.hears(`9655100${1_000 + n}`), `update ${n}`);
  await m.t.app.db.query(sql`
    update message_outbox set after_replies = true where workspace_id = ${desk.workspaceId}`);
  await desk.replies(await desk.hears("96551002000"), "an answer");
  for (let n = 0; n < 10; n++) {
    await m.t.app.drain();
    m.t.clock.advance(250);
  }
  assert.equal(m.graph.sent.length, waiting + 1);
  // As many calls of a channel are under way at once.
  const first = m.graph.sent.slice(0, 32).map((one) => one.to);
  assert.ok(first.includes("96551002000"), first.join(" "));
});

test("what batches handed in goes as fast as the number may be sent, also when much of it waited, and replies go meanwhile", async () => {
  const desk = await Desk.open(m);
  const waiting = 200;
  for (let n = 0; n < waiting; n++)
    await desk.replies(await desk.hears(`9655101${1_000 + n}`), `update ${n}`);
  await m.t.app.db.query(sql`
    update message_outbox set after_replies = true where workspace_id = ${desk.workspaceId}`);
  const answered = await desk.hears("96551002001");
  const STEP_MS = 50;
  const perStep: number[] = [];
  for (let at = 0; m.graph.sent.length < waiting + 1 && at < 10_000; at += STEP_MS) {
    if (at === 1_000) await desk.replies(answered, "an answer");
    const before = m.graph.sent.length;
    await m.t.app.drain();
    perStep.push(m.graph.sent.length - before);
    m.t.clock.advance(STEP_MS);
  }
  assert.equal(m.graph.sent.length, waiting + 1);
  // Calls are made when their places are there: half a second ahead at most, of 76 in a second.
  const steps = 1_000 / STEP_MS;
  const inASecond = perStep.map((_, from) =>
    perStep.slice(from, from + steps).reduce((sum, count) => sum + count, 0),
  );
  assert.ok(Math.max(...inASecond) <= 76 + 38 + 1, `${Math.max(...inASecond)} in a second`);
  assert.ok(perStep.length >= (1_000 * (waiting - 38)) / 76 / STEP_MS, `${perStep.length} steps`);
  const place = m.graph.sent.findIndex((one) => one.to === "96551002001");
  assert.ok(place > 0 && place < waiting - 20, `the reply was number ${place}`);
});

test("what waits on another number is not held up by a long queue before it", async () => {
  const [long, short] = [await Desk.open(m), await Desk.open(m)];
  for (let n = 0; n < 150; n++)
    await long.replies(await long.hears(`9655102${1_000 + n}`), `update ${n}`);
  m.t.clock.advance(10);
  for (let n = 0; n < 3; n++) await short.replies(await short.hears(`9655103${1_000 + n}`), "sale");
  await m.t.app.db.query(sql`
    update message_outbox set after_replies = true where workspace_id in (${long.workspaceId}, ${short.workspaceId})`);
  for (let at = 0; at < 1_300; at += 100) {
    await m.t.app.drain();
    m.t.clock.advance(100);
  }
  const ofShort = m.graph.sent.filter((one) => one.to?.startsWith("9655103"));
  assert.equal(ofShort.length, 3);
  assert.ok(m.graph.sent.length < 153, "the long queue still waits");
  for (let at = 0; at < 5_000 && m.graph.sent.length < 153; at += 250) {
    m.t.clock.advance(250);
    await m.t.app.drain();
  }
  assert.equal(m.graph.sent.length, 153);
});

test("the intent to call is committed before the first byte leaves", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  let during: unknown;
  m.graph.answer = async () => {
    during = await desk.outbox();
    return m.graph.accepted();
  };
  const { id } = await desk.replies(conversationId);
  await m.t.app.drain();
  assert.deepEqual(during, [{ message_id: id, state: "calling" }]);
});

test("a refused reply fails with the platform's code, and the meter moves from sent to failed", async () => {
  const desk = await Desk.open(m);
  const { id } = await desk.replies(await desk.hears("96551000001"));
  m.graph.answer = () => graphError(400, 131026);
  await m.t.app.drain();
  assert.deepEqual(await shown(desk, id), ["failed", "131026", null]);
  assert.deepEqual(await desk.moves(), ["sent>failed"]);
  const [meter] = await m.t.app.db.query(
    sql`select sent, failed, received from usage_day where workspace_id = ${desk.workspaceId}`,
  );
  assert.deepEqual(meter, { sent: 0, failed: 1, received: 1 });
  assert.deepEqual(await desk.outbox(), []);
});

test("a throttled account waits as a whole, and then everything goes out in order", async () => {
  const desk = await Desk.open(m);
  const [a, b] = [await desk.hears("96551000001"), await desk.hears("96551000002")];
  await desk.replies(a, "first");
  m.graph.answer = () => graphError(400, 130429);
  await m.t.app.drain();
  assert.equal(m.graph.sent.length, 1);
  await desk.replies(a, "second");
  await desk.replies(b, "other");
  m.graph.answer = () => m.graph.accepted();
  await m.t.app.drain();
  assert.equal(m.graph.sent.length, 1, "nothing goes while the account is throttled");
  m.t.clock.advance(60_000);
  await m.t.app.drain();
  assert.deepEqual(m.graph.sent.map((one) => one.text?.body).toSorted(order), [
    "first",
    "first",
    "other",
    "second",
  ]);
  assert.deepEqual(await desk.moves(), []);
});

test("a throttle of one number and customer delays only their conversation", async () => {
  const desk = await Desk.open(m);
  const [a, b] = [await desk.hears("96551000001"), await desk.hears("96551000002")];
  m.graph.answer = (_, body) =>
    body.to === "96551000001" ? graphError(400, 131056) : m.graph.accepted();
  await desk.replies(a);
  await m.t.app.drain();
  await desk.replies(b);
  await m.t.app.drain();
  assert.deepEqual(
    m.graph.sent.map((one) => one.to),
    ["96551000001", "96551000002"],
  );
  m.graph.answer = () => m.graph.accepted();
  m.t.clock.advance(6000);
  await m.t.app.drain();
  assert.equal(m.graph.sent.length, 3);
  assert.deepEqual(await desk.outbox(), []);
});

test("a reply to a customer whose throttle goes on waits six seconds more each time, and goes out after minutes", async () => {
  const desk = await Desk.open(m);
  const { id } = await desk.replies(await desk.hears("96551000001"));
  m.graph.answer = () => graphError(400, 131056);
  const start = m.t.clock.now().getTime();
  for (const [calls, seconds] of [0, 6, 18, 36, 60, 90, 126, 168, 216, 270].entries()) {
    m.t.clock.set(new Date(start + seconds * 1000 - 1));
    if (calls > 0) await m.t.app.drain();
    assert.equal(m.graph.sent.length, calls, `a try before ${seconds} s`);
    if (seconds === 270) m.graph.answer = () => m.graph.accepted();
    m.t.clock.advance(1);
    await m.t.app.drain();
    assert.equal(m.graph.sent.length, calls + 1, `no try at ${seconds} s`);
  }
  const [status, errorCode] = await shown(desk, id);
  assert.deepEqual([status, errorCode], ["sent", null]);
});

test("an unreachable platform is tried with growing gaps for an hour, then the reply fails", async () => {
  const desk = await Desk.open(m);
  const { id } = await desk.replies(await desk.hears("96551000001"));
  m.graph.answer = () => Promise.reject(new HttpFailure("connect", false, "refused"));
  const start = m.t.clock.now().getTime();
  const tries = [0, 5, 15, 35, 75, 155, 315, 635, 1275, 2555, 3600];
  for (const [calls, seconds] of tries.entries()) {
    m.t.clock.set(new Date(start + seconds * 1000 - 1));
    if (calls > 0) await m.t.app.drain();
    assert.equal(m.graph.sent.length, calls, `a try before ${seconds} s`);
    m.t.clock.advance(1);
    await m.t.app.drain();
    assert.equal(m.graph.sent.length, calls + 1, `no try at ${seconds} s`);
  }
  assert.deepEqual(await desk.outbox(), []);
  assert.deepEqual(await shown(desk, id), ["failed", "NETWORK_CONNECT", null]);
});

test("a customer who opted out at the platform is opted out here", async () => {
  const desk = await Desk.open(m);
  const { id } = await desk.replies(await desk.hears("96551000001"));
  m.graph.answer = () => graphError(400, 131050);
  await m.t.app.drain();
  assert.deepEqual(await shown(desk, id), ["failed", "131050", null]);
  assert.equal((await desk.events("contact.opted_out")).length, 1);
});

test("an opt-out does not stop a reply", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001", "STOP");
  assert.equal((await desk.events("contact.opted_out")).length, 1);
  await desk.replies(conversationId);
  await m.t.app.drain();
  assert.equal(m.graph.sent.length, 1);
});

test("a refused token turns the channel to error once; later replies fail immediately and are not handed over", async () => {
  const desk = await Desk.open(m);
  const [a, b] = [await desk.hears("96551000001"), await desk.hears("96551000002")];
  const replies = [await desk.replies(a), await desk.replies(b)];
  m.graph.answer = () => graphError(401, 190);
  await m.t.app.drain();
  for (const { id } of replies) assert.deepEqual(await shown(desk, id), ["failed", "190", null]);
  const errors = (await desk.events("channel.status")).filter((one) => one["status"] === "error");
  assert.equal(errors.length, 1);
  assert.equal((await desk.replies(a)).errorCode, "CHANNEL_ERROR");
  assert.equal(m.graph.sent.length, 2);
});

test("a reply with a lost answer is not sent again, does not block its conversation, and fails after 15 minutes", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  const { id } = await desk.replies(conversationId, "lost");
  m.graph.answer = () => Promise.reject(new HttpFailure("timeout", true, "no answer"));
  await m.t.app.drain();
  assert.deepEqual(await desk.outbox(), [{ message_id: id, state: "unknown" }]);
  m.graph.answer = () => m.graph.accepted();
  await desk.replies(conversationId, "next");
  await m.t.app.drain();
  assert.deepEqual(
    m.graph.sent.map((one) => one.text?.body),
    ["lost", "next"],
  );
  m.t.clock.advance(15 * 60_000 - 1);
  await m.t.app.drain();
  assert.equal((await shown(desk, id))[0], "sent");
  m.t.clock.advance(1);
  await m.t.app.drain();
  assert.deepEqual(await shown(desk, id), ["failed", "OUTCOME_UNKNOWN", null]);
  assert.equal(m.graph.sent.length, 2);
});

test("a status with our id settles a lost answer, before and after the reply was given up", async () => {
  const desk = await Desk.open(m);
  m.graph.answer = () => Promise.reject(new HttpFailure("reset", true, "reset"));
  const early = await desk.replies(await desk.hears("96551000001"));
  const late = await desk.replies(await desk.hears("96551000002"));
  await m.t.app.drain();
  const report = (correlationId: string) =>
    desk.status({ correlationId, externalMessageId: `w.${correlationId}`, status: "sent" });
  await receiveEvents(m.t.app, [report(early.id)]);
  m.t.clock.advance(16 * 60_000);
  await m.t.app.drain();
  assert.deepEqual(await shown(desk, early.id), ["sent", null, `w.${early.id}`]);
  assert.deepEqual(await shown(desk, late.id), ["failed", "OUTCOME_UNKNOWN", null]);
  await receiveEvents(m.t.app, [report(late.id)]);
  assert.deepEqual(await shown(desk, late.id), ["sent", null, `w.${late.id}`]);
  assert.deepEqual(await desk.moves(), ["sent>failed", "failed>sent"]);
  const [meter] = await m.t.app.db.query(
    sql`select sent, failed from usage_day where workspace_id = ${desk.workspaceId}`,
  );
  assert.deepEqual(meter, { sent: 2, failed: 0 });
});

test("an answer that cannot be understood counts as lost", async () => {
  const desk = await Desk.open(m);
  m.graph.answer = () => json(200, { messages: [] });
  const { id } = await desk.replies(await desk.hears("96551000001"));
  await m.t.app.drain();
  assert.deepEqual(await desk.outbox(), [{ message_id: id, state: "unknown" }]);
});

test("a status that comes before our call's answer leaves one message with all its steps", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  m.graph.answer = async () => {
    const status = (word: "sent" | "delivered") =>
      desk.status({ externalMessageId: "wamid.fast", status: word });
    await receiveEvents(m.t.app, [status("delivered"), status("sent")]);
    return json(200, { messages: [{ id: "wamid.fast" }] });
  };
  const { id } = await desk.replies(conversationId);
  await m.t.app.drain();
  assert.deepEqual(await shown(desk, id), ["delivered", null, "wamid.fast"]);
  assert.deepEqual(await desk.moves(), ["sent>delivered"]);
  const [parked] = await m.t.app.db.query(sql`select count(*) as n from early_status`);
  assert.deepEqual(parked, { n: 0 });
});

test("when the platform tells another number of a customer, both numbers lead to the contact", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("5511999990001");
  m.graph.answer = () =>
    json(200, { contacts: [{ wa_id: "551199990001" }], messages: [{ id: "wamid.br" }] });
  await desk.replies(conversationId);
  await m.t.app.drain();
  await receiveEvents(m.t.app, [desk.message("551199990001", "obrigada")]);
  const [found] = await m.t.app.db.query<{ contacts: number; conversations: number }>(sql`
    select (select count(*)::int from contact where workspace_id = ${desk.workspaceId}) as contacts,
      (select count(*)::int from conversation where workspace_id = ${desk.workspaceId}) as conversations`);
  assert.deepEqual(found, { contacts: 1, conversations: 1 });
});
