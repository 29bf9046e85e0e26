import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { connectAccount } from "../../src/channels/connect-account.ts";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { findChannel } from "../../src/channels/list-channels.ts";
import { sql } from "../../src/db/sql.ts";
import { HOUR, startTikTokBench, type TikTokBench, type TikTokShop } from "../tiktok-bench.ts";

let bench: TikTokBench;
before(async () => {
  bench = await startTikTokBench();
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(() => bench.clear());

const noticesOf = (shop: TikTokShop) =>
  bench.t.app.db.query<{ kind: string; body: string }>(
    sql`select kind, body from notice where workspace_id = ${shop.workspaceId} order by id`,
  );
const refreshes = () =>
  bench.tiktok.requests().filter(({ path }) => path.endsWith("/oauth2/refresh_token/"));

async function hours(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    bench.t.clock.advance(HOUR);
    await bench.t.app.drain();
  }
}

test("with a refresh token the account goes on for three days: renewed twice a day, each refresh token used once", async () => {
  const shop = await bench.openShop({ refreshToken: "rft.first" });
  await bench.t.app.drain();
  await hours(72);
  const used = refreshes().map(
    ({ body }) => (JSON.parse(body) as { refresh_token: string }).refresh_token,
  );
  assert.ok(used.length >= 5 && used.length <= 8, String(used.length));
  assert.deepEqual([used[0], new Set(used).size], ["rft.first", used.length]);
  await bench.write(shop);
  bench.t.clock.advance(1000);
  const { id } = await shop.reply("still here");
  await bench.settle();
  assert.notEqual((await bench.stored(shop, id))?.status, "failed");
  assert.equal(await bench.statusOf(shop), "connected");
  assert.deepEqual(await noticesOf(shop), []);
  const rows = await bench.t.app.db.query<{ row: string }>(
    sql`select channel::text as row from channel where workspace_id = ${shop.workspaceId}`,
  );
  assert.ok(rows.every(({ row }) => !row.includes("rft.") && !row.includes("act.")));
});

test("without one the admins are told while the token still holds, and the channel says what ended", async () => {
  const shop = await bench.openShop();
  const ends = bench.t.clock.now().getTime() + 24 * HOUR;
  bench.tiktok.addBusiness({ ...bench.accountOf(bench.shops), tokenExpiresAt: ends });
  await hours(1);
  const [notice, ...more] = await noticesOf(shop);
  assert.ok(notice && more.length === 0);
  assert.match(notice.body, /NO_REFRESH_TOKEN/);
  assert.equal(await bench.statusOf(shop), "connected");
  await hours(24);
  const channel = await findChannel(bench.t.app, shop.workspaceId, shop.channelId);
  assert.equal(channel.status, "error");
  assert.match(channel.statusReason ?? "", /^40102: the access token has ended/);
});

test("a refresh token that the platform refuses is told once, while the access token goes on", async () => {
  const shop = await bench.openShop({ refreshToken: "rft.good" });
  const account = { ...bench.accountOf(bench.shops), refreshToken: "rft.another" };
  bench.tiktok.addBusiness(account);
  await bench.t.app.drain();
  await hours(3);
  const notices = await noticesOf(shop);
  assert.equal(notices.length, 1);
  assert.match(notices[0]?.body ?? "", /40107: the refresh token is not good any more/);
  assert.doesNotMatch(notices[0]?.body ?? "", /rft\./);
  assert.equal(await bench.statusOf(shop), "connected");
});

test("a disconnect takes our address off the app, and leaves one that somebody else entered since", async () => {
  for (const [entered, after] of [
    ["ours", undefined],
    ["https://elsewhere.example/hook", "https://elsewhere.example/hook"],
  ] as const) {
    const shop = await bench.openShop();
    const { appId } = bench.accountOf(bench.shops);
    const ours = `${bench.t.app.config.publicUrl}/hooks/tiktok/${shop.channelId}`;
    bench.tiktok.setWebhook(appId, entered === "ours" ? ours : entered);
    await disconnectChannel(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId);
    assert.equal(bench.tiktok.webhookOf(appId), after);
  }
});

test("an app that has lost its address is given ours within the hour", async () => {
  const shop = await bench.openShop();
  await bench.t.app.drain();
  const { appId } = bench.accountOf(bench.shops);
  bench.tiktok.setWebhook(appId, null);
  await hours(1);
  const ours = `${bench.t.app.config.publicUrl}/hooks/tiktok/${shop.channelId}`;
  assert.equal(bench.tiktok.webhookOf(appId), ours);
});

test("when the channel whose address the app has is disconnected, another one of the app enters its own at once", async () => {
  const first = await bench.openShop();
  const { appId, appSecret } = bench.accountOf(bench.shops);
  const account = { businessId: "second-of-app", accessToken: "act.second", appId, appSecret };
  bench.tiktok.addBusiness(account);
  const input = { type: "TIKTOK" as const, name: "Second", ...account, apiUrl: bench.tiktok.url };
  const second = await connectAccount(OPERATOR, bench.t.app, first.workspaceId, input);
  await bench.t.app.drain();
  const addressOf = (id: string) => `${bench.t.app.config.publicUrl}/hooks/tiktok/${id}`;
  assert.equal(bench.tiktok.webhookOf(appId), addressOf(second.id));
  await disconnectChannel(OPERATOR, bench.t.app, first.workspaceId, second.id);
  assert.equal(bench.tiktok.webhookOf(appId), undefined);
  await bench.t.app.drain();
  assert.equal(bench.tiktok.webhookOf(appId), addressOf(first.channelId));
});
