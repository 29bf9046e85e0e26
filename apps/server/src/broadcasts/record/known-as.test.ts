import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { json } from "../../../test/messaging.ts";
import { sql } from "../../db/sql.ts";
import { HttpFailure } from "../../lib/http.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { Shop, startGround, type Ground } from "./campaign.fixture.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

/** Makes a campaign to one contact, known to the platform by this name. Gives the contact's id. */
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

test("a recipient who answers by the number that WhatsApp named is the same person, and may say STOP", async () => {
  const shop = await Shop.open(ground);
  const id = await campaign(shop, "5511998765432", { wa_id: "551198765432" });
  await receiveEvents(shop.app, [shop.desk.message("551198765432", "STOP")]);
  assert.deepEqual(await contactsOf(shop), [{ id, stopped: true }]);
});

test("a recipient without a visible number is known by the user id in the answer to the send", async () => {
  const shop = await Shop.open(ground);
  const id = await campaign(shop, "96550001001", { wa_id: "96550001001", user_id: "KW.1001" });
  const from = { externalId: "KW.1001", phone: null, name: null };
  await receiveEvents(shop.app, [shop.desk.message("KW.1001", "STOP", { from })]);
  assert.deepEqual(await contactsOf(shop), [{ id, stopped: true }]);
});

test("a number that the platform names with another user id than its contact's belongs to somebody else: nothing is stored", async () => {
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

test("the answer to a reply gives the ids of its customer as well", async () => {
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

test("after a lost answer, the report that proves the send tells who the customer is, for campaigns and replies", async () => {
  const shop = await Shop.open(ground);
  const [phone, other] = ["5511998765433", "96550001004"];
  await shop.people([{ phone }]);
  ground.graph.answer = () => Promise.reject(new HttpFailure("timeout", true, "no answer in time"));
  await shop.start((await shop.draft()).id);
  await shop.app.drain();
  await shop.desk.replies(await shop.desk.hears(other));
  await shop.app.drain();
  const sent = (to: string) =>
    ground.graph.sent.findLast((one) => one.to === to)?.biz_opaque_callback_data ?? "";
  const report = (to: string, customer: { externalId: string; alternateId?: string }) => {
    const correlationId = sent(to);
    const facts = { externalMessageId: `wamid.${to}`, correlationId, customer };
    return receiveEvents(shop.app, [shop.desk.status({ ...facts, status: "sent" })]);
  };
  await report(phone, { externalId: "551198765433" });
  await report(other, { externalId: other, alternateId: "KW.4" });
  // The id is known by now: another report of the same message teaches nothing more.
  await report(other, { externalId: "96550001005" });
  await receiveEvents(shop.app, [shop.desk.message("551198765433", "STOP")]);
  const from = { externalId: "KW.4", phone: null, name: null };
  await receiveEvents(shop.app, [shop.desk.message("KW.4", "and in red?", { from })]);
  assert.deepEqual(
    (await contactsOf(shop)).map((one) => one.stopped),
    [true, false],
  );
  await receiveEvents(shop.app, [shop.desk.message("96550001005", "Hello")]);
  assert.equal((await contactsOf(shop)).length, 3);
});

test("a report that names somebody else's number gives nobody the user id beside it", async () => {
  const shop = await Shop.open(ground);
  const [one, other] = ["96550001007", "96550001008"];
  const conversation = await shop.desk.hears(one);
  const theirs = await shop.desk.hears(other);
  ground.graph.answer = () => Promise.reject(new HttpFailure("timeout", true, "no answer in time"));
  await shop.desk.replies(conversation);
  await shop.app.drain();
  const correlationId = ground.graph.sent.findLast(
    (call) => call.to === one,
  )?.biz_opaque_callback_data;
  const customer = { externalId: other, alternateId: "KW.8" };
  const facts = { externalMessageId: "wamid.8", correlationId: correlationId ?? "", customer };
  await receiveEvents(shop.app, [shop.desk.status({ ...facts, status: "sent" })]);
  const from = { externalId: other, phone: other, name: null, alternateId: "KW.8" };
  await receiveEvents(shop.app, [shop.desk.message("8", "It is me", { from })]);
  const threads = sql`select conversation_id as thread from message
    where workspace_id = ${shop.id} and direction = 'inbound' order by id desc limit 1`;
  assert.deepEqual(await shop.app.db.query(threads), [{ thread: theirs }]);
  const phones = sql`select phone from contact where workspace_id = ${shop.id} order by phone`;
  assert.deepEqual(await shop.app.db.query(phones), [{ phone: one }, { phone: other }]);
});

test("a report of another channel, or of an unknown message, teaches nothing", async () => {
  const shop = await Shop.open(ground);
  const conversation = await shop.desk.hears("96550001006");
  ground.graph.answer = () => Promise.reject(new HttpFailure("timeout", true, "no answer in time"));
  const { id } = await shop.desk.replies(conversation);
  await shop.app.drain();
  const customer = { externalId: "96550001006", alternateId: "KW.6" };
  const word = { externalMessageId: "wamid.6", status: "sent", customer } as const;
  const there = shop.desk.status({ ...word, correlationId: id });
  const account = { ...there.account, channelId: shop.app.ids.next() };
  await receiveEvents(shop.app, [
    { ...there, account },
    shop.desk.status({ ...word, correlationId: shop.app.ids.next() }),
    shop.desk.status({ ...word, correlationId: "not ours" }),
    shop.desk.status({ ...word, correlationId: null }),
  ]);
  const known = sql`select external_id as id from contact_identity where workspace_id = ${shop.id}`;
  assert.deepEqual(await shop.app.db.query(known), [{ id: "96550001006" }]);
});
