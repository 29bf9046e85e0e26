import { AGENT } from "../../../test/actors.ts";
import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { changeNumberConsent, sweepConsent } from "./change-consent.ts";
import { consentHistory } from "./consent-history.ts";
import { createContact } from "../record/create-contact.ts";
import { deleteContact } from "../record/delete-contact.fixture.ts";
import { eraseContact } from "../record/erase-contact.ts";
import { erasedNumber } from "../identity/erased-number.ts";
import { findContact } from "../identity/find-contact.ts";
import { importContacts } from "../import/import-contacts.ts";
import { matchContacts } from "../identity/match-contacts.ts";
import { findPerson } from "../record/person.ts";
import { setConsent } from "./set-consent.ts";
import { updateContact } from "../record/update-contact.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const stop = (w: string, phone: string, optedOut = true) =>
  changeNumberConsent(OPERATOR, t.app, w, { phone, optedOut });
const isOut = async (w: string, id: string) => (await findContact(t.app.db, w, id))?.optedOut;

test("an opt-out of a number holds for a contact that comes by API, import or message", async () => {
  const w = t.app.ids.next();
  assert.deepEqual(await stop(w, "+965 1"), { phone: "9651", optedOut: true, contacts: 0 });
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "9651" })).optedOut, true);
  await importContacts(
    t.app,
    w,
    Readable.from([Buffer.from("phone,name\n+9651,Imported\n9652,Free\n")]),
    {
      format: "csv",
      allowOptIn: false,
    },
  );
  const { matches, events } = await t.app.db.transaction((tx) =>
    matchContacts(t.app, tx, [
      {
        workspaceId: w,
        channelId: t.app.ids.next(),
        channelType: "WHATSAPP",
        externalId: "9653",
        phone: "9653",
        name: null,
        at: t.clock.now(),
        seen: true,
      },
    ]),
  );
  assert.equal(matches[0]?.optedOut, false);
  assert.equal(events.length, 1);
  const rows = await t.app.db.query<{ phone: string; out: boolean }>(
    sql`select phone, opted_out_at is not null as out from contact where workspace_id = ${w} order by phone, id`,
  );
  assert.deepEqual(
    rows.map((row) => `${row.phone} ${row.out}`),
    ["9651 true", "9652 false", "9653 false"],
    "the import met the contact that was there",
  );
});

test("a deleted contact's opt-out stays with the number", async () => {
  const w = t.app.ids.next();
  const { id } = await createContact(OPERATOR, t.app, w, { phone: "777" });
  await updateContact(AGENT, t.app, w, id, { optedOut: true });
  await deleteContact(t.app, w, id);
  const next = await createContact(OPERATOR, t.app, w, { phone: "777" });
  assert.equal(next.optedOut, true);
  assert.deepEqual(
    (await consentHistory(t.app, w, { contactId: next.id })).map((row) => [
      row.contactId,
      row.source,
    ]),
    [[id, "dashboard"]],
  );
});

test("a contact that gets an opted-out number is opted out; an opted-out contact opts its new number out", async () => {
  const w = t.app.ids.next();
  await stop(w, "100");
  const { id } = await createContact(OPERATOR, t.app, w, { phone: "200" });
  const moved = await updateContact(OPERATOR, t.app, w, id, { phone: "100" });
  assert.equal(moved.optedOut, true);
  const [last] = (await consentHistory(t.app, w, { contactId: id })).slice(-1);
  assert.equal(last?.source, "number");
  await updateContact(OPERATOR, t.app, w, id, { phone: "300" });
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "300" })).optedOut, true);
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "200" })).optedOut, false);
  assert.equal(
    await updateContact(OPERATOR, t.app, w, id, { phone: "400", optedOut: false }).then(
      (c) => c.optedOut,
    ),
    false,
  );
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "400" })).optedOut, false);
});

test("an opt-in older than the opt-out in force changes nothing; one of the same second counts", async () => {
  const w = t.app.ids.next();
  const { id } = await createContact(OPERATOR, t.app, w, { phone: "5" });
  const at = new Date(Math.floor(t.clock.now().getTime() / 1000) * 1000 + 500);
  const say = (optedOut: boolean, when: Date) =>
    t.app.db.transaction((tx) =>
      setConsent(t.app, tx, [
        { workspaceId: w, contactId: id, optedOut, source: "test", at: when },
      ]),
    );
  await say(true, at);
  await say(false, new Date(at.getTime() - 1000));
  assert.equal(await isOut(w, id), true);
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "5" })).optedOut, true);
  await say(false, new Date(at.getTime() - 400));
  assert.equal(await isOut(w, id), false);
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "5" })).optedOut, false);
});

