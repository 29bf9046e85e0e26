import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { json } from "../../test/messaging.ts";
import { sql } from "../db/sql.ts";
import { receiveEvents } from "../messages/receive-events.ts";
import { Shop, startGround, type Ground } from "./campaign.fixture.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

/** A campaign to one contact whom the platform names so; the contact's id. */
async function campaign(shop: Shop, phone: string, named: object): Promise<string> {
  const [contactId = ""] = await shop.people([{ phone }]);
  ground.graph.answer = () =>
    json(200, { contacts: [{ input: phone, ...named }], messages: [{ id: `wamid.${phone}` }] });
  const { id } = await shop.draft();
  await shop.start(id);
  await shop.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sent"]);
  return contactId;
}

const contactsOf = (shop: Shop): Promise<{ id: string; stopped: boolean }[]> =>
  shop.app.db.query(
    sql`select id, opted_out_at is not null as stopped from contact where workspace_id = ${shop.id} order by id`,
  );

test("a campaign's recipient who answers by the number that WhatsApp named is the same person, and may say STOP", async () => {
  const shop = await Shop.open(ground);
  const id = await campaign(shop, "5511998765432", { wa_id: "551198765432" });
  await receiveEvents(shop.app, [shop.desk.message("551198765432", "STOP")]);
  assert.deepEqual(await contactsOf(shop), [{ id, stopped: true }]);
});

test("a recipient who shows no number is known by the user id that the send was answered with", async () => {
  const shop = await Shop.open(ground);
  const id = await campaign(shop, "96550001001", { wa_id: "96550001001", user_id: "KW.1001" });
  const from = { externalId: "KW.1001", phone: null, name: null };
  await receiveEvents(shop.app, [shop.desk.message("KW.1001", "STOP", { from })]);
  assert.deepEqual(await contactsOf(shop), [{ id, stopped: true }]);
});

test("a number that the platform names with another user id than its contact's is somebody else's: nothing is noted", async () => {
  const shop = await Shop.open(ground);
  const phone = "96550001002";
  const id = await campaign(shop, phone, { wa_id: phone, user_id: "KW.1" });
  const { id: again } = await shop.draft();
  ground.graph.answer = () =>
    json(200, { contacts: [{ wa_id: phone, user_id: "KW.2" }], messages: [{ id: "wamid.again" }] });
  await shop.start(again);
  await shop.app.drain();
  const from = { externalId: phone, phone, name: null, alternateId: "KW.2" };
  await receiveEvents(shop.app, [shop.desk.message(phone, "STOP", { from })]);
  const [first, second, ...more] = await contactsOf(shop);
  assert.deepEqual([first?.id, second?.stopped, more], [id, true, []]);
  const [former] = await shop.app.db.query<{ phone: string | null }>(
    sql`select phone from contact where workspace_id = ${shop.id} and id = ${id}`,
  );
  assert.equal(former?.phone, null);
});

test("a reply is answered with the ids of its customer as well", async () => {
  const shop = await Shop.open(ground);
  const phone = "96550001003";
  const conversation = await shop.desk.hears(phone);
  ground.graph.answer = () =>
    json(200, { contacts: [{ wa_id: phone, user_id: "KW.3" }], messages: [{ id: "wamid.r" }] });
  await shop.desk.replies(conversation);
  await shop.app.drain();
  const from = { externalId: "KW.3", phone: null, name: null };
  await receiveEvents(shop.app, [shop.desk.message("KW.3", "and in red?", { from })]);
  assert.equal((await contactsOf(shop)).length, 1);
});
