import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { findChannel } from "../../src/channels/list-channels.ts";
import { sql } from "../../src/db/sql.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { CUSTOMER, HOUR, startTikTokBench, type TikTokBench } from "../tiktok-bench.ts";

let bench: TikTokBench;
before(async () => {
  bench = await startTikTokBench();
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(() => bench.clear());

test("a customer writes, we reply to the conversation, TikTok echoes it and it is read: told to the webhook", async () => {
  const shop = await bench.openShop();
  const url = bench.receiverUrl;
  await createEndpoint(OPERATOR, bench.t.app, shop.workspaceId, { url });
  assert.equal(await bench.tiktok.subscribe(shop.businessId), true);
  await bench.write(shop, "مرحبا 😀 / hello");
  const { id, status } = await shop.reply("أهلا Mona 🌷");
  assert.equal(status, "sent");
  await bench.t.app.drain();
  const [sent] = bench.tiktok.messages();
  assert.deepEqual([sent?.to, sent?.text], [CUSTOMER, "أهلا Mona 🌷"]);
  const request = bench.tiktok.requests().find(({ path }) => path.endsWith("/message/send/"));
  const body = JSON.parse(request?.body ?? "{}") as Record<string, unknown>;
  assert.deepEqual(body, {
    business_id: shop.businessId,
    recipient_type: "CONVERSATION",
    recipient: sent?.conversationId,
    message_type: "TEXT",
    text: { body: "أهلا Mona 🌷" },
  });
  assert.equal((await bench.stored(shop, id))?.provider_message_id, sent?.id);
  bench.t.clock.advance(1000);
  await bench.settle();
  assert.equal((await bench.stored(shop, id))?.status, "read");
  assert.deepEqual(await bench.messagesOf(shop), [
    "inbound channel مرحبا 😀 / hello",
    "outbound api أهلا Mona 🌷",
  ]);
  const inbound = bench.received.find(({ type }) => type === "message.received");
  const message = inbound?.data["message"] as { text: string } | undefined;
  assert.equal(message?.text, "مرحبا 😀 / hello");
  const created = bench.received.find(({ type }) => type === "contact.created");
  const contact = created?.data["contact"] as Record<string, unknown> | undefined;
  assert.deepEqual(
    [contact?.["name"], contact?.["channelType"], contact?.["externalId"]],
    ["mona", "TIKTOK", CUSTOMER],
  );
  assert.deepEqual(
    bench.received
      .filter(({ type }) => type === "message.status")
      .map(({ data }) => `${String(data["previousStatus"])}>${String(data["status"])}`),
    ["sent>read"],
  );
  // The echo of our own reply is no second message.
  assert.equal(bench.received.filter(({ type }) => type === "message.created").length, 1);
});

test("reactions, cards and arrivals by an advertisement are stored; none of them opens the reply window", async () => {
  const shop = await bench.openShop();
  const { businessId } = shop;
  const who = { businessId, from: CUSTOMER, name: "mona" };
  bench.tiktok.refer(who, { source: "ad", ad: { ad_id: "1801", ad_name: "Spring sale" } });
  await bench.tiktok.flush();
  assert.equal((await shop.reply("too early")).errorCode, "131047");
  await bench.write(shop, "hello");
  bench.t.clock.advance(1000);
  const { id } = await shop.reply("Is it the blue one?");
  await bench.settle();
  const to = (await bench.stored(shop, id))?.provider_message_id ?? "";
  for (const taken of [false, true]) {
    bench.tiktok.react(who, { to, emoji: "👍", taken });
    await bench.tiktok.flush();
  }
  const buttons = [{ text: "Track my order", type: "REPLY", id: "track" }];
  const template = { type: "qa_button_card", elements: [{ title: "How can we help?", buttons }] };
  bench.tiktok.inbound({ ...who, message: { type: "template", template } });
  await bench.tiktok.flush();
  const rows = await bench.t.app.db.query<{ type: string; text: string; attachments: unknown }>(sql`
    select type, text, attachments from message
    where workspace_id = ${shop.workspaceId} and direction = 'inbound' order by id`);
  const card = {
    type: "template",
    title: "How can we help?",
    buttons: [{ text: "Track my order", payload: "track" }],
  };
  assert.deepEqual(rows, [
    {
      type: "referral",
      text: null,
      attachments: [{ type: "referral", source: "ad", adId: "1801", headline: "Spring sale" }],
    },
    { type: "text", text: "hello", attachments: [] },
    {
      type: "reaction",
      text: "👍",
      attachments: [{ type: "reaction", messageId: to, emoji: "👍" }],
    },
    { type: "reaction", text: null, attachments: [{ type: "reaction", messageId: to }] },
    { type: "template", text: "How can we help?\n• Track my order", attachments: [card] },
  ]);
});

test("the tenth reply goes, the eleventh is stored failed and never sent; the customer writes and it goes again", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.t.clock.advance(1000);
  for (let n = 1; n <= 10; n++) assert.equal((await shop.reply(`reply ${n}`)).status, "sent");
  const eleventh = await shop.reply("reply 11");
  assert.deepEqual([eleventh.status, eleventh.errorCode], ["failed", "REPLY_LIMIT_REACHED"]);
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 10);
  bench.t.clock.advance(1000);
  await bench.write(shop, "still there?");
  bench.t.clock.advance(1000);
  const next = await shop.reply("yes");
  await bench.settle();
  assert.equal((await bench.stored(shop, next.id))?.status, "read");
  assert.equal(bench.tiktok.messages().length, 11);
});

