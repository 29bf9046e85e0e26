import { AGENT } from "../../test/actors.ts";
import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { broadcastReport } from "../broadcasts/report/broadcast-report.ts";
import { Shop, startGround, type Ground } from "../broadcasts/record/campaign.fixture.ts";
import { changeNumberConsent } from "../contacts/consent/change-consent.ts";
import { consentHistory } from "../contacts/consent/consent-history.ts";
import { fileOf } from "../contacts/import/import-crash.fixture.ts";
import { createContact } from "../contacts/record/create-contact.ts";
import { erasedNumber } from "../contacts/identity/erased-number.ts";
import { mergeContacts } from "../contacts/identity/merge-contacts.ts";
import { runImport } from "../contacts/import/run-import.ts";
import { updateContact } from "../contacts/record/update-contact.ts";
import { sql } from "../db/sql.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { receiveSmsReport } from "../otp/receive-sms-report.ts";
import { createSegment } from "../segments/create-segment.ts";
import { findBulkJob, moveBulkJob, runBulkBatch } from "../segments/run-bulk-jobs.ts";
import { startBulkJob } from "../segments/start-bulk-job.ts";
import type { SmsReceipt } from "../sms/provider.ts";
import { emitSome } from "../../test/webhook-receiver.ts";
import { exportPerson } from "./export-person.ts";
import { contactTimeline } from "./timeline.ts";
import { runErasureBatch } from "./run-erasures.ts";
import { findErasure, startErasure } from "./start-erasure.ts";
import { tablesNaming } from "./traces.fixture.ts";

let ground: Ground;
before(async () => void (ground = await startGround()));
after(() => ground[Symbol.asyncDispose]());

async function forget(shop: Shop, contactId: string) {
  const { id } = await startErasure(OPERATOR, shop.app, shop.id, contactId);
  while (await runErasureBatch(shop.app, id));
  const done = await findErasure(shop.app, shop.id, id);
  assert.equal(done.state, "done");
  return done;
}
const naming = (phone: string) => tablesNaming(ground.t.databaseUrl, [phone]);

test("refused rows are blanked, in whatever form they have the number and the address", async () => {
  const shop = await Shop.open(ground);
  const someone = { phone: "96551119001", email: "rené9@example.com" };
  const { id } = await createContact(OPERATOR, shop.app, shop.id, someone);
  const cells = [
    "+٩٦٥ ٥١١١-٩٠٠١",
    "۹۶۵۵۱۱۱۹۰۰۱",
    "\u202a+965\u00a05111\u20119001\u202c",
    "RENE\u03019@example.com",
  ];
  const csv = `phone,channelType\n${cells.map((cell) => `${cell},no`).join("\n")}\n1,another`;
  const done = await runImport(OPERATOR, shop.app, shop.id, await fileOf(csv), { format: "csv" });
  assert.equal(done.refused, cells.length + 1);
  await forget(shop, id);
  const rows = await shop.app.db.query<{ record: string[] }>(
    sql`select record from contact_import_refusal where workspace_id = ${shop.id} order by position`,
  );
  assert.deepEqual(
    rows.map((row) => row.record),
    [...cells.map(() => []), ["1", "another"]],
  );
});

test("a running job whose rules name the person goes on without the number, and unchanged for everybody else", async () => {
  const shop = await Shop.open(ground);
  const { app, id: w } = shop;
  const phones = ["96551110001", "96551110002", "96551110003"];
  const ids = await shop.people(phones.map((phone) => ({ phone, name: `N${phone}` })));
  const [gone = "", , last = ""] = ids;
  const field = "phone";
  const written = "+965 5111-0001";
  const rules: [object[], string[]][] = [
    [[{ field, op: "in", value: [written, phones[2]] }], [last]],
    [[{ field, op: "eq", value: written }], []],
    [[{ match: "any", rules: [{ field, op: "neq", value: written }] }], ids.slice(1)],
    [[{ field: "name", op: "contains", value: `N${phones[0]}` }], []],
  ];
  const jobs: string[] = [];
  for (const [index, [list]] of rules.entries()) {
    const definition = { match: "all", rules: list };
    const segment = await createSegment(OPERATOR, app, w, { name: `S${index}`, definition });
    const change = { action: "tag", tags: [`t${index}`] } as const;
    const job = await startBulkJob(OPERATOR, app, w, { segmentId: segment.id }, change);
    await moveBulkJob(OPERATOR, app, w, job.id, "pause");
    jobs.push(job.id);
  }
  const erased = await forget(shop, gone);
  // Saved segments are members' own words: the operator is told.
  assert.equal(erased.stillNamed.segments.length, 4);
  assert.deepEqual(await naming("51110001"), ["segment"]);
  for (const [index, [, expected]] of rules.entries()) {
    const job = jobs[index] ?? "";
    await moveBulkJob(OPERATOR, app, w, job, "resume");
    while (await runBulkBatch(app, job));
    assert.equal((await findBulkJob(app, w, job)).state, "done");
    const tagged = await app.db.query<{ id: string }>(sql`
      select id from contact where workspace_id = ${w} and tags && ${[`t${index}`]}::text[] order by id`);
    assert.deepEqual(
      tagged.map((row) => row.id),
      expected,
      `rule ${index}`,
    );
  }
  // A finished job keeps no rules at all.
  const [kept] = await app.db.query<{ n: number }>(
    sql`select count(definition) as n from contact_job where workspace_id = ${w}`,
  );
  assert.equal(kept?.n, 0);
});

