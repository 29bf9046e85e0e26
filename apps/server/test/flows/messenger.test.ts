import { OPERATOR } from "../../src/actor.ts";
import { AGENT } from "../actors.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { findChannel } from "../../src/channels/list-channels.ts";
import { sql } from "../../src/db/sql.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { MetaStand } from "../meta-shop.ts";
import { startReceiver, type Receiver } from "../webhook-receiver.ts";

/** The whole way over real HTTP: our server, the emulated Messenger, and a customer's webhook endpoint. */
const SARA = "99900000001234";
const HOUR = 3_600_000;

let stand: MetaStand;
before(async () => {
  stand = await MetaStand.start("MESSENGER");
});
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.meta.clear());

const drain = () => stand.t.app.drain();

test("a customer writes, we answer, the platform takes it, delivers it and it is read", async () => {
  const shop = await stand.openShop();
  assert.equal(await stand.meta.verify(shop.pageId), true);
  assert.equal(await stand.meta.verify(shop.pageId, "another token"), false);
  const conversationId = await shop.hears(SARA, "مرحبا 😀 / hello");
  assert.equal((await shop.all("inbound"))[0]?.text, "مرحبا 😀 / hello");
  const { id, status } = await shop.replies(conversationId, "أهلا 🌷");
  assert.equal(status, "sent");
  await drain();
  const [sent] = stand.meta.messages();
  assert.deepEqual(
    [sent?.to, sent?.text, sent?.messagingType, sent?.metadata],
    [SARA, "أهلا 🌷", "RESPONSE", id],
  );
  stand.t.clock.advance(60_000);
  await stand.meta.flush();
  assert.equal((await shop.stored(id)).provider_message_id, sent?.id);
  assert.deepEqual(await shop.moves(id), ["sent>delivered", "delivered>read"]);
  assert.equal((await shop.all("outbound")).length, 1, "the echo is no second message");
});

test("echo and marks that come before the answer settle the reply, each once", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears("99900000000908");
  const { id } = await shop.replies(conversationId, "hello");
  await drain();
  assert.equal((await shop.stored(id)).status, "read");
  assert.equal((await shop.all("outbound")).length, 1);
  assert.deepEqual(await shop.moves(id), ["sent>delivered", "delivered>read"]);
});

test("a lost answer is settled by the echo and never sent again", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears("99900000000911");
  const { id } = await shop.replies(conversationId, "hello");
  await drain();
  assert.deepEqual(await shop.outbox(), ["unknown"]);
  await stand.meta.flush();
  assert.equal((await shop.stored(id)).status, "read");
  assert.deepEqual(await shop.outbox(), []);
  stand.t.clock.advance(HOUR);
  await drain();
  assert.equal(stand.meta.messages().length, 1);
  assert.deepEqual(stand.meta.ledger.repeated(), []);
});

test("a read watermark covers what went before it and nothing after", async () => {
  const shop = await stand.openShop();
  const customer = "99900000000907";
  const conversationId = await shop.hears(customer);
  const ids: string[] = [];
  for (const text of ["one", "two", "three"]) {
    ids.push((await shop.replies(conversationId, text)).id);
    await drain();
    if (text === "two") {
      stand.t.clock.advance(1000);
      stand.meta.mark(shop.pageId, customer, "read");
      stand.t.clock.advance(1000);
    }
  }
  const late = (await shop.replies(conversationId, "still waiting")).id;
  await stand.meta.flush();
  const statuses = await Promise.all(
    [...ids, late].map(async (id) => (await shop.stored(id)).status),
  );
  assert.deepEqual(statuses, ["read", "read", "sent", "sent"]);
  await drain();
  stand.meta.mark(shop.pageId, customer, "delivered");
  await stand.meta.flush();
  assert.equal((await shop.stored(late)).status, "delivered");
});

test("an answer from the page's own inbox is shown as ours, from the channel, to the customer it went to", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears(SARA);
  stand.meta.agentReply(shop.pageId, SARA, "from the app");
  stand.meta.agentReply(shop.pageId, SARA, "from the app");
  await stand.meta.flush(4);
  const shown = await shop.all("outbound");
  assert.deepEqual(
    shown.map(({ text, source, status }) => [text, source, status]),
    [
      ["from the app", "channel", "sent"],
      ["from the app", "channel", "sent"],
    ],
  );
  assert.ok(conversationId);
});