test("the sweep finds a contact that was created in the moment of the STOP", async () => {
  const w = t.app.ids.next();
  let id = "";
  await t.app.db.transaction(async (tx) => {
    // The STOP looks for contacts before the contact is committed, and the contact looks for opt-outs before the
    // STOP is.
    await tx.query(sql`insert into opted_out_phone values (${w}, '66', ${t.clock.now()})`);
    ({ id } = await createContact(OPERATOR, t.app, w, { phone: "66" }));
  });
  assert.equal(await isOut(w, id), false);
  assert.equal(await sweepConsent(t.app, t.clock.now()), 1);
  assert.equal(await isOut(w, id), true);
  assert.equal(await sweepConsent(t.app, t.clock.now()), 0);
});

test("STOP, START, STOP of one number in one batch, by number and by contact, ends opted out", async () => {
  const w = t.app.ids.next();
  const { id } = await createContact(OPERATOR, t.app, w, { phone: "8" });
  const by = { workspaceId: w, source: "test", at: t.clock.now() };
  const events = await t.app.db.transaction((tx) =>
    setConsent(t.app, tx, [
      { ...by, contactId: id, optedOut: true },
      { ...by, contactId: null, phone: "8", optedOut: false },
      { ...by, contactId: null, phone: "8", optedOut: true },
    ]),
  );
  assert.deepEqual(
    events.map((event) => event.type),
    ["contact.opted_out", "contact.opted_in", "contact.opted_out"],
  );
  assert.equal(await isOut(w, id), true);
});

test("an erased person's opt-out stays as a hash: it waits for the number, and START lifts it", async () => {
  const w = t.app.ids.next();
  const { id } = await createContact(OPERATOR, t.app, w, { phone: "96577" });
  await stop(w, "96577");
  const person = await findPerson(t.app.db, w, id);
  assert.ok(person);
  await t.app.db.transaction((tx) => eraseContact(t.app, tx, person));
  const numbers = async () =>
    (
      await t.app.db.query<{ phone: string }>(
        sql`select phone from opted_out_phone where workspace_id = ${w} order by phone`,
      )
    ).map((row) => row.phone);
  const hash = erasedNumber(t.app, w, "96577");
  assert.deepEqual(await numbers(), [hash]);
  const told = await consentHistory(t.app, w, { phone: "96577" });
  assert.deepEqual(
    told.map((entry) => [entry.optedOut, entry.phone]),
    [[true, hash]],
  );

  // Nobody can get the number and then be written to, neither a new contact by API nor one that changes its
  // number.
  const again = await createContact(OPERATOR, t.app, w, { phone: "96577" });
  assert.equal(again.optedOut, true);
  assert.deepEqual(await numbers(), ["96577"], "it is somebody's number again");
  await t.app.db.transaction(async (tx) =>
    eraseContact(t.app, tx, (await findPerson(tx, w, again.id)) ?? person),
  );
  const other = await createContact(OPERATOR, t.app, w, { phone: "96578" });
  await updateContact(OPERATOR, t.app, w, other.id, { phone: "96577" });
  assert.equal(await isOut(w, other.id), true);

  await t.app.db.transaction(async (tx) =>
    eraseContact(t.app, tx, (await findPerson(tx, w, other.id)) ?? person),
  );
  assert.deepEqual(await numbers(), [hash]);
  await stop(w, "96577", false);
  assert.deepEqual(await numbers(), []);
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "96577" })).optedOut, false);
  assert.notEqual(hash, erasedNumber(t.app, t.app.ids.next(), "96577"), "a workspace's own");
});

test("a contact that shares the number with an erased person keeps the number and its opt-out", async () => {
  const w = t.app.ids.next();
  const [one, two] = [
    await createContact(OPERATOR, t.app, w, { phone: "96588" }),
    await createContact(OPERATOR, t.app, w, { phone: "96588" }),
  ];
  await stop(w, "96588");
  const person = await findPerson(t.app.db, w, one.id);
  assert.ok(person);
  assert.deepEqual([person.phones, person.pastPhones, person.alike], [[], ["96588"], [two.id]]);
  await t.app.db.transaction((tx) => eraseContact(t.app, tx, person));
  assert.equal(await isOut(w, two.id), true);
  const ledger = await consentHistory(t.app, w, { contactId: two.id });
  assert.deepEqual(
    ledger.map((entry) => [entry.contactId, entry.phone]),
    [
      [one.id, erasedNumber(t.app, w, "96588")],
      [two.id, "96588"],
    ],
  );
});

test("a history is read by the keys of the person and the number, however long the workspace's ledger is", async () => {
  const w = t.app.ids.next();
  const { id } = await createContact(OPERATOR, t.app, w, { phone: "965777" });
  await stop(w, "965777");
  await t.app.db.query(sql`
    insert into consent_entry (workspace_id, id, contact_id, phone, opted_out, source, created_at)
    select ${w}::uuid, gen_random_uuid(), gen_random_uuid(), '9658' || n, true, 'stop_word', ${t.clock.now()}
    from generate_series(1, 2000) n`);
  await t.app.db.query(sql`analyze consent_entry`);
  let last: Sql | undefined;
  const { db } = t.app;
  const listening = { ...db, query: (one: Sql) => db.query<never>((last = one)) };
  const found = await consentHistory({ ...t.app, db: listening }, w, { contactId: id });
  assert.deepEqual(
    found.map((one) => [one.contactId, one.phone]),
    [[id, "965777"]],
  );
  assert.ok(last);
  const [plan] = await db.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
    sql`explain (analyze, buffers, format json) ${last}`,
  );
  const pages = plan?.["QUERY PLAN"][0].Plan["Shared Hit Blocks"] ?? Number.POSITIVE_INFINITY;
  assert.ok(pages < 40, `${pages} pages`);
});

