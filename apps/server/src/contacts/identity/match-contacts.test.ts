import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { findContact, findContacts } from "./find-contact.ts";
import { matchContacts, type Sighting } from "./match-contacts.ts";
import { mergeContacts } from "./merge-contacts.ts";
import { setConsent } from "../consent/set-consent.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const id = () => t.app.ids.next();
const sighting = (workspaceId: string, facts: Partial<Sighting> = {}): Sighting => ({
  workspaceId,
  channelId: "0190c0de-0000-7000-8000-000000000001",
  channelType: "WHATSAPP",
  externalId: "96550000001",
  phone: null,
  name: null,
  at: t.clock.now(),
  seen: true,
  ...facts,
});
const match = (...sightings: Sighting[]) =>
  t.app.db.transaction((tx) => matchContacts(t.app, tx, sightings));
const consent = (workspaceId: string, contactId: string, optedOut: boolean) =>
  t.app.db.transaction((tx) =>
    setConsent(t.app, tx, [
      { workspaceId, contactId, optedOut, source: "test", at: t.clock.now() },
    ]),
  );

test("an unknown person becomes a contact once, and is known from then on", async () => {
  const w = id();
  const neighbour = (await match(sighting(w, { externalId: "7" }))).matches[0]?.contactId ?? "";
  const before = t.clock.now().toISOString();
  const first = await match(sighting(w, { name: " Sara ", phone: "96550000001" }));
  assert.equal(first.matches[0]?.created, true);
  const contactId = first.matches[0].contactId;
  const [event] = first.events;
  assert.equal(event?.type, "contact.created");
  assert.deepEqual(event.data, { contact: await findContact(t.app.db, w, contactId) });
  t.clock.advance(1000);
  const second = await match(sighting(w));
  assert.deepEqual(second, {
    matches: [{ contactId, created: false, optedOut: false }],
    events: [],
  });
  const contact = await findContact(t.app.db, w, contactId);
  assert.equal(contact?.lastSeenAt, t.clock.now().toISOString());
  assert.equal((await findContact(t.app.db, w, neighbour))?.lastSeenAt, before);
  assert.equal(contact.name, "Sara");
  assert.equal(contact.channelType, "WHATSAPP");
});

test("a contact is as old as its record, however late the message came: sorting by time and by id is the same", async () => {
  const w = id();
  const neighbour = (await match(sighting(w, { externalId: "1" }))).matches[0]?.contactId ?? "";
  const before = t.clock.now().toISOString();
  t.clock.advance(1000);
  const wrote = new Date(t.clock.now().getTime() - 3_600_000);
  const [late] = (await match(sighting(w, { externalId: "2", at: wrote }))).matches;
  assert.ok(late && late.contactId > neighbour);
  const contact = await findContact(t.app.db, w, late.contactId);
  assert.equal(contact?.createdAt, t.clock.now().toISOString());
  assert.equal(contact.lastSeenAt, wrote.toISOString());
  assert.equal((await findContact(t.app.db, w, neighbour))?.createdAt, before);
});

test("the same person twice in one batch, by either id or by phone, is one contact", async () => {
  const w = id();
  const { matches, events } = await match(
    sighting(w, { externalId: "1", alternateId: "US.1" }),
    sighting(w, { externalId: "US.1", phone: "1" }),
    sighting(w, { channelId: id(), externalId: "other", phone: "1" }),
    sighting(id(), { externalId: "1", phone: "1" }),
  );
  assert.deepEqual(
    matches.map((m) => m.created),
    [true, false, false, true],
  );
  assert.equal(new Set(matches.map((m) => m.contactId)).size, 2);
  assert.deepEqual(
    events.map((event) => event.type),
    ["contact.created", "contact.created", "contact.updated"],
    "the number came with the second message",
  );
});

test("twenty transactions that see a stranger together create one contact", async () => {
  const w = id();
  // Connections are opened first; otherwise the first transaction ends before the second has one.
  await Promise.all(Array.from({ length: 8 }, () => t.app.db.query(sql`select pg_sleep(0.1)`)));
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      match(
        sighting(
          w,
          n % 2
            ? { phone: "5", externalId: "5" }
            : { phone: "5", externalId: `b${n}`, channelId: id() },
        ),
      ),
    ),
  );
  assert.equal(new Set(results.map((r) => r.matches[0]?.contactId)).size, 1);
  assert.equal(results.filter((r) => r.matches[0]?.created).length, 1);
  const [total] = await t.app.db.query<{ total: number }>(
    sql`select total from contact_total where workspace_id = ${w}`,
  );
  assert.equal(total?.total, 1);
});

