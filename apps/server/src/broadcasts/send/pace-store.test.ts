import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listChannels } from "../../channels/list-channels.ts";
import { sql } from "../../db/sql.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { lockNumber, openNumber } from "./pace-store.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

test("the number that a campaign is on: the platform's account at its address, a sandbox wherever it moved, an SMS gateway", async () => {
  const shop = await Shop.open(ground);
  const [channel] = await listChannels(shop.app, shop.id);
  const number = channel?.externalId;
  const { id } = await shop.draft();
  const sms = await shop.draft({
    kind: "SMS",
    channelId: null,
    templateId: null,
    body: "x",
    variables: {},
  });
  const accountOf = async (campaign: string) => {
    await openNumber(shop.app.db, shop.key(campaign));
    return shop.app.db.transaction(
      async (tx) => (await lockNumber(tx, shop.key(campaign)))?.account,
    );
  };
  const set = (apiUrl: string | null, sandbox: boolean) =>
    shop.app.db.query(sql`update channel set api_url = ${apiUrl}, sandbox = ${sandbox}
      where workspace_id = ${shop.id}`);
  assert.equal(await accountOf(id), `WHATSAPP  ${number}`);
  await set("http://127.0.0.1:4001", false);
  assert.equal(await accountOf(id), `WHATSAPP http://127.0.0.1:4001 ${number}`);
  await set("http://127.0.0.1:4002", true);
  assert.equal(await accountOf(id), `WHATSAPP  ${number}`);
  assert.equal(await accountOf(sms.id), `SMS ${shop.id}`);
});