test("the erasure names the segments and campaigns that still name the person, and no others", async () => {
  const shop = await Shop.open(ground);
  const { app, id: w } = shop;
  const { id } = await createContact(OPERATOR, app, w, {
    phone: "96552220001",
    email: "Zed@Example.com",
  });
  const segment = (name: string, value: unknown, field = "email") =>
    createSegment(OPERATOR, app, w, {
      name,
      definition: { match: "all", rules: [{ field, op: "eq", value }] },
    });
  const mine = await segment("A", "zed@example.COM");
  const number = await segment("B", 96_552_220_001, "attribute.second");
  await segment("C", "other@example.com");
  const said = await shop.draft({ variables: { "1": "call +965 5222 0001", "2": "x" } });
  const arabic = await shop.draft({ variables: { "1": "اتصل ٩٦٥ ٥٢٢٢ ٠٠٠١", "2": "x" } });
  await shop.draft();
  const { stillNamed } = await startErasure(OPERATOR, app, w, id);
  assert.deepEqual(stillNamed, { segments: [number.id, mine.id], campaigns: [arabic.id, said.id] });
});

test("a late receipt about an erased number counts, and is kept with the hash", async () => {
  const shop = await Shop.open(ground);
  const { app, id: w } = shop;
  const [phone, second] = ["96553330001", "96553330002"] as const;
  const [one = "", two = ""] = await shop.people([{ phone }, { phone: second, optedOut: true }]);
  const record = app.ids.next();
  const account = { workspaceId: w, providerId: app.ids.next() };
  await app.db.query(sql`
    insert into otp_record (workspace_id, id, provider_id, provider, mobile, segments, status, provider_message_id, created_at)
    values (${w}, ${record}, ${account.providerId}, 'twilio', ${phone}, 1, 'sent', 'SM1', ${ground.t.clock.now()})`);
  await forget(shop, one);
  await forget(shop, two);
  assert.deepEqual(await naming("9655333"), []);
  const receipt: SmsReceipt = {
    externalMessageId: "SM1",
    correlationId: record,
    status: "failed",
    occurredAt: null,
    errorCode: "21610",
    errorDetail: null,
    smsCode: null,
    optedOut: true,
  };
  await receiveSmsReport(app, account, { receipts: [receipt], inbound: [] });
  // A person who had opted out opts out again, and later opts in.
  const word = (text: string) =>
    receiveSmsReport(app, account, {
      receipts: [],
      inbound: [{ externalMessageId: app.ids.next(), from: second, text }],
    });
  await word("STOP");
  const hashes = [erasedNumber(app, w, phone), erasedNumber(app, w, second)];
  const stored = async () =>
    (
      await app.db.query<{ phone: string }>(
        sql`select phone from opted_out_phone where workspace_id = ${w}`,
      )
    ).map((row) => row.phone);
  assert.deepEqual((await stored()).toSorted(), hashes.toSorted());
  await word("START");
  assert.deepEqual(await stored(), [hashes[0]]);
  assert.deepEqual(await naming("9655333"), []);
  const said = await consentHistory(app, w, { phone: second });
  assert.deepEqual(said.at(-1)?.optedOut, false);
  assert.equal((await createContact(OPERATOR, app, w, { phone })).optedOut, true);
  assert.equal((await createContact(OPERATOR, app, w, { phone: second })).optedOut, false);
});

test("somebody who gets the number before the erasure ends keeps it, with the ledger of their own consent", async () => {
  const shop = await Shop.open(ground);
  const phone = "96551110009";
  const [gone = ""] = await shop.people([{ phone }]);
  await changeNumberConsent(OPERATOR, shop.app, shop.id, { phone, optedOut: true });
  const { id } = await startErasure(OPERATOR, shop.app, shop.id, gone);
  const next = await createContact(OPERATOR, shop.app, shop.id, { phone });
  assert.equal(next.optedOut, true);
  await changeNumberConsent({ ...AGENT, role: "admin" }, shop.app, shop.id, {
    phone,
    optedOut: false,
  });
  await changeNumberConsent({ ...AGENT, role: "admin" }, shop.app, shop.id, {
    phone,
    optedOut: true,
  });
  while (await runErasureBatch(shop.app, id));
  const ledger = await consentHistory(shop.app, shop.id, { contactId: next.id });
  assert.deepEqual(
    ledger.map((one) => [one.source, one.phone === phone]),
    [
      ["cli", false],
      ["dashboard", true],
      ["dashboard", true],
    ],
  );
  const stored = await shop.app.db.query(sql`
    select phone from opted_out_phone where workspace_id = ${shop.id}`);
  assert.deepEqual(stored, [{ phone }]);
});