test("a product that a customer shares and a card that the page's bot sends are stored in words", async () => {
  const shop = await stand.openShop();
  const { pageId } = shop;
  const product = { id: "4217", retailer_id: "SKU-17", title: "Travel Bag", subtitle: "$49.90" };
  const shared = { type: "template", payload: { product: { elements: [product] } } };
  stand.meta.inbound({ pageId, from: SARA, message: { attachments: [shared] } });
  const buttons = [{ type: "postback", title: "Start Chatting", payload: "CHAT" }];
  const elements = [{ title: "Welcome!", subtitle: "For everyone.", buttons }];
  const card = { type: "template", payload: { template_type: "generic", elements } };
  stand.meta.push(pageId, {
    sender: { id: pageId },
    recipient: { id: SARA },
    timestamp: stand.t.clock.now().getTime(),
    message: { mid: "m_card", is_echo: true, app_id: 1517776481860111, attachments: [card] },
  });
  await stand.meta.flush();
  const shown = [...(await shop.all("inbound")), ...(await shop.all("outbound"))];
  assert.deepEqual(
    shown.map(({ type, text, attachments }) => ({ type, text, attachments })),
    [
      {
        type: "template",
        text: "Travel Bag\n$49.90",
        attachments: [
          {
            type: "template",
            title: "Travel Bag",
            subtitle: "$49.90",
            id: "4217",
            retailerId: "SKU-17",
          },
        ],
      },
      {
        type: "template",
        text: "Welcome!\nFor everyone.\n• Start Chatting",
        attachments: [
          {
            type: "template",
            title: "Welcome!",
            subtitle: "For everyone.",
            buttons: [{ text: "Start Chatting", payload: "CHAT" }],
          },
        ],
      },
    ],
  );
});

const LONG = Array.from(
  { length: 60 },
  (_, n) => `Sentence number ${n} tells what the customer wants to know about it.`,
).join(" ");

test("a long reply goes in parts, in order, as one message that is read when all of them are", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears("99900000000907");
  const { id } = await shop.replies(conversationId, LONG);
  const after = await shop.replies(conversationId, "after the long one");
  await drain();
  const sent = stand.meta.messages();
  const texts = sent.map((one) => one.text ?? "");
  assert.ok(texts.length >= 3 && texts.every((text) => text.length <= 2000));
  assert.equal(texts.slice(0, -1).join(" "), LONG);
  assert.equal(texts.at(-1), "after the long one");
  assert.ok(after.id);
  const message = await shop.stored(id);
  assert.deepEqual([message.status, message.part_count], ["sent", texts.length - 1]);
  assert.equal(message.provider_message_id, sent[0]?.id);
  const mark = (mids: string[], at = stand.t.clock.now().getTime()) =>
    stand.meta.push(shop.pageId, {
      sender: { id: "99900000000907" },
      recipient: { id: shop.pageId },
      timestamp: at,
      delivery: { mids, watermark: at },
    });
  mark([sent[0]?.id ?? ""]);
  await stand.meta.flush();
  assert.equal((await shop.stored(id)).status, "sent", "one part alone is not the message");
  mark(sent.map((one) => one.id));
  await stand.meta.flush();
  assert.equal((await shop.stored(id)).status, "delivered");
  stand.meta.mark(shop.pageId, "99900000000907", "read");
  await stand.meta.flush();
  assert.deepEqual(await shop.moves(id), ["sent>delivered", "delivered>read"]);
});

test("a part whose answer is lost holds the rest until its echo, and nothing is sent twice", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears("99900000005555");
  stand.meta.fault({ kind: "drop", accepted: true, skip: 1 });
  const { id } = await shop.replies(conversationId, LONG);
  await drain();
  assert.equal(stand.meta.messages().length, 2);
  assert.deepEqual(
    (await shop.parts(id)).map((part) => part.status),
    ["sent", "sent", "waiting"],
  );
  await stand.meta.flush();
  await drain();
  await stand.meta.flush();
  assert.equal(stand.meta.messages().length, 3);
  assert.equal((await shop.stored(id)).status, "read");
  assert.deepEqual(stand.meta.ledger.repeated(), []);
});

