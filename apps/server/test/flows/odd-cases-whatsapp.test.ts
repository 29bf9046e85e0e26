import { OPERATOR } from "../../src/actor.ts";
import { KEY } from "../actors.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { sql } from "../../src/db/sql.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { serve, type Served } from "../web-shop.ts";

/** Odd cases of the Cloud API beside those of its flow (`whatsapp.test.ts`). */
const HOUR = 3_600_000;
const CUSTOMER = "96550001234";

let t: TestApp;
let served: Served;
let meta: WhatsAppEmulator;
before(async () => {
  t = await startTestApp();
  served = await serve(t.app);
  meta = await createWhatsAppEmulator({ delivery: "manual", clock: t.clock });
});
after(async () => {
  await meta.close();
  await served.server.close();
  await t[Symbol.asyncDispose]();
});
beforeEach(() => meta.clear());

let numbers = 0;
async function openShop(): Promise<{ workspaceId: string; phoneNumberId: string }> {
  const phoneNumberId = String(106540352243000 + ++numbers);
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "Shop",
    plan: "business",
  });
  const account = {
    phoneNumberId,
    wabaId: "102290129340398",
    accessToken: `EAAB${phoneNumberId}`,
    appSecret: "app-secret-1",
  };
  const { id } = await connectChannel(OPERATOR, t.app, workspaceId, {
    type: "WHATSAPP",
    name: "Shop",
    ...account,
    verifyToken: "verify-1",
    apiUrl: meta.url,
  });
  const url = `${served.base}/hooks/whatsapp/${id}`;
  meta.addNumber({ ...account, webhook: { url, verifyToken: "verify-1" } });
  return { workspaceId, phoneNumberId };
}

const messagesOf = (workspaceId: string, direction: "inbound" | "outbound") =>
  t.app.db.query<{ id: string; status: string; text: string | null; conversation_id: string }>(sql`
    select id, status, text, conversation_id from message
    where workspace_id = ${workspaceId} and direction = ${direction} order by id`);

async function hears(shop: Awaited<ReturnType<typeof openShop>>, text: string): Promise<string> {
  meta.inbound({ phoneNumberId: shop.phoneNumberId, from: CUSTOMER, name: "Sara", text });
  await meta.flush();
  return (await messagesOf(shop.workspaceId, "inbound")).at(-1)?.conversation_id ?? "";
}

test("answers that are none are settled by the status, and the reply leaves once", async () => {
  const { workspaceId, ...shop } = await openShop();
  const conversationId = await hears({ workspaceId, ...shop }, "hello");
  const kinds = ["empty", "cut", "oversize", "html", "truncated", "drop"] as const;
  for (const kind of kinds) {
    meta.fault({ kind, accepted: true, bytes: 1024 * 1024 });
    await acceptMessage(KEY, t.app, workspaceId, { conversationId, text: kind });
    await t.app.drain();
    t.clock.advance(6_000);
  }
  assert.equal(meta.messages().length, kinds.length);
  await meta.flush();
  await t.app.drain();
  assert.deepEqual(
    (await messagesOf(workspaceId, "outbound")).map(({ text, status }) => [text, status]),
    kinds.map((kind) => [kind, "read"]),
  );
  t.clock.advance(HOUR);
  await t.app.drain();
  assert.equal(meta.messages().length, kinds.length);
  assert.deepEqual(meta.ledger.repeated(), []);
});

test("an answer that never comes is unknown for 15 minutes and then failed; a status that comes after corrects it", async () => {
  const { workspaceId, ...shop } = await openShop();
  const conversationId = await hears({ workspaceId, ...shop }, "hello");
  meta.fault({ kind: "drop", accepted: true });
  await acceptMessage(KEY, t.app, workspaceId, { conversationId, text: "lost" });
  await t.app.drain();
  t.clock.advance(HOUR / 2);
  await t.app.drain();
  assert.deepEqual(
    (await messagesOf(workspaceId, "outbound")).map(({ status }) => status),
    ["failed"],
  );
  await meta.flush();
  await t.app.drain();
  assert.deepEqual(
    (await messagesOf(workspaceId, "outbound")).map(({ status }) => status),
    ["read"],
  );
  assert.equal(meta.messages().length, 1);
});

/** A call of Meta's about a number, as it comes in; gives nothing that the emulator would not. */
async function told(
  { phoneNumberId }: { readonly phoneNumberId: string },
  value: object,
  field = "messages",
): Promise<void> {
  const metadata = { display_phone_number: "15550783881", phone_number_id: phoneNumberId };
  const change = { field, value: { messaging_product: "whatsapp", metadata, ...value } };
  const entry = [{ id: "102290129340398", time: 1743451903, changes: [change] }];
  const document = { object: "whatsapp_business_account", entry };
  assert.equal(await meta.post(phoneNumberId, document), 200);
}
const countOf = async (workspaceId: string, table: "contact" | "notice") => {
  const rows = await t.app.db.query<{ n: number }>(
    table === "contact"
      ? sql`select count(*)::integer as n from contact where workspace_id = ${workspaceId}`
      : sql`select count(*)::integer as n from notice where workspace_id = ${workspaceId}`,
  );
  return rows[0]?.n;
};

