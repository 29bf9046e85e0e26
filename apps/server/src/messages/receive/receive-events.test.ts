import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import { findChannel } from "../../channels/list-channels.ts";
import { updateCredentials } from "../../channels/update-credentials.ts";
import type { Context } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { updateConversation } from "../../conversations/update-conversation.ts";
import { sql } from "../../db/sql.ts";
import { GroupCommit } from "../../lib/group-commit.ts";
import { usageSummary } from "../../usage/usage-summary.ts";
import { listMessages } from "../record/find-message.ts";
import { receiveEvents } from "./receive-events.ts";
import { receiveMessages } from "./receive-messages.ts";

let m: Messaging;
let desk: Desk;
before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
});
after(() => m[Symbol.asyncDispose]());

const HOUR = 3_600_000;
const take = (...events: InboundEvent[]) =>
  receiveEvents(
    m.t.app,
    events.map((event) => ({ account: desk.account, event })),
  );
const thread = async (id: string) => {
  const conversation = await findConversation(m.t.app, desk.workspaceId, id);
  return conversation ?? assert.fail("no conversation");
};
const messages = async (id: string) => (await listMessages(m.t.app, desk.workspaceId, id)).messages;
const count = async (table: "contact" | "conversation" | "message", workspaceId: string) => {
  const statements = {
    contact: sql`select count(*) as n from contact where workspace_id = ${workspaceId}`,
    conversation: sql`select count(*) as n from conversation where workspace_id = ${workspaceId}`,
    message: sql`select count(*) as n from message where workspace_id = ${workspaceId}`,
  };
  return (await m.t.app.db.query<{ n: number }>(statements[table]))[0]?.n;
};

test("a first message creates contact, conversation and message, and emits one event of each", async () => {
  const fresh = await Desk.open(m);
  const id = await fresh.hears("96561000001", "مرحبا 👋");
  const [message] = (await listMessages(m.t.app, fresh.workspaceId, id)).messages;
  assert.deepEqual(
    [message?.direction, message?.status, message?.text, message?.source],
    ["inbound", "received", "مرحبا 👋", "channel"],
  );
  const conversation = await findConversation(m.t.app, fresh.workspaceId, id);
  assert.equal(conversation?.unreadCount, 1);
  assert.deepEqual(conversation?.windowExpiresAt, new Date(m.t.clock.now().getTime() + 24 * HOUR));
  const [received] = await fresh.events("message.received");
  assert.ok(received);
  assert.equal((received["message"] as { id: string }).id, message?.id);
  assert.equal(received["channelType"], "WHATSAPP");
  assert.equal((await fresh.events("conversation.created")).length, 1);
  assert.equal((await fresh.events("contact.created")).length, 1);
  assert.equal((await usageSummary(m.t.app, fresh.workspaceId)).period.received, 1);
});

test("fifty copies at once, together and each in its own transaction, are stored as one message", async () => {
  const fresh = await Desk.open(m);
  const copy = fresh.message("96561000002", "once");
  await Promise.all([
    ...Array.from({ length: 25 }, () => receiveEvents(m.t.app, [copy])),
    ...Array.from({ length: 25 }, () =>
      m.t.app.db.transaction((tx) => receiveMessages(m.t.app, tx, [copy])),
    ),
  ]);
  for (const table of ["contact", "conversation", "message"] as const)
    assert.equal(await count(table, fresh.workspaceId), 1, table);
  assert.equal((await fresh.events("message.received")).length, 1);
  assert.equal((await usageSummary(m.t.app, fresh.workspaceId)).period.received, 1);
  const [row] = await m.t.app.db.query(
    sql`select unread_count from conversation where workspace_id = ${fresh.workspaceId}`,
  );
  assert.deepEqual(row, { unread_count: 1 });
});

test("one call may hold a message twice and name accounts of two workspaces", async () => {
  const [a, b] = [await Desk.open(m), await Desk.open(m)];
  const one = a.message("96561000003", "to a");
  assert.deepEqual(await receiveEvents(m.t.app, [one, one, b.message("96561000003", "to b")]), {
    taken: 3,
    failed: 0,
  });
  assert.deepEqual(
    [await count("message", a.workspaceId), await count("message", b.workspaceId)],
    [1, 1],
  );
});

