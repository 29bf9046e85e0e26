import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { changeNumberConsent } from "../../contacts/consent/change-consent.ts";
import { consentHistory } from "../../contacts/consent/consent-history.ts";
import { createContact } from "../../contacts/record/create-contact.ts";
import { findContact } from "../../contacts/identity/find-contact.ts";
import { mergeContacts } from "../../contacts/identity/merge-contacts.ts";
import { updateContact } from "../../contacts/record/update-contact.ts";
import { sql } from "../../db/sql.ts";
import { AppError } from "../../errors.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import { pauseBroadcast } from "./change-broadcast.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";
import { Shop, startGround, type Ground } from "./campaign.fixture.ts";

let ground: Ground;
let shop: Shop;
before(async () => void (ground = await startGround()));
after(() => ground[Symbol.asyncDispose]());
beforeEach(async () => {
  shop = await Shop.open(ground);
  ground.graph.sent.length = 0;
});
const merge = (keep: string, merged: string) =>
  mergeContacts(OPERATOR, shop.app, shop.id, keep, merged);
const contactOf = async (phone: string) => {
  const [row] = await shop.app.db.query<{ id: string }>(
    sql`select id from contact where workspace_id = ${shop.id} and phone = ${phone}`,
  );
  return row?.id ?? assert.fail("no contact");
};

test("fields, tags and attributes are joined; the merged id answers as the kept contact; a repeat changes nothing", async () => {
  const keep = await createContact(OPERATOR, shop.app, shop.id, {
    phone: "9651",
    tags: ["a"],
    notes: "one",
    attributes: { city: "Kuwait" },
  });
  const other = await createContact(OPERATOR, shop.app, shop.id, {
    name: "Mona",
    email: "m@example.com",
    phone: "9652",
    tags: ["b", "a"],
    notes: "two",
    attributes: { city: "Doha", size: 5 },
  });
  const merged = await merge(keep.id, other.id);
  assert.deepEqual(merged, {
    ...keep,
    name: "Mona",
    email: "m@example.com",
    tags: ["a", "b"],
    notes: "one\ntwo",
    attributes: { city: "Kuwait", size: 5 },
  });
  assert.deepEqual(await findContact(shop.app.db, shop.id, other.id), merged);
  assert.deepEqual(await merge(keep.id, other.id), merged);
  const renamed = await updateContact(OPERATOR, shop.app, shop.id, other.id, { name: "Mona B" });
  assert.deepEqual([renamed.id, renamed.name], [keep.id, "Mona B"]);
  const [rows] = await shop.app.db.query(sql`
    select (select total from contact_total where workspace_id = ${shop.id}) as total,
      (select count(*) from contact where workspace_id = ${shop.id}) as rows`);
  assert.deepEqual(rows, { total: 1, rows: 1 });
  const updates = await shop.desk.events("contact.updated");
  assert.equal(updates.length, 2);
  const joins = await shop.desk.events("contact.merged");
  assert.deepEqual(
    joins.map(({ contactId, mergedId }) => [contactId, mergedId]),
    [[keep.id, other.id]],
  );
  await assert.rejects(
    merge(keep.id, keep.id),
    (error) => error instanceof AppError && error.code === "VALIDATION_FAILED",
  );
});

test("a chain of merges: every id answers as the last contact", async () => {
  const [a, b, c] = await shop.people([{ phone: "1" }, { phone: "2" }, { phone: "3" }]);
  await merge(b ?? "", c ?? "");
  await merge(a ?? "", b ?? "");
  for (const id of [a, b, c])
    assert.equal((await findContact(shop.app.db, shop.id, id ?? ""))?.id, a);
});

test("opted out wins, and the ledger has both", async () => {
  const keep = await createContact(OPERATOR, shop.app, shop.id, { phone: "9651" });
  const other = await createContact(OPERATOR, shop.app, shop.id, { phone: "9652" });
  await changeNumberConsent(OPERATOR, shop.app, shop.id, {
    phone: "9652",
    optedOut: true,
  });
  assert.equal((await merge(keep.id, other.id)).optedOut, true);
  assert.deepEqual(
    (await consentHistory(shop.app, shop.id, { contactId: keep.id })).map((e) => [
      e.contactId,
      e.source,
    ]),
    [
      [other.id, "cli"],
      [keep.id, "merge"],
    ],
  );
  assert.equal(
    (await createContact(OPERATOR, shop.app, shop.id, { phone: "9651" })).optedOut,
    true,
  );
});