test("an opt-out of a merged contact still counts for the campaign after the person was erased", async () => {
  const shop = await Shop.open(ground);
  ground.graph.answer = () => ground.graph.accepted();
  const [person = ""] = await shop.crowd(1, "9657");
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  const [keep = ""] = await shop.people([{ phone: null, name: "Kept" }]);
  await mergeContacts(OPERATOR, shop.app, shop.id, keep, person);
  ground.t.clock.advance(5_000);
  const at = ground.t.clock.now();
  await receiveEvents(shop.app, [shop.desk.message("96570000000", "stop", { occurredAt: at })]);
  const counted = async () => (await broadcastReport(shop.app, shop.id, id)).funnel.optedOut;
  assert.equal(await counted(), 1);
  await ground.t.app.drain();
  await forget(shop, keep);
  assert.equal(await counted(), 1);
  for (const former of [keep, person])
    await assert.rejects(contactTimeline(shop.app, shop.id, former), { code: "NOT_FOUND" });
});

test("a person with more than one batch of each kind is exported whole, and nothing is left", async () => {
  const shop = await Shop.open(ground);
  const { app, id: w } = shop;
  const phone = "96551119999";
  const [contactId = ""] = await shop.people([{ phone, name: "Many" }]);
  const [at, imported] = [app.clock.now(), app.ids.next()];
  await app.db.query(sql`
    insert into otp_record (workspace_id, id, provider_id, provider, mobile, segments, status, created_at)
    select ${w}::uuid, gen_random_uuid(), ${app.ids.next()}::uuid, 'twilio', ${phone}, 1, 'sent', ${at} from generate_series(1, 1001)`);
  await app.db.query(sql`
    insert into contact_change (workspace_id, contact_id, id, source, changes, created_at)
    select ${w}::uuid, ${contactId}::uuid, gen_random_uuid(), 'api', '[]', ${at} from generate_series(1, 501)`);
  await app.db.query(sql`
    insert into audit_entry (workspace_id, id, actor, action, subject, created_at)
    select ${w}::uuid, gen_random_uuid(), 'cli', 'contact.noted', ${contactId}, ${at} from generate_series(1, 501)`);
  await app.db.query(sql`
    insert into contact_import_refusal (workspace_id, import_id, position, line, reason, record, created_at)
    select ${w}::uuid, ${imported}::uuid, n, n, 'phone', array[case when n = 5000 then ${phone} else 'x' end], ${at}
    from generate_series(0, 5000) n`);
  // Without a conversation, what a platform said of the person can be found by the number alone.
  await app.db.query(sql`
    insert into inbound_failure (id, workspace_id, body, error, received_at)
    values (${app.ids.next()}, ${w}, ${Buffer.from(`{"from":"${phone}"}`)}, 'broken', ${at})`);
  await emitSome(ground.t, w, 2_000);
  await updateContact(OPERATOR, app, w, contactId, { notes: "the last event" });

  let text = "";
  for await (const part of exportPerson(OPERATOR, app, w, contactId))
    if (part.kind === "text") text += part.text;
  const told = JSON.parse(text) as Record<string, { type?: string }[]>;
  const counts = ["passcodes", "changes", "audit", "refusedImportRows"].map(
    (key) => told[key]?.length,
  );
  assert.deepEqual(counts, [1_001, 502, 501, 1]);
  assert.equal(told["events"]?.at(-1)?.type, "contact.updated");

  const { counts: gone } = await forget(shop, contactId);
  assert.deepEqual([gone["passcodes"], gone["refusals"], gone["failures"]], [1_001, 1, 1]);
  assert.deepEqual(await naming(phone), []);
});

test("an erasure that waits for a call is looked at every five seconds, and delays no other", async () => {
  const shop = await Shop.open(ground);
  const { app, id: w } = shop;
  const [calling = "", other = ""] = await shop.people([
    { phone: "96551119991" },
    { phone: "96551119992" },
  ]);
  await app.db.query(sql`
    insert into otp_record (workspace_id, id, provider_id, provider, mobile, segments, status, created_at)
    values (${w}, ${app.ids.next()}, ${app.ids.next()}, 'twilio', '96551119991', 1, 'calling', ${app.clock.now()})`);
  const { id } = await startErasure(OPERATOR, app, w, calling);
  const waits = async () => (await findErasure(app, w, id)).waitsFor;
  while ((await waits()) === null) assert.ok(await runErasureBatch(app, id));
  assert.equal(await runErasureBatch(app, id), false);
  await forget(shop, other);
  ground.t.clock.advance(4_999);
  assert.equal(await runErasureBatch(app, id), false);
  ground.t.clock.advance(1);
  assert.ok(await runErasureBatch(app, id));
  assert.match((await waits()) ?? "", /in the air/);
  // The end of a call tells the other id by which the platform knows the person.
  await app.db.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, is_number, created_at)
    values (${w}, ${shop.desk.account.channelId}, '96551119991', ${calling}, true, ${app.clock.now()})`);
  await app.db.query(sql`update otp_record set status = 'unknown' where workspace_id = ${w}`);
  ground.t.clock.advance(5_000);
  while (await runErasureBatch(app, id));
  assert.deepEqual(await naming("96551119991"), []);
});