test("a message opens a resolved conversation, and an event tells so", async () => {
  const id = await desk.hears("96561000004");
  await m.t.app.db.query(sql`update conversation set status = 'resolved' where id = ${id}`);
  const before = (await desk.events("conversation.updated")).length;
  await desk.hears("96561000004", "again");
  assert.deepEqual([(await thread(id)).status, (await thread(id)).unreadCount], ["open", 2]);
  await desk.hears("96561000004", "and again");
  assert.equal((await desk.events("conversation.updated")).length, before + 1);
});

test("the window counts from the message's own time and never goes back; a clock that is ahead adds nothing", async () => {
  const now = m.t.clock.now();
  const from = "96561000005";
  const id = await desk.hears(from);
  const end = new Date(now.getTime() + 24 * HOUR);
  await take(desk.message(from, "late", { occurredAt: new Date(now.getTime() - 5 * HOUR) }).event);
  assert.deepEqual((await thread(id)).windowExpiresAt, end);
  await take(desk.message(from, "early", { occurredAt: new Date(now.getTime() + HOUR) }).event);
  assert.deepEqual((await thread(id)).windowExpiresAt, end);
  const old = desk.message("96561000006", "old", {
    occurredAt: new Date(now.getTime() - 25 * HOUR),
  });
  await take(old.event);
  const [row] = await m.t.app.db.query<{ id: string }>(
    sql`select id from conversation where external_id = '96561000006'`,
  );
  assert.equal((await desk.replies(row?.id ?? "")).errorCode, "131047");
});

test("a reaction does not open the window", async () => {
  const from = "96561000007";
  await take(
    desk.message(from, "👍", {
      opensWindow: false,
      content: { type: "reaction", text: "👍", attachments: [] },
    }).event,
  );
  const [row] = await m.t.app.db.query<{ id: string }>(
    sql`select id from conversation where external_id = ${from}`,
  );
  assert.equal((await thread(row?.id ?? "")).windowExpiresAt, null);
});

test("a reaction that was taken back is stored and told; of the conversation only its last time moves", async () => {
  const fresh = await Desk.open(m);
  const from = "96561000031";
  const id = await fresh.hears(from);
  const { workspaceId } = fresh;
  const seen = async () => {
    const found = await findConversation(m.t.app, workspaceId, id);
    return [found?.status, found?.unreadCount, found?.windowExpiresAt, found?.lastMessageAt];
  };
  const windowEnd = (await findConversation(m.t.app, workspaceId, id))?.windowExpiresAt;
  const react = (emoji: string | null) => {
    m.t.clock.advance(1_000);
    const attachments = [{ type: "reaction", messageId: "wamid.A", ...(emoji && { emoji }) }];
    const content = { type: "reaction", text: emoji, attachments };
    return receiveEvents(m.t.app, [fresh.message(from, "", { content, opensWindow: false })]);
  };
  const resolve = { status: "resolved", read: true } as const;
  await updateConversation(OPERATOR, m.t.app, workspaceId, id, resolve);
  await react(null);
  assert.deepEqual(await seen(), ["resolved", 0, windowEnd, m.t.clock.now()]);
  assert.equal((await fresh.events("message.received")).length, 2);
  assert.equal((await fresh.events("conversation.updated")).length, 1);
  await react("👍");
  assert.deepEqual(await seen(), ["open", 1, windowEnd, m.t.clock.now()]);
  assert.equal((await fresh.events("conversation.updated")).length, 2);
  await react(null);
  assert.deepEqual(await seen(), ["open", 1, windowEnd, m.t.clock.now()]);
});

test("STOP opts out and START opts in again, with one event each", async () => {
  const fresh = await Desk.open(m);
  for (const text of ["إلغاء", "stop", "do not stop", "START"])
    await fresh.hears("96561000008", text);
  assert.equal((await fresh.events("contact.opted_out")).length, 1);
  assert.equal((await fresh.events("contact.opted_in")).length, 1);
});