test("conversations: a single one passes over; of two on a channel each keeps its address, and new messages go to the kept one", async () => {
  const first = await shop.desk.hears("96550000001", "from one");
  const second = await shop.desk.hears("96550000002", "from two");
  const [keep, other] = [await contactOf("96550000001"), await contactOf("96550000002")];
  await merge(keep, other);
  await shop.desk.replies(second, "to two");
  await shop.app.drain();
  assert.deepEqual(
    ground.graph.sent.map((one) => one.to),
    ["96550000002"],
  );
  await receiveEvents(shop.app, [shop.desk.message("96550000002", "again")]);
  const threads = async () =>
    shop.app.db.query<{ id: string; messages: number; external_id: string }>(sql`
      select c.id, c.external_id, (select count(*)::int from message m where m.workspace_id = c.workspace_id
        and m.conversation_id = c.id) as messages
      from conversation c where c.workspace_id = ${shop.id} order by c.id`);
  assert.deepEqual(await threads(), [
    { id: first, external_id: "96550000002", messages: 2 },
    { id: second, external_id: "96550000002", messages: 2 },
  ]);
});

test("a person's messages are those of the contact that got the conversation, and none of them is rewritten", async () => {
  const thread = await shop.desk.hears("96550000001");
  const { id: ours } = await shop.desk.replies(thread);
  await shop.app.drain();
  const places = () =>
    shop.app.db.query(
      sql`select id, ctid::text from message where workspace_id = ${shop.id} order by id`,
    );
  const before = await places();
  const { id: kept } = await createContact(OPERATOR, shop.app, shop.id, { phone: "96550000009" });
  await merge(kept, await contactOf("96550000001"));
  assert.deepEqual(await places(), before, "20,000 of them held up the person's next one");
  const { messages } = await listMessages(shop.app, shop.id, thread);
  const owners = messages.map((one) => one.contactId);
  assert.deepEqual(owners, [kept, kept]);
  await receiveEvents(shop.app, [shop.desk.status({ correlationId: ours, status: "read" })]);
  const told = (await shop.desk.events("message.status")).at(-1);
  assert.deepEqual([told?.["contactId"], told?.["status"]], [kept, "read"]);
  const stop = { correlationId: ours, status: "failed", optedOut: true } as const;
  await receiveEvents(shop.app, [shop.desk.status(stop)]);
  assert.equal((await findContact(shop.app.db, shop.id, kept))?.optedOut, true);
});

test("a campaign with both contacts messages the person once, whether or not one of them was called before the merge", async () => {
  const [a, b, c, d] = await shop.people([
    { phone: "96550000001" },
    { phone: "96550000002" },
    { phone: "96550000003" },
    { phone: "96550000004" },
  ]);
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  await merge(a ?? "", b ?? "");
  const fresh = await createContact(OPERATOR, shop.app, shop.id, { phone: "96559999999" });
  await merge(fresh.id, c ?? "");
  await shop.app.drain();
  assert.deepEqual(
    ground.graph.sent.map((one) => one.to).toSorted(),
    ["96550000001", "96550000003", "96550000004"],
    "d is untouched, c goes though its contact has another id now",
  );
  assert.ok(d);
  const broadcast = await shop.checkCounts(id);
  assert.deepEqual([broadcast.status, broadcast.skippedCount], ["COMPLETED", 1]);
});

test("a chain of merges: a campaign with the first and the last contact messages the person once, whoever is in between", async () => {
  const [a, c, d, e] = await shop.people([1, 3, 4, 5].map((n) => ({ phone: `9655000000${n}` })));
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  const between = await createContact(OPERATOR, shop.app, shop.id, { phone: "96559999998" });
  await merge(between.id, a ?? "");
  await merge(c ?? "", between.id);
  // Two contacts of the campaign, one after the other, are merged into one that is not in it.
  const last = await createContact(OPERATOR, shop.app, shop.id, { phone: "96559999999" });
  await merge(last.id, d ?? "");
  await merge(last.id, e ?? "");
  await shop.app.drain();
  assert.deepEqual(ground.graph.sent.map((one) => one.to).toSorted(), [
    "96550000003",
    "96550000004",
  ]);
  const broadcast = await shop.checkCounts(id);
  assert.deepEqual([broadcast.status, broadcast.skippedCount], ["COMPLETED", 2]);
});