test("a message that Meta could not load is shown, opens no window and tells no admin; the answer about calls opens one", async () => {
  const shop = await openShop();
  const { workspaceId, phoneNumberId } = shop;
  const seconds = () => String(Math.trunc(t.clock.now().getTime() / 1000));
  const said = (id: string) => ({ from: CUSTOMER, id, timestamp: seconds(), type: "interactive" });
  // Code 131000, "Something went wrong", beside the message and in it.
  const errors = [{ code: 131000, title: "Something went wrong", message: "Something went wrong" }];
  await told(shop, { messages: [said("wamid.failed.1")], errors });
  await told(shop, { messages: [{ ...said("wamid.failed.2"), errors }] });
  const rows = await t.app.db.query<{ type: string; detail: string; conversation_id: string }>(sql`
    select type, attachments->0->>'detail' as detail, conversation_id
    from message where workspace_id = ${workspaceId} order by id`);
  const detail = "WhatsApp failed to load this message: Something went wrong";
  assert.deepEqual(
    rows.map((row) => [row.type, row.detail]),
    [
      ["unsupported", detail],
      ["unsupported", detail],
    ],
  );
  assert.equal(await countOf(workspaceId, "notice"), 0);
  const conversationId = rows[0]?.conversation_id ?? "";
  const input = { conversationId, text: "hello?" } as const;
  assert.equal((await acceptMessage(KEY, t.app, workspaceId, input)).errorCode, "131047");
  const call_permission_reply = { response: "reject", response_source: "user_action" };
  const interactive = { type: "call_permission_reply", call_permission_reply };
  meta.inbound({ phoneNumberId, from: CUSTOMER, message: { type: "interactive", interactive } });
  await meta.flush();
  const texts = (await messagesOf(workspaceId, "inbound")).map(({ text }) => text);
  assert.deepEqual(texts, [null, null, "Calls not allowed"]);
  assert.equal((await acceptMessage(KEY, t.app, workspaceId, input)).status, "sent");
  await t.app.drain();
});

test("a new number or user id of an unknown customer creates no contact; a contact with the new number gets the id", async () => {
  const shop = await openShop();
  const timestamp = String(Math.trunc(t.clock.now().getTime() / 1000));
  // As david-lev/pywa has them (system.json) and Meta documents `user_id_update`.
  const system = { type: "user_changed_number", body: "User A changed", wa_id: "96550005678" };
  const from = { from: CUSTOMER, id: "wamid.system", timestamp, type: "system" };
  await told(shop, { messages: [{ ...from, system }] });
  const user_id = { previous: "KW.1", current: "KW.2" };
  await told(shop, { user_id_update: [{ user_id, timestamp }] }, "user_id_update");
  assert.equal(await countOf(shop.workspaceId, "contact"), 0);
  const text = { timestamp, type: "text", text: { body: "hello" } };
  await told(shop, { messages: [{ from: CUSTOMER, id: "wamid.1", ...text }] });
  const update = { wa_id: CUSTOMER, user_id, timestamp };
  await told(shop, { user_id_update: [update] }, "user_id_update");
  await told(shop, { messages: [{ from_user_id: "KW.2", id: "wamid.2", ...text }] });
  const threads = (await messagesOf(shop.workspaceId, "inbound")).map((row) => row.conversation_id);
  assert.deepEqual([threads.length, new Set(threads).size], [2, 1]);
});

test("a reconnected account is no alarm; one that was restricted is", async () => {
  const shop = await openShop();
  // As david-lev/pywa has them (account_update.json).
  await told(shop, { event: "ACCOUNT_RECONNECTED" }, "account_update");
  assert.equal(await countOf(shop.workspaceId, "notice"), 0);
  const restriction = { restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING" };
  const value = { event: "ACCOUNT_RESTRICTION", restriction_info: [restriction] };
  await told(shop, value, "account_update");
  assert.equal(await countOf(shop.workspaceId, "notice"), 1);
});

test("a message that Meta calls back a day late is stored and opens no closed window", async () => {
  const shop = await openShop();
  const heard = t.clock.now().getTime();
  const conversationId = await hears(shop, "hello");
  const late = {
    from: CUSTOMER,
    id: "wamid.late",
    timestamp: String(Math.trunc(heard / 1000) - 60),
  };
  t.clock.set(new Date(heard + 24 * HOUR + 1000));
  const value = {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: "15550783881", phone_number_id: shop.phoneNumberId },
    messages: [{ ...late, type: "text", text: { body: "late" } }],
  };
  const entry = [{ id: "102290129340398", changes: [{ field: "messages", value }] }];
  const document = { object: "whatsapp_business_account", entry };
  assert.equal(await meta.post(shop.phoneNumberId, document), 200);
  assert.deepEqual(
    (await messagesOf(shop.workspaceId, "inbound")).map(({ text }) => text),
    ["hello", "late"],
  );
  const input = { conversationId, text: "too late" } as const;
  assert.equal((await acceptMessage(KEY, t.app, shop.workspaceId, input)).status, "failed");
});

test("a text that the API takes and that is longer in UTF-16 units goes in two sends and is one message", async () => {
  const { workspaceId, ...shop } = await openShop();
  const conversationId = await hears({ workspaceId, ...shop }, "hello");
  const fits = "x".repeat(4096);
  const long = "😀".repeat(4096);
  for (const text of [fits, long, "after"]) {
    await acceptMessage(KEY, t.app, workspaceId, { conversationId, text });
    await t.app.drain();
    t.clock.advance(6_000);
  }
  await t.app.drain();
  const sent = meta.messages().map(({ text }) => text ?? "");
  assert.deepEqual([sent.length, sent[0], sent.at(-1)], [4, fits, "after"]);
  assert.equal(sent.slice(1, 3).join(""), long);
  await meta.flush();
  await t.app.drain();
  const stored = await messagesOf(workspaceId, "outbound");
  assert.deepEqual(
    stored.map(({ status, text }) => [status, text]),
    [fits, long, "after"].map((text) => ["read", text]),
  );
});