test("an opt-out holds for a number in both spellings, whoever has it now or later", async () => {
  for (const [dialled, onWhatsApp] of [
    ["5511988887777", "551188887777"],
    ["525512345678", "5215512345678"],
    ["5491123456789", "541123456789"],
  ] as const)
    for (const [asked, other] of [
      [dialled, onWhatsApp],
      [onWhatsApp, dialled],
    ] as const) {
      const w = t.app.ids.next();
      const had = await createContact(OPERATOR, t.app, w, { phone: other });
      assert.equal((await stop(w, asked)).contacts, 1);
      assert.equal(await isOut(w, had.id), true);
      assert.equal((await createContact(OPERATOR, t.app, w, { phone: asked })).optedOut, true);
      assert.equal((await createContact(OPERATOR, t.app, w, { phone: other })).optedOut, true);
      const moved = await createContact(OPERATOR, t.app, w, { phone: "9651" });
      await updateContact(OPERATOR, t.app, w, moved.id, { phone: other });
      assert.equal(await isOut(w, moved.id), true);
      assert.equal((await stop(w, other, false)).contacts, 4);
      assert.deepEqual(
        await t.app.db.query(sql`select phone from opted_out_phone where workspace_id = ${w}`),
        [],
      );
      // The same for a change that names the contact, not the number.
      const { id: contactId } = had;
      const at = t.clock.now();
      const change = { workspaceId: w, contactId, optedOut: true, source: "dashboard", at };
      const events = await t.app.db.transaction((tx) => setConsent(t.app, tx, [change]));
      assert.equal(events.length, 4);
    }
});

test("an erased person's digits are gone in every spelling, and either spelling finds the opt-out", async () => {
  const [dialled, onWhatsApp] = ["525512345678", "5215512345678"];
  const w = t.app.ids.next();
  const { id } = await createContact(OPERATOR, t.app, w, { phone: dialled });
  await stop(w, onWhatsApp);
  const another = await createContact(OPERATOR, t.app, w, { phone: onWhatsApp });
  const found = await findPerson(t.app.db, w, id);
  assert.deepEqual([found?.phones, found?.pastPhones], [[dialled], [onWhatsApp]]);
  assert.deepEqual(found?.alike, [another.id]);
  await deleteContact(t.app, w, another.id);
  const person = (await findPerson(t.app.db, w, id)) ?? assert.fail("there is one");
  assert.deepEqual(person.phones, [dialled, onWhatsApp]);
  await t.app.db.transaction((tx) => eraseContact(t.app, tx, person));
  const stands = await t.app.db.query<{ phone: string }>(sql`
    select phone from opted_out_phone where workspace_id = ${w}
    union all select phone from consent_entry where workspace_id = ${w}`);
  assert.equal(stands.length, 4);
  for (const { phone } of stands) assert.match(phone, /^#/);
  for (const phone of person.phones)
    assert.equal((await createContact(OPERATOR, t.app, w, { phone })).optedOut, true);
});

test("whoever lifts a number's opt-out locks its two spellings one after the other, always in the same order", async () => {
  const [first, second] = ["5215512345678", "525512345678"];
  const w = t.app.ids.next();
  await stop(w, first);
  let lifted: Promise<unknown> = Promise.resolve();
  await t.app.db.transaction(async (tx) => {
    const take = (phone: string) =>
      tx.query(sql`select 1 from opted_out_phone
        where workspace_id = ${w} and phone = ${phone} for update nowait`);
    await take(first);
    lifted = stop(w, second, false);
    const waiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await t.app.db.query(waiting)).length === 0);
    assert.equal((await take(second)).length, 1);
  });
  await lifted;
  const left = sql`select 1 from opted_out_phone where workspace_id = ${w}`;
  assert.deepEqual(await t.app.db.query(left), []);
});

test("storing a row that refers to a contact does not wait for a change of the contact's consent", async () => {
  const w = t.app.ids.next();
  const { id } = await createContact(OPERATOR, t.app, w, { phone: "96550001234" });
  await t.app.db.transaction(async (tx) => {
    const change = { workspaceId: w, contactId: id, optedOut: true, source: "api" };
    const events = await setConsent(t.app, tx, [{ ...change, at: t.app.clock.now() }]);
    assert.equal(events.length, 1);
    // The lock that a foreign key takes on the contact.
    const referred = sql`select 1 from contact
      where workspace_id = ${w} and id = ${id} for key share nowait`;
    assert.equal((await t.app.db.query(referred)).length, 1);
  });
});