test("a contact created by hand is matched by phone and gets its name and channel; a search finds the name", async () => {
  const w = id();
  const { matches } = await match(
    sighting(w, { phone: "77", externalId: "x", channelType: "WEB" }),
  );
  await t.app.db.query(
    sql`update contact set channel_type = null, external_id = null where workspace_id = ${w}`,
  );
  const again = await match(
    sighting(w, { channelId: id(), phone: "77", externalId: "77", name: "Nour" }),
  );
  assert.equal(again.matches[0]?.contactId, matches[0]?.contactId);
  assert.deepEqual(
    again.events.map((e) => e.type),
    ["contact.updated"],
  );
  const contact = await findContact(t.app.db, w, again.matches[0]?.contactId ?? "");
  assert.equal(contact?.name, "Nour");
  assert.equal(contact.externalId, "77");
  const [row] = await t.app.db.query<{ search: string }>(
    sql`select search from contact where workspace_id = ${w}`,
  );
  assert.equal(row?.search, "nour\u001f\u001f77");
});

test("the id of a merged contact gives the kept contact, and nobody else", async () => {
  const w = (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;
  const [kept = "", merged = ""] = (
    await match(
      sighting(w, { externalId: "1" }),
      sighting(w, { externalId: "2" }),
      sighting(w, { externalId: "3" }),
    )
  ).matches.map((one) => one.contactId);
  await mergeContacts(OPERATOR, t.app, w, kept, merged);
  const found = await findContacts(t.app.db, w, [merged]);
  assert.deepEqual(
    found.map((one) => one.id),
    [kept],
  );
});

test("somebody we only write to is not marked as seen", async () => {
  const w = id();
  const { matches } = await match(sighting(w, { seen: false }));
  assert.equal((await findContact(t.app.db, w, matches[0]?.contactId ?? ""))?.lastSeenAt, null);
  await match(sighting(w, { seen: false }));
  assert.equal((await findContact(t.app.db, w, matches[0]?.contactId ?? ""))?.lastSeenAt, null);
});

test("an opt-out is told once, kept in the ledger, and holds for every contact with the number", async () => {
  const w = id();
  const first =
    (await match(sighting(w, { externalId: "a", phone: "9" }))).matches[0]?.contactId ?? "";
  const other = (await match(sighting(w, { externalId: "b" }))).matches[0]?.contactId ?? "";
  const stranger = (await match(sighting(w, { externalId: "c" }))).matches[0]?.contactId ?? "";
  await t.app.db.query(
    sql`update contact set phone = '9' where workspace_id = ${w} and id = ${other}`,
  );
  const events = await consent(w, first, true);
  assert.deepEqual(
    events.map((e) => e.type),
    ["contact.opted_out", "contact.opted_out"],
  );
  assert.deepEqual(await consent(w, first, true), []);
  const state = async () =>
    new Map(
      (await findContacts(t.app.db, w, [first, other, stranger])).map((c) => [c.id, c.optedOut]),
    );
  assert.deepEqual(
    await state(),
    new Map([
      [first, true],
      [other, true],
      [stranger, false],
    ]),
  );
  const seen = await match(sighting(w, { externalId: "a" }));
  assert.equal(seen.matches[0]?.optedOut, true);
  assert.equal((await consent(w, other, false)).length, 2);
  const ledger = await t.app.db.query<{ opted_out: boolean }>(
    sql`select opted_out from consent_entry where workspace_id = ${w} order by id`,
  );
  assert.deepEqual(
    ledger.map((row) => row.opted_out),
    [true, true, false, false],
  );
});

test("STOP and START in one batch take effect in their order", async () => {
  const w = id();
  const contactId = (await match(sighting(w))).matches[0]?.contactId ?? "";
  const change = { workspaceId: w, contactId, source: "test", at: t.clock.now() };
  const events = await t.app.db.transaction((tx) =>
    setConsent(t.app, tx, [
      { ...change, optedOut: true },
      { ...change, optedOut: false },
      { ...change, optedOut: true },
    ]),
  );
  assert.deepEqual(
    events.map((e) => e.type),
    ["contact.opted_out", "contact.opted_in", "contact.opted_out"],
  );
  assert.deepEqual(
    await consent(id(), contactId, true),
    [],
    "another workspace's contact is unknown",
  );
});
