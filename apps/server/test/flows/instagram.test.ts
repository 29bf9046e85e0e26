import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { findChannel } from "../../src/channels/list-channels.ts";
import { loadAccounts } from "../../src/channels/load-accounts.ts";
import { instagram } from "../../src/channels/adapters/instagram/adapter.ts";
import { sql } from "../../src/db/sql.ts";
import { claimReplies } from "../../src/messages/send/outbox-store.ts";
import { startPart } from "../../src/messages/send/start-part.ts";
import { MetaStand } from "../meta-shop.ts";
import { pausedBeforeItsCall } from "../paused-worker.ts";

/** The whole way over real HTTP: our server and the emulated Instagram. */
const SARA = "17900000001234";
const QUIET = "99900000000907";

let stand: MetaStand;
before(async () => {
  stand = await MetaStand.start("INSTAGRAM");
});
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.meta.clear());

const drain = () => stand.t.app.drain();
const ARABIC = Array.from(
  { length: 40 },
  (_, n) => `هذه الجملة رقم ${n} وفيها ما يريد العميل معرفته عن طلبه.`,
).join(" ");

test("a customer writes, we answer, the platform takes it and it is read; no delivery is invented", async () => {
  const shop = await stand.openShop();
  assert.equal(await stand.meta.verify(shop.pageId), true);
  const conversationId = await shop.hears(SARA, "كم سعر الشحن؟ 😀");
  const { id } = await shop.replies(conversationId, "ديناران");
  await drain();
  const [sent] = stand.meta.messages();
  assert.deepEqual(
    [sent?.to, sent?.text, sent?.metadata, sent?.messagingType],
    [SARA, "ديناران", null, null],
  );
  await stand.meta.flush();
  assert.deepEqual(await shop.moves(id), ["sent>read"]);
  assert.equal((await shop.all("outbound")).length, 1, "the echo is no second message");
});

test("a long Arabic reply goes in parts of at most 1,000 bytes and is read when the last of them is", async () => {
  const shop = await stand.openShop();
  const conversationId = await shop.hears(QUIET);
  const { id } = await shop.replies(conversationId, ARABIC);
  await drain();
  const texts = stand.meta.messages().map((one) => one.text ?? "");
  assert.ok(texts.length >= 4 && texts.every((text) => Buffer.byteLength(text) <= 1000));
  assert.ok(texts.every((text) => text.startsWith("هذه") && text.endsWith(".")));
  assert.equal(texts.join(" "), ARABIC);
  assert.equal((await shop.stored(id)).part_count, texts.length);
  stand.meta.mark(shop.pageId, QUIET, "read", stand.meta.messages().at(-1)?.id ?? "");
  await stand.meta.flush();
  assert.deepEqual(await shop.moves(id), ["sent>read"]);
});

test("a worker that was paused before the call for a part: the part waits again, and each goes once and in order", async () => {
  const shop = await stand.openShop();
  await shop.replies(await shop.hears(QUIET), ARABIC);
  await pausedBeforeItsCall(stand.t.app, async () => {
    stand.t.clock.advance(31_000);
    await drain();
    assert.deepEqual(await shop.outbox(), ["unknown"]);
  });
  assert.equal(stand.meta.messages().length, 0);
  await drain();
  const texts = stand.meta.messages().map((one) => one.text ?? "");
  assert.equal(texts.join(" "), ARABIC);
  assert.deepEqual(stand.meta.ledger.repeated(), []);
  assert.deepEqual(await shop.outbox(), []);
});

test("killed between two parts, the next process goes on with the part that was not begun", async () => {
  const shop = await stand.openShop();
  const { app, clock } = stand.t;
  const conversationId = await shop.hears(QUIET);
  const { id } = await shop.replies(conversationId, ARABIC);
  const claim = async () => {
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + 30_000);
    const [reply] = await claimReplies(app.db, {
      now,
      leaseUntil,
      by: app.life.id,
      limit: 10,
      busy: [],
    });
    return reply ?? assert.fail("nothing to claim");
  };
  // Killed after the claim: nothing had begun.
  await claim();
  clock.advance(31_000);
  await drain();
  const whole = stand.meta.messages().length;
  assert.ok(whole >= 4);
  assert.deepEqual(stand.meta.ledger.repeated(), []);

  // Killed after the first part was answered and before the answer was stored: it is not sent again.
  stand.meta.clear();
  const second = await shop.replies(conversationId, ARABIC.replaceAll("رقم", "عدد"));
  const reply = await claim();
  const part = await startPart(app, reply, instagram);
  assert.equal(part?.number, 1);
  const account = (await loadAccounts(app, [reply])).get(shop.channelId) ?? assert.fail();
  const content = { kind: "text", text: part?.text ?? "" } as const;
  const sent = await instagram.send(app.providerHttp, account, { id: "x", to: QUIET, content });
  assert.ok(sent.ok);
  assert.equal(await startPart(app, reply, instagram), null, "a part is begun once per claim");
  clock.advance(31_000);
  await drain();
  assert.deepEqual(await shop.outbox(), ["unknown"]);
  // Its echo comes: known by what it says, it settles the part, and the rest follows.
  stand.meta.push(shop.pageId, {
    sender: { id: shop.pageId },
    recipient: { id: QUIET },
    timestamp: clock.now().getTime(),
    message: { mid: sent.ok ? sent.externalId : "", is_echo: true, text: part?.text },
  });
  await stand.meta.flush();
  await drain();
  assert.equal(stand.meta.messages().length, (await shop.parts(second.id)).length);
  assert.deepEqual(stand.meta.ledger.repeated(), []);
  assert.deepEqual(await shop.outbox(), []);
  assert.equal((await shop.all("outbound")).length, 2);
  assert.ok((await shop.stored(second.id)).provider_message_id);
  assert.equal((await shop.stored(id)).status, "sent");
});

