import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import fc from "fast-check";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { changeNumber } from "./change-number.ts";
import { changeNumberConsent } from "../consent/change-consent.ts";
import { createContact } from "../record/create-contact.ts";
import { findContact } from "./find-contact.ts";
import { matchContacts, type Sighting } from "./match-contacts.ts";

let t: TestApp;
let w: string;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());
beforeEach(async () => {
  w = await workspace();
  t.clock.advance(1000);
});

const workspace = async () => (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;
const CHANNEL = "0190c0de-0000-7000-8000-000000000001";
const OTHER = "0190c0de-0000-7000-8000-000000000002";
const seen = (
  phone: string | null,
  user: string | null,
  more: Partial<Sighting> = {},
): Sighting => ({
  workspaceId: w,
  channelId: CHANNEL,
  channelType: "WHATSAPP",
  externalId: phone ?? user ?? assert.fail("nobody"),
  ...(phone !== null && user !== null && { alternateId: user }),
  phone,
  name: null,
  at: t.clock.now(),
  seen: true,
  ...more,
});
const match = (...sightings: Sighting[]) =>
  t.app.db.transaction((tx) => matchContacts(t.app, tx, sightings));
const who = async (...args: Parameters<typeof seen>) => {
  t.clock.advance(1000);
  const { matches } = await match(seen(...args));
  return matches[0]?.contactId ?? assert.fail("nobody was matched");
};
const contact = async (id: string) => (await findContact(t.app.db, w, id)) ?? assert.fail("gone");
const changed = async (fromExternalId: string, toExternalId: string, at = t.clock.now()) =>
  (
    await t.app.db.transaction((tx) =>
      changeNumber(t.app, tx, {
        workspaceId: w,
        channelId: CHANNEL,
        channelType: "WHATSAPP",
        fromExternalId,
        toExternalId,
        at,
      }),
    )
  ).contactId;
const due = () =>
  t.app.db.query(sql`select keep_id, merged_id from contact_merge_due where workspace_id = ${w}`);

test("a user id seen first without a number, later with one: the same contact, which gets the number and its opt-out", async () => {
  const a = await who(null, "KW.1");
  assert.equal((await contact(a)).phone, null);
  await changeNumberConsent(OPERATOR, t.app, w, { phone: "9651", optedOut: true });
  assert.equal(await who("9651", "KW.1"), a);
  const after = await contact(a);
  assert.deepEqual([after.phone, after.optedOut], ["9651", true]);
  assert.equal(await who("9651", null), a);
  assert.deepEqual(await due(), []);
});

test("a number seen first, later with a user id, later the user id alone: one contact", async () => {
  const a = await who("9651", null);
  assert.equal(await who("9651", "KW.1"), a);
  assert.equal(await who(null, "KW.1"), a);
});

test("a recycled number: with another user id it is another person, who takes the number over", async () => {
  const a = await who("9651", "KW.1", { name: "Old owner" });
  const b = await who("9651", "KW.2", { name: "New owner" });
  assert.notEqual(a, b);
  const [former, next] = [await contact(a), await contact(b)];
  assert.deepEqual([former.phone, former.externalId, former.name], [null, "KW.1", "Old owner"]);
  assert.deepEqual([next.phone, next.name], ["9651", "New owner"]);
  assert.equal(await who("9651", null), b, "the number alone is the new owner's");
  assert.equal(await who(null, "KW.1"), a);
  const [audit] = await t.app.db.query(
    sql`select action, subject from audit_entry where workspace_id = ${w} and action like 'contact.%'`,
  );
  assert.deepEqual(audit, { action: "contact.number_passed_on", subject: a });
  assert.deepEqual(await due(), []);
});

test("the number's opt-out stays with a recycled number", async () => {
  const a = await who("9651", "KW.1");
  await changeNumberConsent(OPERATOR, t.app, w, { phone: "9651", optedOut: true });
  const b = await who("9651", "KW.2");
  assert.deepEqual([(await contact(a)).optedOut, (await contact(b)).optedOut], [true, true]);
});

test("late news of the former owner does not give the number back", async () => {
  const a = await who("9651", "KW.1");
  const before = t.clock.now();
  const b = await who("9651", "KW.2");
  assert.equal(await who("9651", "KW.1", { at: before }), a);
  assert.equal(await who("9651", null), b);
  assert.equal((await contact(b)).phone, "9651");
});

test("one contact known by user id, another by number, told to be one person: the number moves and a merge is due", async () => {
  const a = await who(null, "KW.1");
  const b = await who("9651", null);
  assert.notEqual(a, b);
  assert.equal(await who("9651", "KW.1"), a);
  assert.equal(await who("9651", null), a);
  assert.deepEqual(await due(), [{ keep_id: a, merged_id: b }]);
});

test("an imported contact with the number of somebody known by user id is due to be merged; two are not", async () => {
  const made = await createContact(OPERATOR, t.app, w, { phone: "9651", name: "By hand" });
  const a = await who(null, "KW.1");
  await who("9651", "KW.1");
  assert.deepEqual(await due(), [{ keep_id: made.id, merged_id: a }]);
  await createContact(OPERATOR, t.app, w, { phone: "9652" });
  await createContact(OPERATOR, t.app, w, { phone: "9652" });
  await who(null, "KW.2");
  await who("9652", "KW.2");
  assert.equal((await due()).length, 1, "nobody can say which of two it is");
});

test("of two contacts with one phone the oldest is matched", async () => {
  const first = await createContact(OPERATOR, t.app, w, { phone: "9651" });
  await createContact(OPERATOR, t.app, w, { phone: "9651" });
  assert.equal(await who("9651", "KW.1"), first.id);
});

test("the phone matches the same person on two channels; another platform's id alone never does", async () => {
  const a = await who("9651", "KW.1");
  assert.equal(await who("9651", "US.9", { channelId: OTHER }), a);
  const telegram = { channelType: "TELEGRAM", channelId: t.app.ids.next() } as const;
  assert.notEqual(await who(null, "9651", telegram), a, "digits of a chat id are no phone");
});

test("a verified e-mail matches its one contact, in any case and composition", async () => {
  const made = await createContact(OPERATOR, t.app, w, { email: "Ren\u00e9e@Example.com" });
  const web = (user: string, verifiedEmail: string) =>
    who(null, user, { channelType: "WEB", verifiedEmail });
  assert.equal(await web("u1", "rene\u0301e@EXAMPLE.com"), made.id);
  assert.notEqual(await web("u2", "ren\u00e9e@example.com"), made.id, "another user of the site");
  assert.notEqual(await web("u3", "\uff52enee@example.com"), made.id);
  await createContact(OPERATOR, t.app, w, { email: "two@example.com" });
  const second = await createContact(OPERATOR, t.app, w, { email: "two@example.com" });
  const third = await web("u4", "two@example.com");
  assert.ok(third > second.id, "of two nobody can say which: a new contact");
});

test("after a change of number the old one belongs to nobody, and late messages from before the change are still theirs", async () => {
  const a = await who("9651", "KW.1");
  t.clock.advance(5000);
  const at = t.clock.now();
  assert.equal(await changed("9651", "9652"), a);
  assert.equal(await changed("9651", "9652"), a, "told twice");
  assert.deepEqual([(await contact(a)).phone, (await contact(a)).externalId], ["9652", "9652"]);
  assert.equal(await who("9652", "KW.2"), a, "the user id changes with the number");
  assert.equal(await who("9651", null, { at: new Date(at.getTime() - 1000) }), a);
  const stranger = await who("9651", "KW.3");
  assert.notEqual(stranger, a);
  assert.equal((await contact(a)).phone, "9652");
});

test("a sender from a number that was given up, without another id, is a new contact", async () => {
  const a = await who("9651", "KW.1");
  t.clock.advance(5000);
  await changed("9651", "9652");
  const stranger = await who("9651", null);
  assert.notEqual(stranger, a);
  assert.equal(await who("9651", "KW.3"), stranger);
  assert.deepEqual([(await contact(a)).phone, (await contact(stranger)).phone], ["9652", "9651"]);
});

test("a change to a number that somebody had before: no merge, the former owner loses it", async () => {
  const a = await who("9651", "KW.1");
  const b = await who("9652", "KW.2");
  t.clock.advance(5000);
  assert.equal(await changed("9651", "9652"), a);
  assert.deepEqual([(await contact(a)).phone, (await contact(b)).phone], ["9652", null]);
  assert.equal(await who("9652", "KW.9"), a);
  assert.equal(await who(null, "KW.2"), b);
  assert.deepEqual(await due(), []);
});

test("a message from the new number that overtook the notice: one person, and a merge is due", async () => {
  const a = await who("9651", "KW.1");
  t.clock.advance(5000);
  const at = t.clock.now();
  const b = await who("9652", "KW.2");
  assert.notEqual(a, b);
  await changed("9651", "9652", at);
  assert.deepEqual(await due(), [{ keep_id: a, merged_id: b }]);
});

test("fifty transactions that see the same person together create one contact", async () => {
  const forms: (readonly [string | null, string | null])[] = [["9651", "KW.1"]];
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, n) => match(seen(...(forms[n % forms.length] ?? forms[0]!)))),
  );
  assert.equal(new Set(results.map((r) => r.matches[0]?.contactId)).size, 1);
  assert.equal(results.filter((r) => r.matches[0]?.created).length, 1);
});