test("what a person answers in TikTok's app is stored once, counts, and is no message of ours", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.t.clock.advance(1000);
  for (let n = 1; n <= 9; n++) bench.tiktok.reply(shop.businessId, CUSTOMER, `by hand ${n}`);
  await bench.tiktok.flush();
  assert.equal((await bench.messagesOf(shop)).at(-1), "outbound channel by hand 9");
  assert.equal((await shop.reply("the tenth")).status, "sent");
  assert.equal((await shop.reply("too many")).errorCode, "REPLY_LIMIT_REACHED");
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 1);
});

test("a reply goes until a second before the 48 hours end and never after", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.t.clock.advance(48 * HOUR - 1000);
  assert.equal((await shop.reply("in time")).status, "sent");
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 1);
  bench.t.clock.advance(1000);
  const late = await shop.reply("late");
  assert.deepEqual([late.status, late.errorCode], ["failed", "131047"]);
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 1);
});

test("40100 with HTTP 200: the whole channel waits a minute, then the reply goes once", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.tiktok.fault({ kind: "code", code: 40100 });
  const { id } = await shop.reply("hello");
  await bench.t.app.drain();
  assert.equal(bench.tiktok.messages().length, 0);
  const { throttledUntil } = await findChannel(bench.t.app, shop.workspaceId, shop.channelId);
  assert.equal(throttledUntil?.getTime(), bench.t.clock.now().getTime() + 60_000);
  bench.t.clock.advance(59_000);
  await bench.t.app.drain();
  assert.equal(bench.tiktok.messages().length, 0);
  bench.t.clock.advance(1000);
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 1);
  assert.deepEqual(bench.tiktok.ledger.repeated(), []);
  assert.equal((await bench.stored(shop, id))?.status, "read");
});

test("an event that comes three times at once is stored once; one without content is let go", async () => {
  const shop = await bench.openShop();
  bench.tiktok.inbound({ businessId: shop.businessId, from: CUSTOMER, text: "once", times: 3 });
  bench.tiktok.inboundFromEurope(shop.businessId);
  await Promise.all([bench.tiktok.flush(), bench.tiktok.flush()]);
  assert.deepEqual(await bench.messagesOf(shop), ["inbound channel once"]);
  assert.equal(bench.tiktok.stats.delivered >= 4, true);
});

/** By magic ending of the customer's id: what the platform does with a reply, and what must become of it. */
const ENDINGS: readonly (readonly [string, ending: string, status: string, code: string | null])[] =
  [
    ["echo and read mark before the answer", "0908", "read", null],
    ["the echo twice", "0904", "read", null],
    ["a read mark without an echo", "0903", "read", null],
    ["an echo alone", "0901", "sent", null],
    ["neither", "0907", "sent", null],
    ["a conversation that is gone", "0007", "failed", "40007"],
  ];
for (const [name, ending, status, code] of ENDINGS) {
  test(`${name}: one message, which ends ${status}`, async () => {
    const shop = await bench.openShop();
    await bench.write(shop, "hello", `999user${ending}`);
    bench.t.clock.advance(1000);
    const { id } = await shop.reply("hi");
    await bench.t.app.drain();
    bench.t.clock.advance(1000);
    await bench.settle();
    const message = await bench.stored(shop, id);
    assert.deepEqual([message?.status, message?.error_code], [status, code]);
    assert.deepEqual(await bench.messagesOf(shop), ["inbound channel hello", "outbound api hi"]);
  });
}

test("a platform whose clock is behind ours: the reading of a reply is still told", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.t.clock.advance(1000);
  bench.tiktok.clock.advance(-5000);
  try {
    const { id } = await shop.reply("hi");
    await bench.settle();
    assert.equal((await bench.stored(shop, id))?.status, "read");
  } finally {
    bench.tiktok.clock.advance(5000);
  }
});

test("a reply whose answer was lost is settled by its echo and never sent again", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.t.clock.advance(1000);
  for (const kind of ["drop", "html", "truncated"] as const)
    bench.tiktok.fault({ kind, accepted: true });
  const ids: string[] = [];
  for (const text of ["one", "two", "three"]) {
    ids.push((await shop.reply(text)).id);
    await bench.t.app.drain();
  }
  assert.equal(bench.tiktok.messages().length, 3);
  bench.t.clock.advance(1000);
  await bench.settle();
  for (const id of ids) assert.equal((await bench.stored(shop, id))?.status, "read");
  bench.t.clock.advance(HOUR);
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 3);
  assert.deepEqual(bench.tiktok.ledger.repeated(), []);
  assert.equal((await bench.messagesOf(shop)).length, 4);
});

test("a customer's message that comes days late is stored and opens no window that has closed", async () => {
  const shop = await bench.openShop();
  await bench.write(shop, "first");
  const late = bench.t.clock.now().getTime();
  bench.t.clock.advance(50 * HOUR);
  const { businessId } = shop;
  bench.tiktok.inbound({ businessId, from: CUSTOMER, text: "late", at: late });
  await bench.tiktok.flush();
  assert.deepEqual((await bench.messagesOf(shop)).toSorted(), [
    "inbound channel first",
    "inbound channel late",
  ]);
  assert.equal((await shop.reply("too late")).errorCode, "131047");
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 0);
});
