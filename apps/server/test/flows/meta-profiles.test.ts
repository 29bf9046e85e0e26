import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { deleteContact } from "../../src/contacts/record/delete-contact.fixture.ts";
import { updateContact } from "../../src/contacts/record/update-contact.ts";
import { sql } from "../../src/db/sql.ts";
import { MetaStand, type MetaShop } from "../meta-shop.ts";

/** Messenger and Instagram name a customer only when they are asked: once, after the message, apart from it. */
let messenger: MetaStand;
let instagram: MetaStand;
before(async () => {
  messenger = await MetaStand.start("MESSENGER");
  instagram = await MetaStand.start("INSTAGRAM");
});
after(async () => {
  await messenger[Symbol.asyncDispose]();
  await instagram[Symbol.asyncDispose]();
});

async function contactOf(shop: MetaShop, from: string) {
  const rows = await shop.stand.t.app.db.query<{ id: string; name: string | null }>(
    sql`select id, name from contact where workspace_id = ${shop.workspaceId} and external_id = ${from}`,
  );
  return rows[0] ?? assert.fail("no contact");
}
async function updates(shop: MetaShop): Promise<unknown[]> {
  const rows = await shop.stand.t.app.db.query<{ body: string }>(
    sql`select body from event where workspace_id = ${shop.workspaceId} and type = 'contact.updated' order by sequence`,
  );
  return rows.map(({ body }) => JSON.parse(body).data.contact.name);
}
const waiting = async (shop: MetaShop) =>
  shop.stand.t.app.db.query(
    sql`select attempts from profile_request where workspace_id = ${shop.workspaceId}`,
  );
const asked = ({ meta }: MetaStand, from: string) =>
  meta.requests().filter(({ method, path }) => method === "GET" && path.endsWith(`/${from}`))
    .length;

test("Messenger's first and last name become the contact's, once, and the endpoint hears of it", async () => {
  const shop = await messenger.openShop();
  const from = "25000000007001";
  messenger.meta.setCustomer(from, { firstName: "سارة", lastName: "الأحمد" });
  await shop.hears(from, "one");
  assert.equal((await contactOf(shop, from)).name, null);
  await messenger.t.app.drain();
  assert.equal((await contactOf(shop, from)).name, "سارة الأحمد");
  assert.deepEqual(await updates(shop), ["سارة الأحمد"]);
  await shop.hears(from, "two");
  await messenger.t.app.drain();
  assert.equal(asked(messenger, from), 1);
  assert.deepEqual(await waiting(shop), []);
});

test("Instagram's name, or the user name where no name is set", async () => {
  const shop = await instagram.openShop();
  instagram.meta.setCustomer("17900000007001", { name: "Sara K", username: "sara.k" });
  instagram.meta.setCustomer("17900000007002", { name: null, username: "noor_99" });
  await shop.hears("17900000007001");
  await shop.hears("17900000007002");
  await instagram.t.app.drain();
  assert.equal((await contactOf(shop, "17900000007001")).name, "Sara K");
  assert.equal((await contactOf(shop, "17900000007002")).name, "noor_99");
});

test("a platform that will not say is not asked again, and nothing else changes", async () => {
  const shop = await messenger.openShop();
  await shop.hears("99900000000218");
  await messenger.t.app.drain();
  messenger.t.clock.advance(86_400_000);
  await messenger.t.app.drain();
  assert.equal(asked(messenger, "99900000000218"), 1);
  assert.equal((await contactOf(shop, "99900000000218")).name, null);
  assert.deepEqual(await updates(shop), []);
  const rows = await messenger.t.app.db.query<{ status: string }>(
    sql`select status from channel where id = ${shop.channelId}`,
  );
  assert.deepEqual(rows, [{ status: "connected" }]);
});

test("a platform that is away is asked five times in all, then never", async () => {
  const shop = await messenger.openShop();
  const from = "25000000007003";
  messenger.meta.fault({ kind: "status", status: 503, on: "profile", next: 100 });
  await shop.hears(from);
  for (let hour = 0; hour < 8; hour++) {
    await messenger.t.app.drain();
    messenger.t.clock.advance(3_600_000);
  }
  messenger.meta.faults.clear();
  await messenger.t.app.drain();
  assert.equal(asked(messenger, from), 5);
  assert.deepEqual(await waiting(shop), []);
});

test("a refused token and a lost answer are passed over, and the next try gives the name", async () => {
  const shop = await messenger.openShop();
  const from = "25000000007004";
  messenger.meta.fault({ kind: "code", code: 190, on: "profile" });
  messenger.meta.fault({ kind: "drop", on: "profile" });
  messenger.meta.fault({ kind: "truncated", on: "profile" });
  await shop.hears(from);
  for (const seconds of [11, 61, 601]) {
    await messenger.t.app.drain();
    assert.equal((await contactOf(shop, from)).name, null);
    messenger.t.clock.advance(seconds * 1000);
  }
  await messenger.t.app.drain();
  assert.equal((await contactOf(shop, from)).name, "Customer 7004");
});

test("a name that a person gave meanwhile stays; a deleted contact and a given up channel are let go", async () => {
  const shop = await messenger.openShop();
  const { app } = messenger.t;
  await shop.hears("25000000007005");
  const named = await contactOf(shop, "25000000007005");
  await updateContact(OPERATOR, app, shop.workspaceId, named.id, { name: "Our Sara" });
  await shop.hears("25000000007006");
  await deleteContact(app, shop.workspaceId, (await contactOf(shop, "25000000007006")).id);
  await app.drain();
  assert.equal((await contactOf(shop, "25000000007005")).name, "Our Sara");
  await shop.hears("25000000007007");
  await disconnectChannel(OPERATOR, app, shop.workspaceId, shop.channelId);
  await app.drain();
  assert.equal(asked(messenger, "25000000007007"), 0);
  assert.deepEqual(await waiting(shop), []);
});