test("a failure that says that the customer opted out does so, found by our id or the platform's", async () => {
  const fresh = await Desk.open(m);
  const [a, b] = [await fresh.hears("96561000011"), await fresh.hears("96561000012")];
  const [first, second] = [await fresh.replies(a), await fresh.replies(b)];
  await m.t.app.drain();
  const [stored] = (await listMessages(m.t.app, fresh.workspaceId, b, { limit: 1 })).messages;
  assert.equal(stored?.id, second.id);
  const failed = { status: "failed", errorCode: "131050", optedOut: true } as const;
  await receiveEvents(m.t.app, [
    fresh.status({ ...failed, correlationId: first.id, externalMessageId: "wamid.x1" }),
    fresh.status({ ...failed, externalMessageId: stored?.providerMessageId ?? "" }),
  ]);
  assert.equal((await fresh.events("contact.opted_out")).length, 2);
});

test("a report of an opt-out that comes again, or late, after START changes nothing; a newer one counts", async () => {
  const fresh = await Desk.open(m);
  const from = "96561000024";
  const id = await fresh.hears(from);
  const { id: correlationId } = await fresh.replies(id);
  await m.t.app.drain();
  const counts = async () => [
    (await fresh.events("contact.opted_out")).length,
    (await fresh.events("contact.opted_in")).length,
  ];
  const report = () =>
    fresh.status({
      status: "failed",
      errorCode: "131050",
      optedOut: true,
      correlationId,
      externalMessageId: "wamid.x1",
      occurredAt: m.t.clock.now(),
    });
  const stopped = report();
  m.t.clock.advance(2_000);
  await receiveEvents(m.t.app, [stopped]);
  await receiveEvents(m.t.app, [stopped]);
  assert.deepEqual(await counts(), [1, 0]);
  const late = report();
  m.t.clock.advance(2_000);
  await fresh.hears(from, "START");
  assert.deepEqual(await counts(), [1, 1]);
  await receiveEvents(m.t.app, [stopped, late]);
  assert.deepEqual(await counts(), [1, 1]);
  m.t.clock.advance(2_000);
  await receiveEvents(m.t.app, [report(), stopped]);
  assert.deepEqual(await counts(), [2, 1]);
});

test("an echo is stored as outbound, takes a slot when one is left, and never opens the window", async () => {
  const fresh = await Desk.open(m, { messages: 1 });
  const echo = (n: number): InboundEvent => ({
    kind: "echo",
    accountExternalId: "1",
    externalMessageId: `echo.${n}`,
    to: { externalId: "96561000013", phone: "96561000013" },
    occurredAt: m.t.clock.now(),
    content: { type: "text", text: `from the phone ${n}`, attachments: [] },
  });
  const items = [1, 2, 1].map((n) => ({ account: fresh.account, event: echo(n) }));
  for (const item of items) await receiveEvents(m.t.app, [item]);
  assert.equal(await count("message", fresh.workspaceId), 2);
  assert.equal((await fresh.events("message.created")).length, 2);
  assert.equal((await fresh.events("conversation.created")).length, 1);
  const { usage, period } = await usageSummary(m.t.app, fresh.workspaceId);
  assert.deepEqual([usage.messages, period.sent], [1, 1]);
  const [row] = await m.t.app.db.query(
    sql`select window_expires_at from conversation where workspace_id = ${fresh.workspaceId}`,
  );
  assert.deepEqual(row, { window_expires_at: null });
});

test("an edited message shows its new text, a withdrawn one shows that it was withdrawn", async () => {
  const from = "96561000014";
  const first = desk.message(from, "helo");
  await take(first.event);
  const [row] = await m.t.app.db.query<{ id: string }>(
    sql`select id from conversation where external_id = ${from}`,
  );
  const id = row?.id ?? "";
  const base = {
    accountExternalId: "1",
    externalMessageId: first.event.externalMessageId,
    occurredAt: m.t.clock.now(),
  };
  const at = m.t.clock.now().toISOString();
  await take({ ...base, kind: "edited", text: "hello" });
  const [edited] = await messages(id);
  assert.deepEqual([edited?.text, edited?.attachments], ["hello", [{ type: "edited", at }]]);
  await take({ ...base, kind: "deleted", text: null });
  await take({ ...base, kind: "edited", text: "too late" });
  const [deleted] = await messages(id);
  assert.deepEqual(
    [deleted?.type, deleted?.text, deleted?.attachments],
    ["deleted", null, [{ type: "deleted", at }]],
  );
});

