import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { refreshCredentials } from "../../src/channels/refresh-credentials.ts";
import { loadAccounts } from "../../src/channels/load-accounts.ts";
import {
  updateCredentials,
  type CredentialChanges,
} from "../../src/channels/update-credentials.ts";
import { sql } from "../../src/db/sql.ts";
import { streaming } from "../streaming.ts";
import { HOUR, startTikTokBench, type TikTokBench, type TikTokShop } from "../tiktok-bench.ts";

/** TikTok gives a new refresh token in place of the one that was used: what was given must not be lost on its way. */
let bench: TikTokBench;
before(async () => {
  bench = await startTikTokBench();
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(() => bench.clear());

const used = () =>
  bench.tiktok
    .requests()
    .filter(({ path: address }) => address.endsWith("/oauth2/refresh_token/"))
    .map(({ body }) => (JSON.parse(body) as { refresh_token: string }).refresh_token);

async function heldBy(shop: TikTokShop): Promise<Readonly<Record<string, string>>> {
  const account = (await loadAccounts(bench.t.app, [shop])).get(shop.channelId);
  assert.ok(account);
  return account.secrets;
}

const kept = async () =>
  readdir(path.join(bench.t.app.config.dataDir, "renewed-credentials")).catch(() => []);

/** Renews now, while somebody changes the channel between the platform's answer and the database. */
async function renewWhile(shop: TikTokShop, changes: CredentialChanges): Promise<void> {
  const { app } = bench.t;
  bench.t.clock.advance(13 * HOUR);
  await refreshCredentials(
    {
      ...app,
      providerHttp: streaming({
        request: async (request) => {
          const answer = await app.providerHttp.request(request);
          await updateCredentials(OPERATOR, app, shop.workspaceId, shop.channelId, changes);
          return answer;
        },
      }),
    },
    shop.workspaceId,
    shop.channelId,
  );
}

test("tokens that came while the database could not take them are stored later, and nobody is asked twice", async () => {
  const shop = await bench.openShop({ refreshToken: "rft.first" });
  const { app, clock } = bench.t;
  await app.db.query(sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no'; end $$`);
  await app.db.query(sql`create trigger refuse before update of secrets_sealed on channel
    for each row execute function refuse()`);
  await assert.rejects(refreshCredentials(app, shop.workspaceId, shop.channelId));
  await assert.rejects(refreshCredentials(app, shop.workspaceId, shop.channelId));
  assert.deepEqual(used(), ["rft.first"]);
  assert.deepEqual(await kept(), [shop.channelId]);
  await app.db.query(sql`drop trigger refuse on channel`);

  await refreshCredentials(app, shop.workspaceId, shop.channelId);
  const { refreshToken = "" } = await heldBy(shop);
  assert.match(refreshToken, /^rft\.renewed-/);
  assert.deepEqual([used().length, await kept()], [1, []]);
  clock.advance(13 * HOUR);
  await refreshCredentials(app, shop.workspaceId, shop.channelId);
  assert.deepEqual(used(), ["rft.first", refreshToken]);
});

test("a name that is changed while the platform answers takes nothing of the new tokens away", async () => {
  const shop = await bench.openShop({ refreshToken: "rft.first" });
  await bench.t.app.drain();
  const before = await heldBy(shop);
  await renewWhile(shop, { name: "Another name" });
  const after = await heldBy(shop);
  assert.notEqual(after["refreshToken"], before["refreshToken"]);
  assert.notEqual(after["accessToken"], before["accessToken"]);
});

test("tokens that a person gave meanwhile hold, and those of the platform are let go", async () => {
  const shop = await bench.openShop({ refreshToken: "rft.first" });
  await bench.t.app.drain();
  await renewWhile(shop, { refreshToken: "rft.by-hand" });
  assert.equal((await heldBy(shop))["refreshToken"], "rft.by-hand");
  assert.deepEqual(await kept(), []);
});