test("a merge among recipients that wait for the allowance leaves the others waiting", async () => {
  const [, , c = "", d = ""] = await shop.crowd(4);
  const { id } = await shop.draft();
  await updateWorkspace(OPERATOR, shop.app, shop.id, { limits: { messages: 1 } });
  await shop.start(id);
  await shop.app.drain();
  assert.equal((await shop.find(id)).statusReason, "MESSAGE_LIMIT_REACHED");
  await merge(c, d);
  await updateWorkspace(OPERATOR, shop.app, shop.id, { limits: { messages: null } });
  await shop.start(id);
  await shop.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sent", "sent", "sent", "skipped duplicate_address"]);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});

test("a half-stored audience has the person once when two of its contacts are merged", async () => {
  const [a, b] = await shop.people([{ phone: "96550000001" }, { phone: "96550000002" }]);
  const { id } = await shop.draft();
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id), 1);
  // The second contact, not stored yet, takes in the first one.
  await merge(b ?? "", a ?? "");
  await shop.app.drain();
  assert.equal(ground.graph.sent.length, 1);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});

test("a STOP that comes after the audience was stored is obeyed at the send", async () => {
  await shop.people([{ phone: "96550000001" }, { phone: "96550000002" }]);
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  // By SMS, of only the number: the contact's own row may not know it yet.
  await shop.app.db.query(
    sql`insert into opted_out_phone values (${shop.id}, '96550000001', ${ground.t.clock.now()})`,
  );
  await shop.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["skipped opted_out", "sent"]);
  await shop.checkCounts(id);
});

test("a STOP of the number with which the audience was stored is obeyed, although the contact has another number by now", async () => {
  await shop.people([{ phone: "96550000001" }, { phone: "96550000002" }]);
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  await shop.app.db.query(
    sql`update contact set phone = '9655999' || right(phone, 1) where workspace_id = ${shop.id}`,
  );
  await shop.app.db.query(
    sql`insert into opted_out_phone values (${shop.id}, '96550000001', ${ground.t.clock.now()})`,
  );
  await shop.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["skipped opted_out", "sent"]);
  await shop.checkCounts(id);
});

test("the same when the number belongs to nobody by now and only its hash is kept", async () => {
  await shop.people([{ phone: "96550000001" }, { phone: "96550000002" }]);
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
  await updateContact(OPERATOR, shop.app, shop.id, await contactOf("96550000001"), {
    phone: "96559999991",
  });
  await changeNumberConsent(OPERATOR, shop.app, shop.id, {
    phone: "96550000001",
    optedOut: true,
  });
  ground.t.clock.advance(11 * 60_000);
  await shop.app.drain();
  await shop.start(id);
  await shop.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["skipped opted_out", "sent"]);
  await shop.checkCounts(id);
});

test("a recipient who was merged before the send has the message in the conversation of the present contact", async () => {
  const [merged = ""] = await shop.crowd(1);
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  const [stays = ""] = await shop.crowd(1, "9656");
  await merge(stays, merged);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["sent"]);
  const threads = await shop.app.db.query<{ contact: string; count: number }>(sql`
    select c.contact_id as contact, (select count(*) from message m
      where m.workspace_id = c.workspace_id and m.conversation_id = c.id and m.contact_id = c.contact_id) as count
    from conversation c where c.workspace_id = ${shop.id}`);
  assert.deepEqual(threads, [{ contact: stays, count: 1 }]);
  // The platform's reports move the recipient under which it was stored.
  const sent = await shop.app.db.query<{ id: string }>(
    sql`select id from message where workspace_id = ${shop.id} order by id`,
  );
  await receiveEvents(
    shop.app,
    sent.map((row) => shop.desk.status({ externalMessageId: row.id, correlationId: row.id })),
  );
  assert.deepEqual(await shop.outcomes(id), ["delivered"]);
  await shop.checkCounts(id);
});