test("in whatever order ids are seen, no contact has two user ids of one channel, and no id two contacts", async () => {
  const users = ["KW.1", "KW.2", "KW.3"];
  const phones = ["9651", "9652"];
  const sighting = fc.record({
    phone: fc.option(fc.constantFrom(...phones)),
    user: fc.option(fc.constantFrom(...users)),
    channel: fc.constantFrom(CHANNEL, OTHER),
    late: fc.integer({ min: 0, max: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(sighting, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      async (batches) => {
        w = await workspace();
        for (const batch of batches) {
          t.clock.advance(10_000);
          const sightings = batch
            .filter((one) => one.phone !== null || one.user !== null)
            .map((one) =>
              seen(one.phone, one.user, {
                channelId: one.channel,
                at: new Date(t.clock.now().getTime() - one.late * 1000),
              }),
            );
          const { matches } = await match(...sightings);
          // Within a batch too: one user id, one contact.
          for (const [index, one] of sightings.entries()) {
            const user = one.alternateId ?? (one.phone === null ? one.externalId : null);
            if (user === null) continue;
            const [row] = await t.app.db.query<{ contact_id: string }>(sql`
              select contact_id from contact_identity where workspace_id = ${w}
                and channel_id = ${one.channelId} and external_id = ${user}`);
            assert.equal(row?.contact_id, matches[index]?.contactId);
          }
        }
        const mixed = await t.app.db.query(sql`
          select contact_id from contact_identity where workspace_id = ${w} and not is_number
          group by contact_id, channel_id having count(*) > 1`);
        assert.deepEqual(mixed, []);
        const lost = await t.app.db.query(sql`
          select 1 from contact_identity i where workspace_id = ${w} and not exists (
            select 1 from contact c where c.workspace_id = i.workspace_id and c.id = i.contact_id)`);
        assert.deepEqual(lost, []);
      },
    ),
    { numRuns: 60 },
  );
});

// A number as WhatsApp has it, and as its owner and everybody else write it.
for (const [country, waId, written] of [
  ["Brazil", "551188887777", "5511988887777"],
  ["Mexico", "5215512345678", "525512345678"],
  ["Argentina", "5491123456789", "541123456789"],
] as const) {
  test(`${country}: a number that WhatsApp spells in another way leads to the contact that has it`, async () => {
    for (const [theirs, ours] of [
      [waId, written],
      [written, waId],
    ] as const) {
      w = await workspace();
      const { id } = await createContact(OPERATOR, t.app, w, { phone: ours });
      assert.equal(await who(theirs, null), id);
      assert.equal(await who(theirs, "XX.1"), id);
      assert.equal((await contact(id)).phone, ours);
      // A second line of the same name belongs to somebody else.
      assert.notEqual(await who(`${theirs.slice(0, -1)}0`, null), id);
    }
  });

  test(`${country}: with one contact for each spelling, the contact with the very spelling is matched`, async () => {
    const other = await createContact(OPERATOR, t.app, w, { phone: written });
    const same = await createContact(OPERATOR, t.app, w, { phone: waId });
    assert.equal(await who(waId, null), same.id);
    assert.notEqual(same.id, other.id);
  });

  test(`${country}: somebody who showed a user id first and then the number is merged with the contact of the other spelling`, async () => {
    const { id } = await createContact(OPERATOR, t.app, w, { phone: written });
    const hidden = await who(null, "XX.1");
    assert.equal(await who(waId, "XX.1"), hidden);
    assert.deepEqual(await due(), [{ keep_id: id, merged_id: hidden }]);
  });

  test(`${country}: a contact that moves to another number gives up the old one, however it is written`, async () => {
    const { id } = await createContact(OPERATOR, t.app, w, { phone: written });
    assert.equal(await who(waId, null), id);
    t.clock.advance(1000);
    assert.equal(await changed(waId, "96551"), id);
    assert.equal((await contact(id)).phone, "96551");
    assert.notEqual(await who(waId, null), id);
  });

  test(`${country}: a number seen with another user id is taken from its former contact, however it is written`, async () => {
    const { id } = await createContact(OPERATOR, t.app, w, { phone: written });
    assert.equal(await who(waId, "XX.1"), id);
    const next = await who(waId, "XX.2");
    assert.notEqual(next, id);
    assert.deepEqual([(await contact(id)).phone, (await contact(next)).phone], [null, waId]);
  });

  test(`${country}: two messages at once, one by each spelling, are one contact`, async () => {
    const both = await Promise.all([who(waId, null), who(written, null, { channelId: OTHER })]);
    assert.equal(both[0], both[1]);
  });
}

test("a land line of Brazil has one spelling, and so do numbers of other countries", async () => {
  for (const [known, sender] of [
    ["551133334444", "5511933334444"],
    ["9651234567", "96591234567"],
    ["15551234567", "1555234567"],
  ] as const) {
    const { id } = await createContact(OPERATOR, t.app, w, { phone: known });
    assert.notEqual(await who(sender, null), id);
  }
});
