import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { loadAccounts } from "../../src/channels/load-accounts.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { MetaStand, type MetaShop } from "../meta-shop.ts";

/** Tokens of Instagram login end after 60 days: they are renewed, by the hourly sync, while they can be. */
const DAY = 86_400_000;
let stand: MetaStand;
before(async () => {
  stand = await MetaStand.start("INSTAGRAM");
});
after(() => stand[Symbol.asyncDispose]());

/** A shop whose token was given now. */
async function open(): Promise<MetaShop> {
  const shop = await stand.openShop();
  stand.meta.addPage({
    ...stand.meta.page(shop.pageId),
    tokenIssuedAt: stand.t.clock.now().getTime(),
  });
  return shop;
}
const tokenOf = async ({ workspaceId, channelId }: MetaShop) => {
  const accounts = await loadAccounts(stand.t.app, [{ workspaceId, channelId }]);
  return accounts.get(channelId)?.secrets["accessToken"];
};
async function row({ channelId }: MetaShop) {
  const rows = await stand.t.app.db.query<{
    status: string;
    endAt: Date | null;
    dueAt: Date | null;
  }>(
    sql`select status, secrets_end_at as "endAt", secrets_due_at as "dueAt" from channel where id = ${channelId}`,
  );
  return rows[0] ?? assert.fail();
}
const notices = ({ workspaceId }: MetaShop) =>
  stand.t.app.db.query<{ kind: string; body: string }>(
    sql`select kind, body from notice where workspace_id = ${workspaceId} and kind = 'channel.credentials' order by id`,
  );
const renewals = () =>
  stand.meta.requests().filter(({ path }) => path === "/refresh_access_token").length;
/** So many days with a sync every hour would take long: one a day shows the same. */
async function pass(days: number): Promise<void> {
  const { app, clock } = stand.t;
  const sync = app.workers.find((worker) => worker.name === "sync-channels");
  assert.ok(sync);
  for (let day = 0; day < days; day++) {
    clock.advance(DAY);
    while ((await sync.runOnce()) > 0);
  }
  await app.drain();
}

test("a token is renewed on its second day and then every 30 days, stored sealed, and the channel works for a year", async () => {
  stand.meta.clear();
  const shop = await open();
  const first = await tokenOf(shop);
  await stand.t.app.drain();
  assert.equal(renewals(), 0);
  await pass(1);
  assert.equal(renewals(), 1);
  const second = await tokenOf(shop);
  assert.notEqual(second, first);
  assert.equal(second, stand.meta.page(shop.pageId).accessToken);
  const now = stand.t.clock.now().getTime();
  const { endAt, dueAt } = await row(shop);
  assert.deepEqual([endAt?.getTime(), dueAt?.getTime()], [now + 60 * DAY, now + 30 * DAY]);
  await pass(29);
  assert.equal(renewals(), 1);
  await pass(1);
  assert.equal(renewals(), 2);
  await pass(330);
  assert.equal(renewals(), 13);
  const conversationId = await shop.hears("17900000001234");
  await shop.replies(conversationId, "still here");
  await stand.t.app.drain();
  assert.equal(stand.meta.messages().at(-1)?.text, "still here");
  assert.deepEqual(await notices(shop), []);
  const stored = await stand.t.app.db.query<{ secrets: string }>(
    sql`select encode(secrets_sealed, 'escape') as secrets from channel where id = ${shop.channelId}`,
  );
  assert.doesNotMatch(stored[0]?.secrets ?? "", /EAAB/);
});

test("a refusal is told to the admins once, with the day it ends, and tried again every day", async () => {
  stand.meta.clear();
  const shop = await open();
  await pass(1);
  const token = await tokenOf(shop);
  const day = (await row(shop)).endAt?.toISOString().slice(0, 10) ?? "";
  stand.meta.fault({ kind: "code", code: 190, on: "account", next: 3 });
  await pass(33);
  const [notice, ...more] = await notices(shop);
  assert.deepEqual(more, []);
  assert.ok(notice);
  assert.ok(notice.body.includes(day) && notice.body.includes("190"));
  assert.doesNotMatch(notice.body, /EAAB/);
  assert.notEqual(await tokenOf(shop), token);
  assert.equal((await row(shop)).status, "connected");
});

test("an outage is tried again every hour, and the admins hear of it in the last seven days only", async () => {
  stand.meta.clear();
  const shop = await open();
  await pass(1);
  stand.meta.fault({ kind: "status", status: 503, on: "account", next: 1_000 });
  await pass(52);
  assert.deepEqual(await notices(shop), []);
  await pass(3);
  assert.equal((await notices(shop)).length, 1);
  stand.meta.faults.clear();
  await pass(1);
  assert.equal((await row(shop)).endAt?.getTime(), stand.t.clock.now().getTime() + 60 * DAY);
});

test("a token that a person replaced while the platform was asked is not overwritten", async () => {
  stand.meta.clear();
  const shop = await open();
  stand.meta.fault({ kind: "delay", delayMs: 60_000, on: "account" });
  stand.t.clock.advance(DAY);
  const round = stand.t.app.drain();
  while (renewals() === 0) await new Promise((resolve) => setImmediate(resolve));
  const accessToken = `EAAB-new-${shop.pageId}`;
  await updateCredentials(OPERATOR, stand.t.app, shop.workspaceId, shop.channelId, { accessToken });
  stand.meta.release();
  await round;
  assert.equal(await tokenOf(shop), accessToken);
});