test("echoes before the answer, and in place of a lost one, are our own replies and no second messages", async () => {
  const shop = await stand.openShop();
  const early = await shop.hears("99900000000908");
  const first = await shop.replies(early, ARABIC);
  await drain();
  assert.equal((await shop.stored(first.id)).status, "read");
  const lost = await shop.hears("99900000000911");
  const second = await shop.replies(lost, "where is it");
  await drain();
  await stand.meta.flush();
  assert.equal((await shop.stored(second.id)).status, "read");
  assert.equal((await shop.all("outbound")).length, 2);
  stand.meta.agentReply(shop.pageId, SARA, "from the app");
  await stand.meta.flush();
  assert.deepEqual(
    (await shop.all("outbound")).map(({ source }) => source),
    ["api", "api", "channel"],
  );
});

test("a message that the customer takes back is gone from our copy, and says so", async () => {
  const shop = await stand.openShop();
  const id = stand.meta.inbound({ pageId: shop.pageId, from: SARA, text: "my secret" });
  await stand.meta.flush();
  stand.meta.unsend(shop.pageId, SARA, id);
  await stand.meta.flush();
  const [message] = await shop.all("inbound");
  assert.deepEqual([message?.type, message?.text], ["deleted", null]);
  assert.doesNotMatch(JSON.stringify(message), /secret/);
});

test("a window that is closed at Instagram alone fails that reply; the account stays connected", async () => {
  const shop = await stand.openShop();
  const { app, clock } = stand.t;
  const customer = "17900000007777";
  const conversationId = await shop.hears(customer);
  clock.advance(25 * 3_600_000);
  // Instagram does not count this one, and says so in its own code.
  stand.meta.push(shop.pageId, {
    sender: { id: customer },
    recipient: { id: shop.pageId },
    timestamp: clock.now().getTime(),
    message: { mid: "m_uncounted", text: "hello" },
  });
  await stand.meta.flush();
  const { id } = await shop.replies(conversationId, "late");
  await drain();
  const { status, error_code: code } = await shop.stored(id);
  assert.deepEqual([status, code], ["failed", "131047"]);
  const channel = await findChannel(app, shop.workspaceId, shop.channelId);
  assert.equal(channel.status, "connected");
});

test("an edit shows the new words; a reaction is shown and opens no window", async () => {
  const shop = await stand.openShop();
  const id = stand.meta.inbound({ pageId: shop.pageId, from: SARA, text: "helo" });
  await stand.meta.flush();
  stand.t.clock.advance(25 * 3_600_000);
  const at = stand.t.clock.now().getTime();
  const edit = { mid: id, text: "hello", num_edit: 1, timestamp: at, from: { id: SARA } };
  const entry = { id: shop.pageId, time: at, changes: [{ field: "message_edit", value: edit }] };
  assert.equal(await stand.meta.post(shop.pageId, { object: "instagram", entry: [entry] }), 200);
  stand.meta.act(
    { pageId: shop.pageId, from: SARA },
    { reaction: { mid: id, action: "react", emoji: "❤" } },
  );
  await stand.meta.flush();
  const messages = await shop.all("inbound");
  assert.deepEqual(
    messages.map(({ type, text }) => [type, text]),
    [
      ["text", "hello"],
      ["reaction", "❤"],
    ],
  );
  const conversation = await stand.t.app.db.query<{ id: string }>(
    sql`select id from conversation where workspace_id = ${shop.workspaceId}`,
  );
  assert.equal((await shop.replies(conversation[0]?.id ?? "", "late")).status, "failed");
});

test("events of another account under the same app reach nobody, and the Test button changes nothing", async () => {
  const shop = await stand.openShop();
  const message = { mid: "x", text: "hi" };
  for (const id of ["0", "999"]) {
    const item = { sender: { id: SARA }, recipient: { id }, timestamp: "1569262486134", message };
    const document = { object: "instagram", entry: [{ id, time: 1569262486, messaging: [item] }] };
    assert.equal(await stand.meta.post(shop.pageId, document), 200);
  }
  assert.deepEqual(await shop.all("inbound"), []);
});