test("a part whose answer is lost for good fails the message, and the rest is not sent", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears("99900000000907");
  stand.meta.fault({ kind: "drop", accepted: false, skip: 1 });
  const { id } = await shop.replies(conversationId, LONG);
  await drain();
  stand.t.clock.advance(16 * 60_000);
  await drain();
  const message = await shop.stored(id);
  assert.deepEqual([message.status, message.error_code], ["failed", "OUTCOME_UNKNOWN"]);
  assert.match(message.error_message ?? "", /^Part 2 of 3/);
  assert.equal(stand.meta.messages().length, 1);
  assert.deepEqual(await shop.outbox(), []);
});

test("a reply given up between two parts, as after a restore, ends failed and sends no more", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears("99900000000907");
  stand.meta.fault({ kind: "code", code: 613, skip: 1 });
  const { id } = await shop.replies(conversationId, LONG);
  await drain();
  await stand.t.app.db.query(sql`update message_outbox set state = 'unknown',
    unknown_until = ${stand.t.clock.now()} where workspace_id = ${shop.workspaceId}`);
  await drain();
  const message = await shop.stored(id);
  assert.deepEqual([message.status, message.error_code], ["failed", "OUTCOME_UNKNOWN"]);
  stand.t.clock.advance(HOUR);
  await drain();
  assert.equal(stand.meta.messages().length, 1);
});

test("a part that is throttled waits and goes once; a part that is refused fails the message", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears("99900000000907");
  stand.meta.fault({ kind: "code", code: 613, skip: 1 });
  const first = await shop.replies(conversationId, LONG);
  await drain();
  assert.equal(stand.meta.messages().length, 1);
  stand.t.clock.advance(61_000);
  await drain();
  assert.equal(stand.meta.messages().length, 3);
  assert.deepEqual(
    (await shop.parts(first.id)).map((part) => part.status),
    ["sent", "sent", "sent"],
  );
  stand.meta.fault({ kind: "code", code: 100, skip: 1 });
  const second = await shop.replies(conversationId, LONG);
  await drain();
  const message = await shop.stored(second.id);
  assert.deepEqual([message.status, message.error_code], ["failed", "100"]);
  assert.deepEqual(
    (await shop.parts(second.id)).map((part) => part.status),
    ["sent", "failed", "failed"],
  );
  assert.equal(stand.meta.messages().length, 4);
  assert.deepEqual(stand.meta.ledger.repeated(), []);
});

test("after 24 hours a program's reply fails unsent, a person's goes with the human-agent tag until seven days", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears(SARA);
  const person = (text: string) =>
    acceptMessage(AGENT, stand.t.app, shop.workspaceId, { conversationId, text });
  await person("in time");
  await drain();
  stand.t.clock.advance(24 * HOUR + 1000);
  const late = await shop.replies(conversationId, "late");
  assert.equal(late.status, "failed");
  assert.equal((await shop.stored(late.id)).error_code, "131047");
  assert.equal((await person("late, by a person")).status, "sent");
  await drain();
  assert.deepEqual(
    stand.meta.messages().map(({ tag, messagingType }) => [tag, messagingType]),
    [
      [null, "RESPONSE"],
      ["HUMAN_AGENT", "MESSAGE_TAG"],
    ],
  );
  stand.t.clock.advance(6 * 24 * HOUR);
  assert.equal((await person("too late")).status, "failed");
  await drain();
  assert.equal(stand.meta.messages().length, 2);
});

/** By magic number (last four digits): what the platform says to a reply, and what must become of it. */
const ENDINGS: readonly (readonly [string, string, string, string | null, string])[] = [
  ["every mark twice", "0904", "read", null, "connected"],
  ["read without delivered", "0903", "read", null, "connected"],
  ["blocked or gone", "0551", "failed", "551", "connected"],
  ["one who does not receive our messages", "0108", "failed", "10", "connected"],
  ["no such customer", "0033", "failed", "100", "connected"],
  ["the platform says the window is closed", "0278", "failed", "131047", "connected"],
  ["a missing permission", "0010", "failed", "10", "error"],
  ["a refused token", "0190", "failed", "190", "error"],
  ["a restricted page", "0368", "failed", "368", "error"],
];
for (const [name, ending, status, code, channelStatus] of ENDINGS) {
  test(`${name}: the reply ends ${status} and the channel ${channelStatus}`, async () => {
    const shop = await stand.openShop();
    const conversationId = await shop.hears(`9990000000${ending}`);
    const { id } = await shop.replies(conversationId, "hello");
    await drain();
    await stand.meta.flush();
    const message = await shop.stored(id);
    assert.deepEqual([message.status, message.error_code], [status, code]);
    const channel = await findChannel(stand.t.app, shop.workspaceId, shop.channelId);
    assert.equal(channel.status, channelStatus);
  });
}