test("a platform's preference and a changed number find the person", async () => {
  const fresh = await Desk.open(m);
  const id = await fresh.hears("96561000015");
  const at = { accountExternalId: "1", occurredAt: m.t.clock.now() };
  const events: InboundEvent[] = [
    { ...at, kind: "preference", customerExternalId: "96561000015", optedOut: true },
    { ...at, kind: "number_changed", fromExternalId: "96561000015", toExternalId: "96561000016" },
  ];
  for (const event of events) await receiveEvents(m.t.app, [{ account: fresh.account, event }]);
  assert.equal((await fresh.events("contact.opted_out")).length, 1);
  assert.equal((await findConversation(m.t.app, fresh.workspaceId, id))?.externalId, "96561000016");
  assert.equal(await fresh.hears("96561000016", "it is me"), id);
  assert.equal(await count("contact", fresh.workspaceId), 1);
  const [contact] = await m.t.app.db.query(
    sql`select phone from contact where workspace_id = ${fresh.workspaceId}`,
  );
  assert.deepEqual(contact, { phone: "96561000016" });
});

test("a blocking alert turns the channel to error; another alert is told to the admins once a day", async () => {
  const fresh = await Desk.open(m);
  const alert = (blocking: boolean): InboundEvent => ({
    kind: "account_alert",
    accountExternalId: "1",
    businessId: null,
    code: "LOW_QUALITY",
    detail: "quality is low",
    blocking,
    occurredAt: m.t.clock.now(),
  });
  for (const blocking of [false, false, true]) {
    await receiveEvents(m.t.app, [{ account: fresh.account, event: alert(blocking) }]);
  }
  const notices = await m.t.app.db.query(
    sql`select kind from notice where workspace_id = ${fresh.workspaceId} order by id`,
  );
  assert.deepEqual(notices, [{ kind: "channel.alert" }, { kind: "channel.error" }]);
});

test("a late or repeated alert about a repaired fault leaves the channel connected", async () => {
  const fresh = await Desk.open(m);
  const { workspaceId, channelId } = fresh.account;
  const status = async (occurredAt: Date) => {
    const event = fresh.status({
      status: "failed",
      errorCode: "131031",
      scope: "account",
      occurredAt,
    });
    const alert = { accountExternalId: "1", businessId: null, code: "131031", detail: "locked" };
    await receiveEvents(m.t.app, [
      event,
      { ...event, event: { kind: "account_alert", ...alert, blocking: true, occurredAt } },
    ]);
    return (await findChannel(m.t.app, workspaceId, channelId)).status;
  };
  const first = m.t.clock.now();
  assert.equal(await status(first), "error");
  m.t.clock.advance(HOUR);
  await updateCredentials(OPERATOR, m.t.app, workspaceId, channelId, {});
  assert.equal(await status(first), "connected");
  m.t.clock.advance(2000);
  assert.equal(await status(m.t.clock.now()), "error");
});

test("content with NUL and lone surrogates is stored clean", async () => {
  const id = await desk.hears("96561000017");
  await take(
    desk.message("96561000017", "a\0b\ud800c", {
      content: { type: "text", text: "a\0b\ud800c", attachments: [{ "n\0": ["x\0", 1, null] }] },
    }).event,
  );
  const [message] = await messages(id);
  assert.deepEqual([message?.text, message?.attachments], ["ab\ufffdc", [{ n: ["x", 1, null] }]]);
});

