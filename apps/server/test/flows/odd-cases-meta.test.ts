import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { findChannel } from "../../src/channels/list-channels.ts";
import { sql } from "../../src/db/sql.ts";
import { MetaStand, type MetaShop } from "../meta-shop.ts";

/** What Messenger and Instagram have in common and does not happen on a good day; what only one of them does is in
 * its own flow. */
const HOUR = 3_600_000;
const PLATFORMS = [
  ["MESSENGER", "25", "page"],
  ["INSTAGRAM", "17", "instagram"],
] as const;

for (const [type, prefix, object] of PLATFORMS) {
  let stand: MetaStand;
  before(async () => {
    stand = await MetaStand.start(type);
  });
  after(() => stand[Symbol.asyncDispose]());
  beforeEach(() => stand.meta.clear());

  // 999: what the emulator gives a meaning by the last digits.
  const customer = (ending = "1234") => `999${prefix}00000${ending}`;
  const drain = () => stand.t.app.drain();
  const incoming = (pageId: string, mid: string, at: number, from = customer()) => ({
    id: pageId,
    time: at,
    messaging: [
      {
        sender: { id: from },
        recipient: { id: pageId },
        timestamp: at,
        message: { mid, text: mid },
      },
    ],
  });
  const channelOf = async (shop: MetaShop) =>
    (await findChannel(stand.t.app, shop.workspaceId, shop.channelId)).status;

  test(`${type}: the same call three times, two of them at once, is one message`, async () => {
    const shop = await stand.openShop();
    const call = { pageId: shop.pageId, from: customer(), text: "مرحبا 😀 \\ / é", times: 3 };
    stand.meta.inbound(call);
    await Promise.all([stand.meta.flush(), stand.meta.flush()]);
    const all = await shop.all("inbound");
    assert.deepEqual(
      all.map(({ text }) => text),
      ["مرحبا 😀 \\ / é"],
    );
  });

  test(`${type}: callbacks that are not signed as Meta signs write nothing`, async () => {
    const shop = await stand.openShop();
    for (const mode of [
      "missing",
      "wrong",
      "sha1_only",
      "upper_hex",
      "short_hex",
      "utf8",
    ] as const) {
      stand.meta.clear();
      stand.meta.inbound({ pageId: shop.pageId, from: customer(), text: `مرحبا ${mode}` });
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

  test(`${type}: one call for two accounts and an unknown one reaches both, and is acknowledged`, async () => {
    const [one, two] = [await stand.openShop(), await stand.openShop()];
    const at = stand.t.clock.now().getTime();
    const entry = [
      incoming(one.pageId, "m_a", at),
      incoming("999", "m_b", at),
      incoming(two.pageId, "m_c", at),
    ];
    assert.equal(await stand.meta.post(one.pageId, { object, entry }), 200);
    for (const [shop, wanted] of [
      [one, "m_a"],
      [two, "m_c"],
    ] as const)
      assert.deepEqual(
        (await shop.all("inbound")).map(({ text }) => text),
        [wanted],
      );
  });

  test(`${type}: a message that comes a day late neither reopens the window nor shortens it`, async () => {
    const shop = await stand.openShop();
    const conversationId = await shop.hears(customer());
    const heard = stand.t.clock.now().getTime();
    const late = incoming(shop.pageId, "m_late", heard - 23 * HOUR);
    assert.equal(await stand.meta.post(shop.pageId, { object, entry: [late] }), 200);
    stand.t.clock.set(new Date(heard + 24 * HOUR - 1000));
    assert.equal((await shop.replies(conversationId, "in time")).status, "sent");
    await drain();
    stand.t.clock.set(new Date(heard + 24 * HOUR + 1000));
    const older = incoming(shop.pageId, "m_older", heard - 1000);
    assert.equal(await stand.meta.post(shop.pageId, { object, entry: [older] }), 200);
    const closed = await shop.replies(conversationId, "too late");
    assert.deepEqual(
      [closed.status, (await shop.stored(closed.id)).error_code],
      ["failed", "131047"],
    );
    await drain();
    assert.equal(stand.meta.messages().length, 1);
    assert.equal((await shop.all("inbound")).length, 3);
  });

  test(`${type}: marks that come late, backwards or for nothing of ours move nothing back`, async () => {
    const shop = await stand.openShop();
    const conversationId = await shop.hears(customer("0907"));
    const first = await shop.replies(conversationId, "first");
    await drain();
    stand.t.clock.advance(1000);
    const second = await shop.replies(conversationId, "second");
    await drain();
    const [one, two] = stand.meta.messages();
    assert.ok(one && two);
    const read = (mid: string, watermark: number) =>
      stand.meta.push(shop.pageId, {
        sender: { id: customer("0907") },
        recipient: { id: shop.pageId },
        timestamp: stand.t.clock.now().getTime(),
        read: type === "MESSENGER" ? { watermark } : { mid },
      });
    read(two.id, two.acceptedAt + 1);
    await stand.meta.flush();
    read(one.id, one.acceptedAt + 1);
    read("m_nobody", 5);
    await stand.meta.flush();
    for (const { id } of [first, second]) {
      assert.equal((await shop.stored(id)).status, "read");
      assert.equal((await shop.moves(id)).length, 1);
    }
  });

  test(`${type}: answers that are none are settled by the echo, and the reply leaves once`, async () => {
    const shop = await stand.openShop();
    const conversationId = await shop.hears(customer());
    const ids: string[] = [];
    const kinds = ["html", "empty", "truncated", "cut", "drop", "oversize"] as const;
    for (const kind of kinds) {
      stand.meta.fault({ kind, accepted: true, bytes: 1024 * 1024 });
      ids.push((await shop.replies(conversationId, `an answer of ${kind}`)).id);
      await drain();
    }
    assert.equal(stand.meta.messages().length, kinds.length);
    await stand.meta.flush();
    await drain();
    for (const [index, id] of ids.entries())
      assert.equal((await shop.stored(id)).status, "read", kinds[index] ?? "");
    stand.t.clock.advance(HOUR);
    await drain();
    assert.equal(stand.meta.messages().length, kinds.length);
    assert.deepEqual(stand.meta.ledger.repeated(), []);
    assert.equal((await shop.all("outbound")).length, kinds.length);
  });

  test(`${type}: a redirect is not followed with the token, and says nothing about the account: the reply goes a moment later`, async () => {
    const shop = await stand.openShop();
    const conversationId = await shop.hears(customer());
    const location = `${stand.meta.apiUrl}/me/messages`;
    stand.meta.fault({ kind: "redirect", location, accepted: false });
    const { id } = await shop.replies(conversationId, "hello");
    await drain();
    assert.equal(stand.meta.messages().length, 0);
    assert.equal(await channelOf(shop), "connected");
    stand.t.clock.advance(5_000);
    await drain();
    assert.equal((await shop.stored(id)).error_code, null);
    assert.equal(stand.meta.messages().length, 1);
  });

  test(`${type}: a throttled reply waits and goes once; a blocked customer fails alone; a token that ended stops the channel`, async () => {
    const shop = await stand.openShop();
    const conversationId = await shop.hears(customer());
    stand.meta.fault({ kind: "code", code: 613, accepted: false });
    const { id } = await shop.replies(conversationId, "hello");
    await drain();
    assert.equal(stand.meta.messages().length, 0);
    stand.t.clock.advance(HOUR / 2);
    await drain();
    await stand.meta.flush();
    assert.equal((await shop.stored(id)).status, "read");
    assert.equal(stand.meta.messages().length, 1);

    const blocked = await shop.replies(await shop.hears(customer("0551")), "hello");
    await drain();
    assert.equal((await shop.stored(blocked.id)).error_code, "551");
    assert.equal(await channelOf(shop), "connected");
    const ended = await shop.replies(await shop.hears(customer("0190")), "hello");
    await drain();
    assert.equal((await shop.stored(ended.id)).error_code, "190");
    assert.equal(await channelOf(shop), "error");
  });

  test(`${type}: a customer who writes STOP is opted out, and START takes it back`, async () => {
    const shop = await stand.openShop();
    for (const [word, out] of [
      ["STOP", true],
      ["ايقاف", true],
      ["start", false],
    ] as const) {
      stand.t.clock.advance(1000);
      await shop.hears(customer(), word);
      const [contact] = await stand.t.app.db.query<{ out: boolean }>(
        sql`select opted_out_at is not null as out from contact where workspace_id = ${shop.workspaceId}`,
      );
      assert.equal(contact?.out, out, word);
    }
  });
}
