import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { changeNumberConsent } from "../consent/change-consent.ts";
import { consentHistory } from "../consent/consent-history.ts";
import { createContact } from "../record/create-contact.ts";
import { eraseContact } from "../record/erase-contact.ts";
import { erasedNumber } from "./erased-number.ts";
import { findContact } from "./find-contact.ts";
import { hashUnownedNumbers } from "./hash-unowned-numbers.ts";
import { importContacts } from "../import/import-contacts.ts";
import { findPerson } from "../record/person.ts";
import { setConsent } from "../consent/set-consent.ts";

const MINUTE = 60_000;

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const say = (w: string, phone: string, optedOut: boolean) =>
  changeNumberConsent(OPERATOR, t.app, w, { phone, optedOut });
const sweep = (ago: number) => hashUnownedNumbers(t.app, new Date(t.clock.now().getTime() - ago));

/** Every form of a number that is stored among the opt-outs or in the ledger. */
async function standing(w: string): Promise<string[]> {
  const rows = await t.app.db.query<{ phone: string }>(sql`
    select phone from opted_out_phone where workspace_id = ${w}
    union select phone from consent_entry where workspace_id = ${w} order by phone`);
  return rows.map((row) => row.phone);
}

async function erase(w: string, id: string): Promise<void> {
  await t.app.db.transaction(async (tx) => {
    const person = await findPerson(tx, w, id);
    assert.ok(person);
    await eraseContact(t.app, tx, person);
  });
}

test("only the hash is kept of a STOP from an erased person's or a stranger's number, and it holds", async () => {
  const w = t.app.ids.next();
  const { id } = await createContact(OPERATOR, t.app, w, { phone: "96590000001" });
  await erase(w, id);
  await say(w, "96590000001", true);
  await say(w, "96590000002", true);
  await t.app.drain();
  assert.deepEqual(await standing(w), ["96590000001", "96590000002"], "somebody may be being made");
  const known = await createContact(OPERATOR, t.app, w, { phone: "96590000002" });
  assert.equal(known.optedOut, true);

  t.clock.advance(11 * MINUTE);
  await t.app.drain();
  const hash = erasedNumber(t.app, w, "96590000001");
  assert.deepEqual(await standing(w), [hash, "96590000002"]);
  assert.equal(await sweep(0), 0, "each is looked at once");
  const told = await consentHistory(t.app, w, { phone: "96590000001" });
  assert.deepEqual(
    told.map((entry) => [entry.optedOut, entry.phone, entry.contactId]),
    [[true, hash, null]],
  );
  await say(w, "96590000001", true);
  assert.deepEqual(await standing(w), [hash, "96590000002"], "told again, it is no news");
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "96590000001" })).optedOut, true);
});

test("a STOP that was taken back at once leaves no digits of a number without a contact", async () => {
  const w = t.app.ids.next();
  await say(w, "96590000003", true);
  await say(w, "96590000003", false);
  assert.deepEqual(await standing(w), [erasedNumber(t.app, w, "96590000003")]);
  const told = await consentHistory(t.app, w, { phone: "96590000003" });
  assert.deepEqual(
    told.map((entry) => entry.optedOut),
    [true, false],
  );
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "96590000003" })).optedOut, false);
});

test("a contact that the STOP missed, because it was being created and no server ran since, is opted out", async () => {
  const w = t.app.ids.next();
  let id = "";
  await t.app.db.transaction(async (tx) => {
    const wish = { workspaceId: w, contactId: null, phone: "96590000004", optedOut: true } as const;
    await setConsent(t.app, tx, [{ ...wish, source: "test", at: t.clock.now() }]);
    ({ id } = await createContact(OPERATOR, t.app, w, { phone: "96590000004" }));
  });
  const isOut = async () => (await findContact(t.app.db, w, id))?.optedOut;
  assert.equal(await isOut(), false);
  t.clock.advance(60 * MINUTE);
  assert.equal(await sweep(10 * MINUTE), 1);
  assert.equal(await isOut(), true);
  assert.deepEqual(await standing(w), ["96590000004"], "it is somebody's");
});

test("an opt-out that arrives with a late receipt as the hash of an erased number stays a hash", async () => {
  const w = t.app.ids.next();
  const phone = erasedNumber(t.app, w, "96590000005");
  const wish = { workspaceId: w, contactId: null, phone, optedOut: true } as const;
  await t.app.db.transaction((tx) =>
    setConsent(t.app, tx, [{ ...wish, source: "platform", at: t.clock.now() }]),
  );
  assert.equal(await sweep(-1), 0);
  assert.equal((await createContact(OPERATOR, t.app, w, { phone: "96590000005" })).optedOut, true);
});

test("an erased number that a refused row of an import names stays a hash; a contact created by a row has it in digits", async () => {
  const w = t.app.ids.next();
  const { id } = await createContact(OPERATOR, t.app, w, { phone: "96590000006" });
  await say(w, "96590000006", true);
  await erase(w, id);
  const hash = erasedNumber(t.app, w, "96590000006");
  assert.deepEqual(await standing(w), [hash]);
  const load = (match: "email" | "phone") => {
    const file = Readable.from([Buffer.from("phone,email\n96590000006,\n")]);
    return importContacts(t.app, w, file, { format: "csv", match });
  };
  assert.equal((await load("email")).refused, 1);
  assert.deepEqual(await standing(w), [hash]);
  assert.equal((await load("phone")).created, 1);
  const made = await t.app.db.query<{ out: boolean; digits: boolean }>(sql`
    select c.opted_out_at is not null as out, o.phone is not null as digits from contact c
    left join opted_out_phone o on o.workspace_id = c.workspace_id and o.phone = c.phone where c.workspace_id = ${w}`);
  assert.deepEqual(made, [{ out: true, digits: true }]);
});