test("events that cannot be taken in are kept and tried again one by one; the others are stored", async () => {
  const fresh = await Desk.open(m);
  const bad = [fresh.message("96561000018", "later"), fresh.message("96561000018", "much later")];
  // A passing fault: something refuses these rows.
  await m.t.app.db.query(
    sql`alter table message add constraint refuse check (text not like '%later')`,
  );
  const result = await receiveEvents(m.t.app, [...bad, fresh.message("96561000019", "now")]);
  assert.deepEqual(result, { taken: 1, failed: 2 });
  assert.equal(await count("message", fresh.workspaceId), 1);
  const kept = () =>
    m.t.app.db.query<{ attempts: number }>(
      sql`select attempts from inbound_failure where workspace_id = ${fresh.workspaceId}`,
    );
  const reasons = () =>
    m.t.app.db.query(
      sql`select distinct error from inbound_failure where workspace_id = ${fresh.workspaceId}`,
    );
  const refused = [{ error: "error (23514, refuse)" }];
  assert.deepEqual(await reasons(), refused);
  m.t.clock.advance(60_000);
  await m.t.app.drain();
  assert.deepEqual(await kept(), [{ attempts: 2 }, { attempts: 2 }]);
  assert.deepEqual(await reasons(), refused);
  await m.t.app.db.query(
    sql`alter table message drop constraint refuse, add constraint refuse check (text <> 'much later')`,
  );
  m.t.clock.advance(4 * 60_000);
  await m.t.app.drain();
  assert.deepEqual(await kept(), [{ attempts: 3 }]);
  assert.equal(await count("message", fresh.workspaceId), 2);
  await m.t.app.db.query(sql`alter table message drop constraint refuse`);
  m.t.clock.advance(9 * 60_000);
  await m.t.app.drain();
  assert.deepEqual(await kept(), []);
  assert.equal(await count("message", fresh.workspaceId), 3);
});

test("while the database is away nothing is kept as a failure: the platform calls again", async () => {
  await using other = await startMessaging();
  const desk2 = await Desk.open(other);
  const item = desk2.message("96550000077", "hello");
  const cut = new Error("Connection terminated unexpectedly");
  const db = { ...other.t.app.db, transaction: () => Promise.reject(cut) };
  const away = { ...other.t.app, groupCommit: new GroupCommit<Context>(db, () => other.t.app) };
  await assert.rejects(receiveEvents(away, [item]), cut);
  assert.deepEqual(await other.t.app.db.query(sql`select id from inbound_failure`), []);
  assert.deepEqual(await receiveEvents(other.t.app, [item]), { taken: 1, failed: 0 });
});

test("an address that is not http or https is dropped from a message, and the attachment says so", async () => {
  const fresh = await Desk.open(m);
  const { account, event } = fresh.message("96561000077", "look");
  assert.ok(event.kind === "message");
  const attachments = [
    { type: "link", url: "javascript:alert(1)", title: "a" },
    { type: "share", url: "//evil.example/x", id: "7" },
    { type: "location", latitude: 1, longitude: 2, url: " \tDATA:text/html,x" },
    {
      type: "template",
      imageUrl: "https://shop.example/a.png",
      url: "file:///etc/passwd",
      buttons: [
        { text: "b", url: "HTTPS://shop.example" },
        { text: "c", url: "vbscript:x" },
      ],
    },
    { type: "referral", sourceUrl: "/relative", headline: "h" },
  ];
  await receiveEvents(m.t.app, [
    { account, event: { ...event, content: { type: "link", text: "look", attachments } } },
  ]);
  const [received] = await fresh.events("message.received");
  const told = received?.["message"] as { attachments: unknown };
  assert.deepEqual(told.attachments, [
    { type: "link", title: "a", droppedAddresses: [{ member: "url", scheme: "javascript" }] },
    { type: "share", id: "7", droppedAddresses: [{ member: "url", scheme: null }] },
    {
      type: "location",
      latitude: 1,
      longitude: 2,
      droppedAddresses: [{ member: "url", scheme: "data" }],
    },
    {
      type: "template",
      imageUrl: "https://shop.example/a.png",
      buttons: [{ text: "b", url: "HTTPS://shop.example" }, { text: "c" }],
      droppedAddresses: [
        { member: "url", scheme: "file" },
        { member: "buttons.1.url", scheme: "vbscript" },
      ],
    },
    { type: "referral", headline: "h", droppedAddresses: [{ member: "sourceUrl", scheme: null }] },
  ]);
});
