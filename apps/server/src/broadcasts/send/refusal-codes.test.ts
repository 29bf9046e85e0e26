import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listChannels } from "../../channels/list-channels.ts";
import { sql } from "../../db/sql.ts";
import { broadcastTimeline } from "../record/broadcast-timeline.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { sendBatch } from "./send-batch.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

/** The effect of each code of the Cloud API on a campaign of three when it answers the first of them. */
let ground: Ground;
let shop: Shop;
before(async () => {
  ground = await startGround();
  shop = await Shop.open(ground);
  await shop.crowd(3);
});
after(() => ground[Symbol.asyncDispose]());

/** The platform sends the same code with different statuses: only the code decides. */
const HTTP_STATUSES = [400, 403, 429, 500];
let round = 0;

async function refused(code: number, at: Shop = shop) {
  // The number has its tokens again.
  ground.t.clock.advance(2_000);
  await at.app.db
    .query(sql`update channel set status = 'connected', status_reason = null, throttled_until = null
    where workspace_id = ${at.id}`);
  await at.app.db.query(
    sql`update number_pace set throttled_until = null, ceiling = null, halved_at = null`,
  );
  const { id } = await at.draft({ rateLimitPerMinute: 4_801 });
  await at.start(id);
  await storeChunk(at.app, at.key(id));
  const status = HTTP_STATUSES[round++ % HTTP_STATUSES.length] ?? 400;
  ground.graph.answer = (_, { to }) =>
    to.endsWith("0") ? refusal(status, code) : ground.graph.accepted();
  await sendBatch(at.app, at.key(id));
  const [channel] = await at.app.db.query<{ status: string; waits: boolean }>(sql`
    select status, throttled_until > ${ground.t.clock.now()} as waits from channel where workspace_id = ${at.id}`);
  const found = await at.checkCounts(id);
  const outcomes = await at.outcomes(id);
  const { entries } = await broadcastTimeline(at.app, at.id, id);
  return { ...found, first: outcomes[0], rest: outcomes.slice(1), channel, entries };
}

// Written from channels.md §2.12 and contract §5, not from the adapter's table.
const PAUSES_ALL = [
  0, 3, 10, 190, 200, 299, 104, 131005, 368, 131031, 131037, 131045, 131063, 133010, 33,
];
const PAUSES_CAMPAIGN = [
  131042, 131044, 131048, 131064, 130497, 132000, 132001, 132007, 132008, 132012, 132015, 132016,
  132068, 132069,
];
const FAILS_ONE = [
  131026, 131021, 131030, 131062, 131049, 130472, 131047, 470, 100, 131001, 131002, 131006, 131008,
  131009, 131051, 131052, 135000, 132005, 132018, 131043, 137000, 506,
];
const SLOWS = [4, 17, 613, 80007, 130429, 133016];
const TRIES_AGAIN = [1, 2, 131000, 131016, 133004, 131057];

test("a refused token or account pauses the campaign with the code and turns the channel to error; nobody fails", async () => {
  for (const code of PAUSES_ALL) {
    const { status, statusReason, first, rest, channel, rateLimitPerMinute } = await refused(code);
    assert.deepEqual([status, first, rest], ["PAUSED", "pending", ["sent", "sent"]], String(code));
    assert.ok(statusReason?.startsWith(`${code}: `), `${code}: ${statusReason}`);
    assert.deepEqual([channel?.status, rateLimitPerMinute], ["error", 4_801], String(code));
  }
});

test("a quality or template refusal pauses the campaign with the code; the channel goes on", async () => {
  for (const code of PAUSES_CAMPAIGN) {
    const { status, statusReason, first, rest, channel } = await refused(code);
    assert.deepEqual([status, first, rest], ["PAUSED", "pending", ["sent", "sent"]], String(code));
    assert.ok(statusReason?.startsWith(`${code}: `), `${code}: ${statusReason}`);
    assert.equal(channel?.status, "connected", String(code));
  }
});

