import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { TikTokSigning } from "@parley/emulators";
import { connectAccount } from "../../src/channels/connect-account.ts";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { findChannel } from "../../src/channels/list-channels.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { HOUR, startTikTokBench, type TikTokBench } from "../tiktok-bench.ts";

let bench: TikTokBench;
before(async () => {
  bench = await startTikTokBench();
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(() => bench.clear());

test("40102: the channel turns to error, replies fail without a call and without counting, a new token brings it back", async () => {
  const shop = await bench.openShop();
  await bench.write(shop);
  bench.t.clock.advance(1000);
  const account = bench.accountOf(bench.shops);
  bench.tiktok.addBusiness({ ...account, tokenExpiresAt: bench.t.clock.now().getTime() });
  const { id } = await shop.reply("hello");
  await bench.t.app.drain();
  const failed = await bench.stored(shop, id);
  assert.deepEqual([failed?.status, failed?.error_code], ["failed", "40102"]);
  assert.equal(await bench.statusOf(shop), "error");
  assert.equal((await shop.reply("again")).errorCode, "CHANNEL_ERROR");
  bench.tiktok.addBusiness({ ...account, accessToken: "act.renewed" });
  await updateCredentials(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId, {
    accessToken: "act.renewed",
  });
  for (let n = 1; n <= 10; n++) assert.equal((await shop.reply(`reply ${n}`)).status, "sent");
  await bench.settle();
  assert.equal(bench.tiktok.messages().length, 10);
});

test("a token that expires while nobody writes is seen within the hour", async () => {
  const shop = await bench.openShop();
  await bench.t.app.drain();
  bench.tiktok.addBusiness({
    ...bench.accountOf(bench.shops),
    tokenExpiresAt: bench.t.clock.now().getTime(),
  });
  bench.t.clock.advance(HOUR);
  await bench.t.app.drain();
  const channel = await findChannel(bench.t.app, shop.workspaceId, shop.channelId);
  assert.equal(channel.status, "error");
  assert.match(channel.statusReason ?? "", /^40102: /);
});

test("a connect with a token that TikTok refuses stores nothing", async () => {
  const account = bench.accountOf(++bench.shops);
  bench.tiktok.addBusiness(account);
  const { id } = await createWorkspace(OPERATOR, bench.t.app, { name: "Shop", plan: "business" });
  const wrong = { type: "TIKTOK" as const, name: "Shop", ...account, accessToken: "act.stolen" };
  await assert.rejects(
    connectAccount(OPERATOR, bench.t.app, id, { ...wrong, apiUrl: bench.tiktok.apiUrl }),
    (error: Error) => {
      assert.match(JSON.stringify(error), /40105/);
      return true;
    },
  );
  const rows = await bench.t.app.db.query(sql`select 1 from channel where workspace_id = ${id}`);
  assert.equal(rows.length, 0);
});

test("a connect with the app's id enters our address there; a disconnected channel answers 404", async () => {
  const shop = await bench.openShop();
  const update = bench.tiktok.requests().find(({ path }) => path.endsWith("/webhook/update/"));
  const body = JSON.parse(update?.body ?? "{}") as Record<string, unknown>;
  assert.equal(
    body["callback_url"],
    `${bench.t.app.config.publicUrl}/hooks/tiktok/${shop.channelId}`,
  );
  await disconnectChannel(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId);
  await bench.write(shop);
  assert.deepEqual(
    bench.tiktok.webhooks().map(({ status }) => status),
    [404],
  );
});

test("events that are not signed as TikTok signs are refused and change nothing", async () => {
  const shop = await bench.openShop();
  const modes: readonly TikTokSigning[] = [
    "missing",
    "wrong",
    "upper_hex",
    "short_hex",
    "old",
    "future",
    "changed_body",
  ];
  for (const mode of modes) {
    bench.tiktok.clear();
    bench.tiktok.sign(mode);
    await bench.write(shop, mode);
    assert.deepEqual(
      bench.tiktok.webhooks().map(({ status }) => status),
      [401],
      mode,
    );
  }
  assert.deepEqual(await bench.messagesOf(shop), []);
});

test("another business's app cannot write to this one; two accounts of one app share an address", async () => {
  const [a, b] = [await bench.openShop(), await bench.openShop()];
  const first = bench.accountOf(bench.shops - 1);
  const second = bench.accountOf(bench.shops);
  // Signed by b's app, sent to b's address, and it names a.
  const url = `${bench.base}/hooks/tiktok/${b.channelId}`;
  bench.tiktok.addBusiness({ ...first, appId: "1", appSecret: second.appSecret, webhookUrl: url });
  await bench.write(a, "forged");
  assert.deepEqual(await bench.messagesOf(a), []);
  await updateCredentials(OPERATOR, bench.t.app, a.workspaceId, a.channelId, {
    appSecret: second.appSecret,
  });
  await bench.write(a, "of one app");
  assert.deepEqual(await bench.messagesOf(a), ["inbound channel of one app"]);
  assert.deepEqual(await bench.messagesOf(b), []);
});

test("a refresh token without the app that renews it is refused by the name of the field", async () => {
  const { appId: _, ...account } = bench.accountOf(++bench.shops);
  bench.tiktok.addBusiness(account);
  const { id } = await createWorkspace(OPERATOR, bench.t.app, { name: "Shop", plan: "business" });
  const input = { type: "TIKTOK" as const, name: "Shop", ...account, refreshToken: "rft.one" };
  await assert.rejects(
    connectAccount(OPERATOR, bench.t.app, id, { ...input, apiUrl: bench.tiktok.apiUrl }),
    (error: Error) => {
      assert.match(JSON.stringify(error), /appId/);
      assert.doesNotMatch(JSON.stringify(error), /rft\.one/);
      return true;
    },
  );
});