test("two pages in one call reach their own workspaces, and a page that nobody connected is left out", async () => {
  const [one, two] = [await stand.openShop(), await stand.openShop()];
  const item = (id: string, mid: string) => ({
    id,
    time: stand.t.clock.now().getTime(),
    messaging: [
      {
        sender: { id: SARA },
        recipient: { id },
        timestamp: 1_790_000_000,
        message: { mid, text: mid },
      },
    ],
  });
  const document = {
    object: "page",
    entry: [item(one.pageId, "m_a"), item("999", "m_b"), item(two.pageId, "m_c")],
  };
  assert.equal(await stand.meta.post(one.pageId, document), 200);
  assert.deepEqual(
    (await one.all("inbound")).map(({ text }) => text),
    ["m_a"],
  );
  assert.deepEqual(
    (await two.all("inbound")).map(({ text }) => text),
    ["m_c"],
  );
});

test("callbacks that are not signed as Meta signs are refused and change nothing", async () => {
  const shop = await stand.openShop();
  for (const mode of ["missing", "wrong", "sha1_only", "upper_hex", "short_hex", "utf8"] as const) {
    stand.meta.clear();
    stand.meta.inbound({ pageId: shop.pageId, from: SARA, text: `مرحبا ${mode}` });
    stand.meta.sign(mode);
    await stand.meta.flush();
    assert.deepEqual(
      stand.meta.webhooks().map(({ status }) => status),
      [401],
      mode,
    );
  }
  assert.deepEqual(await shop.all("inbound"), []);
});

test("a message that comes three times at once is stored once; the dashboard's Test button changes nothing", async () => {
  const shop = await stand.openShop();
  stand.meta.inbound({ pageId: shop.pageId, from: SARA, text: "twice", times: 3 });
  await Promise.all([stand.meta.flush(), stand.meta.flush()]);
  const value = {
    sender: { id: "12334" },
    recipient: { id: "23245" },
    timestamp: "1527459824",
    message: { mid: "random_mid", text: "random_text" },
  };
  const test = {
    object: "page",
    entry: [{ id: "0", time: 1527459824, changes: [{ field: "messages", value }] }],
  };
  assert.equal(await stand.meta.post(shop.pageId, test), 200);
  assert.equal((await shop.all("inbound")).length, 1);
});

test("the subscription ends with the last workspace that holds the page, and a wrong token connects nothing", async () => {
  const one = await stand.openShop();
  const two = await stand.openShop(one.pageId);
  await disconnectChannel(OPERATOR, stand.t.app, one.workspaceId, one.channelId);
  assert.ok(stand.meta.subscription(one.pageId));
  await disconnectChannel(OPERATOR, stand.t.app, two.workspaceId, two.channelId);
  assert.equal(stand.meta.subscription(one.pageId), null);
  stand.meta.addPage({ id: "555", accessToken: "another", appSecret: "s" });
  await assert.rejects(stand.openShop("555"), { code: "VALIDATION_FAILED" });
});

test("events of every step reach the customer's endpoint, signed", async () => {
  const shop = await stand.openShop();
  const receiver: Receiver = await startReceiver();
  await createEndpoint(OPERATOR, stand.t.app, shop.workspaceId, { url: `${receiver.base}/events` });
  const conversationId = await shop.hears(SARA);
  await shop.replies(conversationId, "hello");
  await drain();
  await stand.meta.flush();
  await drain();
  const types = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  for (const type of [
    "contact.created",
    "conversation.created",
    "message.received",
    "message.status",
  ])
    assert.ok(types.includes(type), type);
  receiver.close();
});
