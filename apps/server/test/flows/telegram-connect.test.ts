import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { connectAccount } from "../../src/channels/connect-account.ts";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { setUpChannel } from "../../src/channels/set-up-channel.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import {
  refusedWith,
  SECRET,
  startTelegramBench,
  telegramAccount,
  type TelegramBench,
} from "../telegram-bench.ts";

let bench: TelegramBench;
before(async () => {
  bench = await startTelegramBench();
});
after(() => bench[Symbol.asyncDispose]());
afterEach(() => bench.checkAndClear());

test("a revoked token stops the channel; a new one of the same bot brings it back with its webhook", async () => {
  const shop = await bench.openShop();
  const conversationId = await bench.write(shop, bench.stranger());
  const renewed = `${shop.botId}:${SECRET}renewed`;
  bench.bots.revokeToken(shop.botId, renewed);
  await bench.reply(shop, conversationId, "hello");
  await bench.t.app.drain();
  assert.equal((await bench.outbound(shop))[0]?.error_code, "401");
  const channel = await bench.channelOf(shop);
  assert.deepEqual([channel.status, channel.statusReason], ["error", "401: Unauthorized"]);
  const { workspaceId, channelId } = shop;
  await assert.rejects(
    updateCredentials(OPERATOR, bench.t.app, workspaceId, channelId, { botToken: "1:AA" }),
    refusedWith("VALIDATION_FAILED"),
  );
  await updateCredentials(OPERATOR, bench.t.app, workspaceId, channelId, {
    botToken: renewed,
    secretToken: "a-new-secret",
  });
  await bench.t.app.drain();
  assert.equal((await bench.channelOf(shop)).status, "connected");
  await bench.reply(shop, await bench.write(shop, bench.stranger()), "hello again");
  await bench.t.app.drain();
  assert.equal((await bench.outbound(shop))[1]?.status, "sent");
});

test("a token that the platform refuses connects nothing; a bot whose webhook is refused sends, says that it receives nothing, and tries again", async () => {
  const { id: workspaceId } = await createWorkspace(OPERATOR, bench.t.app, {
    name: "Shop",
    plan: "business",
  });
  for (const token of [`799999999:${SECRET}`, "no token", ""])
    await assert.rejects(
      connectAccount(OPERATOR, bench.t.app, workspaceId, telegramAccount(bench.bots, token)),
      refusedWith("VALIDATION_FAILED"),
    );
  assert.deepEqual(
    await bench.t.app.db.query(sql`select 1 from channel where workspace_id = ${workspaceId}`),
    [],
  );
  const refused = "Bad Request: bad webhook: Failed to resolve host";
  const refuse = () =>
    bench.bots.fault({ kind: "code", code: 400, details: refused, on: "account", skip: 2 });
  const shop = await bench.openShop();
  const conversationId = await bench.write(shop, bench.stranger());
  await bench.t.app.drain();
  const lookAndBeRefused = async () => {
    refuse();
    await setUpChannel(bench.t.app, shop.workspaceId, shop.channelId);
  };
  await lookAndBeRefused();
  const said = `400: the bot sends, but what customers write does not arrive: ${refused}`;
  const stateOf = async () => {
    const { status, statusReason, syncError } = await bench.channelOf(shop);
    return { status, statusReason, syncError };
  };
  assert.deepEqual(await stateOf(), { status: "connected", statusReason: null, syncError: said });
  // It sends.
  await bench.reply(shop, conversationId, "hello");
  await bench.t.app.drain();
  assert.equal((await bench.outbound(shop))[0]?.status, "sent");
  await lookAndBeRefused();
  assert.equal((await stateOf()).syncError, said);
  const notices = async () =>
    bench.t.app.db.query<{ subject: string }>(sql`
      select subject from notice where workspace_id = ${shop.workspaceId} and kind = 'channel.error'`);
  assert.equal((await notices()).length, 1, "the admins are notified once");
  assert.match((await notices())[0]?.subject ?? "", /receives nothing$/);
  bench.t.clock.advance(600_000);
  await bench.t.app.drain();
  assert.deepEqual(await stateOf(), { status: "connected", statusReason: null, syncError: null });
  assert.equal(bench.webhookOf(shop), `${bench.base}/hooks/telegram/${shop.channelId}`);
  const events = await bench.events(shop);
  assert.equal(events.filter(({ type }) => type === "channel.status").length, 1);
});

test("a webhook that another program set is not taken back by itself, but by connecting again; disconnecting deletes ours", async () => {
  const shop = await bench.openShop();
  const theirs = { url: "https://elsewhere.example/hook", secretToken: null, maxConnections: 40 };
  bench.bots.bot(shop.botId).updates.setWebhook(theirs, null, false);
  bench.t.clock.advance(3_600_000);
  await bench.t.app.drain();
  const taken = await bench.channelOf(shop);
  assert.equal(taken.status, "connected", "it sends");
  assert.match(taken.syncError ?? "", /^WEBHOOK_TAKEN: the bot sends, but .* does not arrive/);
  assert.equal(bench.webhookOf(shop), theirs.url);
  await connectAccount(
    OPERATOR,
    bench.t.app,
    shop.workspaceId,
    telegramAccount(bench.bots, shop.token),
  );
  const channel = await bench.channelOf(shop);
  assert.equal(channel.status, "connected");
  assert.equal(bench.webhookOf(shop), `${bench.base}/hooks/telegram/${shop.channelId}`);
  await disconnectChannel(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId);
  assert.equal(bench.webhookOf(shop), null);
  bench.bots.bot(shop.botId).updates.setWebhook(theirs, null, false);
  await connectAccount(
    OPERATOR,
    bench.t.app,
    shop.workspaceId,
    telegramAccount(bench.bots, shop.token),
  );
  bench.bots.bot(shop.botId).updates.setWebhook(theirs, null, false);
  await disconnectChannel(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId);
  assert.equal(bench.webhookOf(shop), theirs.url);
});

test("the token is in no log line, no event, no row that can be read", async () => {
  const shop = await bench.openShop();
  const conversationId = await bench.write(shop, bench.stranger());
  for (const kind of ["drop", "html", "redirect", "truncated", "empty"] as const) {
    bench.bots.fault({ kind, location: `${bench.bots.url}/bot${shop.token}/sendMessage` });
    bench.bots.fault({
      kind: "code",
      code: 400,
      details: `Bad Request: /bot${shop.token}/ is odd`,
    });
    await bench.reply(shop, conversationId, kind);
    await bench.t.app.drain();
    bench.t.clock.advance(20 * 60_000);
    await bench.t.app.drain();
  }
  bench.bots.fault({ kind: "drop", on: "account" });
  await disconnectChannel(OPERATOR, bench.t.app, shop.workspaceId, shop.channelId);
  const rows = await bench.t.app.db.query<{ row: string }>(sql`
    select channel::text as row from channel union all select event::text from event
    union all select message::text from message union all select channel_poll::text from channel_poll
    union all select audit_entry::text from audit_entry`);
  assert.ok(rows.length > 40);
  assert.ok(rows.every(({ row }) => !row.includes(SECRET)));
  assert.ok(bench.logged().includes("a channel was not set up"));
  assert.equal(bench.logged().includes(SECRET), false);
});