test("a refusal that concerns one number fails only that recipient, with the code", async () => {
  for (const code of FAILS_ONE) {
    const { status, first, rest, channel, rateLimitPerMinute, id } = await refused(code);
    // The older platform's name of the same.
    const reason = `failed ${code === 470 ? 131047 : code}`;
    assert.deepEqual([status, first, rest], ["RUNNING", reason, ["sent", "sent"]]);
    assert.deepEqual([channel?.status, rateLimitPerMinute], ["connected", 4_801], String(code));
    await sendBatch(shop.app, shop.key(id));
    assert.equal((await shop.find(id)).status, "COMPLETED", String(code));
  }
});

test("a file that could not be read is tried once more, then fails only that recipient", async () => {
  const { status, first, rest, channel, rateLimitPerMinute, id } = await refused(131053);
  assert.deepEqual([status, first, rest], ["RUNNING", "pending", ["sent", "sent"]]);
  assert.deepEqual([channel?.status, rateLimitPerMinute], ["connected", 4_801]);
  ground.t.clock.advance(5_000);
  await sendBatch(shop.app, shop.key(id));
  assert.deepEqual(await shop.outcomes(id), ["failed 131053", "sent", "sent"]);
});

test("a customer who stopped marketing fails and is opted out: the next campaign leaves them out", async () => {
  const own = await Shop.open(ground);
  await own.crowd(3);
  const { first, rest } = await refused(131050, own);
  assert.deepEqual([first, rest], ["failed 131050", ["sent", "sent"]]);
  const next = await refused(131050, own);
  assert.deepEqual([next.totalCount, next.first, next.rest], [2, "sent", ["sent"]]);
});

test("a limit of the account parks the number and halves the pace once; the recipient waits uncounted", async () => {
  for (const code of SLOWS) {
    const { status, first, rest, channel, rateLimitPerMinute, entries } = await refused(code);
    assert.deepEqual([status, first, rest], ["RUNNING", "pending", ["sent", "sent"]], String(code));
    assert.deepEqual([channel?.status, channel?.waits], ["connected", true], String(code));
    assert.equal(rateLimitPerMinute, 2_400, String(code));
    const kinds = entries.map((one) => one.kind).filter((kind) => /halved|waited/.test(kind));
    assert.deepEqual(kinds.toSorted(), ["halved", "waited"], String(code));
  }
});

test("the limit for one recipient delays only that one, six seconds and more each time; the pace stays", async () => {
  const { status, first, rest, channel, rateLimitPerMinute, id } = await refused(131056);
  assert.deepEqual([status, first, rest], ["RUNNING", "pending", ["sent", "sent"]]);
  assert.deepEqual([channel?.waits, rateLimitPerMinute], [null, 4_801]);
  const calls = async () => {
    const before = ground.graph.sent.length;
    await sendBatch(shop.app, shop.key(id));
    return ground.graph.sent.length - before;
  };
  ground.t.clock.advance(5_999);
  assert.equal(await calls(), 0);
  ground.t.clock.advance(1);
  assert.equal(await calls(), 1);
  ground.t.clock.advance(11_999);
  assert.equal(await calls(), 0);
  ground.t.clock.advance(1);
  ground.graph.answer = () => ground.graph.accepted();
  assert.equal(await calls(), 1);
  assert.equal((await shop.checkCounts(id)).sentCount, 3);
});

test("a temporary fault of the platform is tried again for that recipient; nothing else changes", async () => {
  for (const code of TRIES_AGAIN) {
    const { status, first, rest, channel, rateLimitPerMinute, id } = await refused(code);
    assert.deepEqual([status, first, rest], ["RUNNING", "pending", ["sent", "sent"]], String(code));
    assert.deepEqual([channel?.status, rateLimitPerMinute], ["connected", 4_801], String(code));
    ground.graph.answer = () => ground.graph.accepted();
    ground.t.clock.advance(10 * 60_000);
    await sendBatch(shop.app, shop.key(id));
    assert.equal((await shop.checkCounts(id)).sentCount, 3, String(code));
  }
  const [channel] = await listChannels(shop.app, shop.id);
  assert.equal(channel?.status, "connected");
});
