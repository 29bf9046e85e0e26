import { AGENT, KEY } from "../../../test/actors.ts";
import { DEMO, OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { unhindered } from "../../lib/background.fixture.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { consentHistory } from "../consent/consent-history.ts";
import { changeContacts } from "./change-contacts.ts";
import { changeNumber } from "../identity/change-number.ts";
import { differences, type ChangeCause } from "./contact-change.ts";
import { createContact } from "./create-contact.ts";
import { deleteContact } from "./delete-contact.fixture.ts";
import { findContact } from "../identity/find-contact.ts";
import { fileOf } from "../import/import-crash.fixture.ts";
import { matchContacts, type Sighting } from "../identity/match-contacts.ts";
import { mergeContacts } from "../identity/merge-contacts.ts";
import { requestProfiles } from "./request-profiles.ts";
import { runImport } from "../import/run-import.ts";
import { claimProfiles, settleProfile } from "./settle-profile.ts";
import { updateContact } from "./update-contact.ts";
import { contactChanges, pruneContactChanges } from "./write-changes.ts";

let t: TestApp;
let w: string;
before(async () => {
  t = await startTestApp();
  w = (await createWorkspace(OPERATOR, t.app, { name: "A" })).id;
});
after(() => t[Symbol.asyncDispose]());

const LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const CHANNEL = "0190c0de-0000-7000-8000-000000000001";
const made = (facts: object = {}) =>
  createContact(OPERATOR, t.app, w, { name: "Sara", phone: "1", ...facts });
/** The changes, oldest first: the cause and what changed. */
const changesOf = async (...ids: string[]) =>
  (await contactChanges(t.app.db, w, ids, LAST, 1_000))
    .toReversed()
    .map(({ source, ref, changes }) => ({ by: `${source}:${ref}`, changes }));
const bulk = (id: string, change: Parameters<typeof changeContacts>[4], cause: ChangeCause) =>
  t.app.db.transaction((tx) => changeContacts(t.app, tx, w, [id], change, cause));
const sight = (facts: Partial<Sighting>) =>
  t.app.db.transaction(async (tx) => {
    const sighting: Sighting = {
      workspaceId: w,
      channelId: CHANNEL,
      channelType: "WHATSAPP",
      externalId: "1",
      phone: null,
      name: null,
      at: t.clock.now(),
      seen: true,
      ...facts,
    };
    const { matches, events } = await matchContacts(t.app, tx, [sighting]);
    await emitEvents(t.app, tx, events);
    return matches[0]?.contactId ?? "";
  });

test("a change by key is told with the old and new value; creating a contact and changing nothing is not told", async () => {
  const { id } = await made({ tags: ["a", "b"], attributes: { city: "Cairo", n: 1, gone: [2] } });
  assert.deepEqual(await changesOf(id), []);
  const patch = {
    name: "Mona",
    phone: null,
    email: "m@b.co",
    tags: ["b", "c"],
    attributes: { city: "Giza", n: 1, plan: { a: null } },
  };
  await updateContact(KEY, t.app, w, id, patch);
  await updateContact(KEY, t.app, w, id, { ...patch, optedOut: true });
  assert.deepEqual(await changesOf(id), [
    {
      by: "api:pk_test",
      changes: [
        { field: "name", from: "Sara", to: "Mona" },
        { field: "email", from: null, to: "m@b.co" },
        { field: "phone", from: "1", to: null },
        { field: "tags", added: ["c"], removed: ["a"] },
        { attribute: "city", from: "Cairo", to: "Giza" },
        { attribute: "gone", from: [2] },
        { attribute: "plan", to: { a: null } },
      ],
    },
  ]);
});

test("changes by jobs, imports, platforms, numbers and merges name their source", async () => {
  const { id } = await made({ name: null, phone: "7001" });
  await bulk(id, { action: "tag", tags: ["vip"] }, { source: "bulk", ref: "job-1" });
  await bulk(id, { action: "tag", tags: ["vip"] }, { source: "bulk", ref: "job-2" });
  const file = await fileOf("phone,notes,attribute.city\n7001,tea,Cairo\n7002,new,Giza\n");
  const taken = await runImport(OPERATOR, t.app, w, file, { format: "csv" });
  await sight({ externalId: "7001", phone: "7001" });
  const profile = { workspaceId: w, contactId: id, channelId: CHANNEL, externalId: "7001" };
  await t.app.db.transaction((tx) => requestProfiles(t.app, tx, [profile]));
  const [claim] = await claimProfiles(t.app, 1);
  assert.ok(claim);
  await settleProfile(t.app, claim, { kind: "told", name: "Sara P" });
  await t.app.db.transaction(async (tx) => {
    const change = { ...profile, channelType: "WHATSAPP" as const, fromExternalId: "7001" };
    await changeNumber(t.app, tx, { ...change, toExternalId: "7003", at: t.clock.now() });
  });
  const other = await made({ phone: "7004", email: "o@b.co", tags: ["old"] });
  await updateContact(KEY, t.app, w, other.id, { notes: "mine" });
  await mergeContacts(OPERATOR, t.app, w, id, other.id);
  assert.deepEqual(await changesOf(id), [
    { by: "bulk:job-1", changes: [{ field: "tags", added: ["vip"], removed: [] }] },
    {
      by: `import:${taken.id}`,
      changes: [
        { field: "notes", from: null, to: "tea" },
        { attribute: "city", to: "Cairo" },
      ],
    },
    {
      by: `platform:${CHANNEL}`,
      changes: [
        { field: "channelType", from: null, to: "WHATSAPP" },
        { field: "externalId", from: null, to: "7001" },
      ],
    },
    { by: `platform:${CHANNEL}`, changes: [{ field: "name", from: null, to: "Sara P" }] },
    {
      by: `number:${CHANNEL}`,
      changes: [
        { field: "phone", from: "7001", to: "7003" },
        { field: "externalId", from: "7001", to: "7003" },
      ],
    },
    // Of the merged contact, which is this contact now.
    { by: "api:pk_test", changes: [{ field: "notes", from: null, to: "mine" }] },
    {
      by: `merge:${other.id}`,
      changes: [
        { field: "email", from: null, to: "o@b.co" },
        { field: "notes", from: "tea", to: "tea\nmine" },
        { field: "tags", added: ["old"], removed: [] },
      ],
    },
  ]);
  assert.deepEqual(await changesOf(other.id), []);
});

test("messages of a known person write no change, however many; the first that tells a name does", async () => {
  const id = await sight({ externalId: "8001", phone: "8001" });
  for (let n = 0; n < 3; n++) {
    t.clock.advance(1_000);
    await sight({ externalId: "8001", phone: "8001" });
  }
  assert.deepEqual(await changesOf(id), []);
  t.clock.advance(1_000);
  await sight({ externalId: "8001", phone: "8001", name: "Omar" });
  assert.deepEqual(await changesOf(id), [
    { by: `platform:${CHANNEL}`, changes: [{ field: "name", from: null, to: "Omar" }] },
  ]);
});

test("a number that a platform tells of somebody with a name changes only the number", async () => {
  const id = await sight({ externalId: "KW.8002", name: "Mai" });
  t.clock.advance(1_000);
  await sight({ externalId: "8002", alternateId: "KW.8002", phone: "8002", name: "May" });
  assert.deepEqual(await changesOf(id), [
    { by: `platform:${CHANNEL}`, changes: [{ field: "phone", from: null, to: "8002" }] },
  ]);
});

test("one statement stores the changes of a batch of any size", async () => {
  const text = Array.from({ length: 300 }, (_, n) => `9${String(n).padStart(4, "0")},x`).join("\n");
  await runImport(OPERATOR, t.app, w, await fileOf(`phone,notes\n${text}\n`), { format: "csv" });
  const newer = text.replaceAll(",x", ",y");
  let inserts = 0;
  const counting = {
    ...t.app.db,
    transaction: <T>(work: Parameters<typeof t.app.db.transaction<T>>[0]) =>
      t.app.db.transaction((tx) =>
        work({
          ...tx,
          query: (statement) => {
            if (statement.text.includes("insert into contact_change")) inserts += 1;
            return tx.query(statement);
          },
        }),
      ),
  };
  const app = { ...t.app, db: counting, background: unhindered(counting) };
  const done = await runImport(OPERATOR, app, w, await fileOf(`phone,notes\n${newer}\n`), {
    format: "csv",
  });
  assert.deepEqual([done.updated, inserts], [300, 1]);
});

test("a record is bounded whatever a contact holds, and says what it leaves out", () => {
  const contact = {
    workspaceId: w,
    id: "1",
    name: null,
    email: null,
    phone: null,
    notes: null,
    channelType: null,
    externalId: null,
    tags: [],
    attributes: {},
  };
  const after = {
    ...contact,
    notes: `${"n".repeat(199)}😀${"n".repeat(4_800)}`,
    tags: Array.from({ length: 500 }, (_, n) => `tag-${n}`),
    attributes: Object.fromEntries([
      ["list", Array.from({ length: 300 }, (_, n) => n)],
      ...Array.from({ length: 200 }, (_, n) => [`key-${n}`, "v".repeat(60)]),
    ]),
  };
  const found = differences({ before: contact, after });
  assert.ok(JSON.stringify(found).length < 4_200);
  assert.deepEqual(found[0], { field: "notes", from: null, to: `${"n".repeat(199)}…`, cut: true });
  const list = found.find((one) => "attribute" in one && one.attribute === "list");
  assert.ok(
    list &&
      "to" in list &&
      list.to === `${JSON.stringify(after.attributes["list"]).slice(0, 200)}…`,
  );
  const told = found.reduce((sum, one) => {
    if ("omitted" in one) return sum + one.omitted;
    return sum + ("added" in one ? one.added.length : 1);
  }, 0);
  assert.equal(told, 1 + 500 + 201);
});

test("changes are forgotten after a year, and a contact's changes with the contact", async () => {
  const { id } = await made();
  await updateContact(KEY, t.app, w, id, { name: "B" });
  await deleteContact(t.app, w, id);
  assert.deepEqual(await changesOf(id), []);
  const kept = await made();
  await updateContact(KEY, t.app, w, kept.id, { name: "B" });
  await t.app.db.query(sql`
    update contact_change set created_at = ${t.clock.now()}::timestamptz - interval '366 days'
    where contact_id = ${kept.id}`);
  await updateContact(KEY, t.app, w, kept.id, { name: "C" });
  assert.equal(await pruneContactChanges(t.app), 1);
  assert.deepEqual(
    (await changesOf(kept.id)).map((one) => one.changes),
    [[{ field: "name", from: "B", to: "C" }]],
  );
});

test("a name that a platform tells after its contact was merged goes to the kept one", async () => {
  const kept = await made({ name: null, phone: "7101" });
  const asked = await made({ name: null, phone: null, email: "named@b.co" });
  const profile = { workspaceId: w, contactId: asked.id, channelId: CHANNEL, externalId: "7101" };
  await t.app.db.transaction((tx) => requestProfiles(t.app, tx, [profile]));
  await mergeContacts(OPERATOR, t.app, w, kept.id, asked.id);
  const [claim] = await claimProfiles(t.app, 1);
  assert.ok(claim);
  await settleProfile(t.app, claim, { kind: "told", name: "Sara P" });
  assert.equal((await findContact(t.app.db, w, kept.id))?.name, "Sara P");
});

test("a contact's history and the consent ledger name the actor", async () => {
  const bot = { kind: "bot", botId: t.app.ids.next() } as const;
  const { id } = await made({ phone: "5551" });
  for (const [index, actor] of [KEY, AGENT, bot, OPERATOR, DEMO].entries()) {
    await t.app.db.query(sql`update contact set opted_out_at = null where id = ${id}`);
    await t.app.db.query(sql`delete from opted_out_phone where workspace_id = ${w}`);
    await updateContact(actor, t.app, w, id, { notes: `note ${index}`, optedOut: true });
  }
  const by = [
    "api:pk_test",
    `dashboard:${AGENT.memberId}`,
    `bot:${bot.botId}`,
    "cli:null",
    "system:null",
  ];
  assert.deepEqual(
    (await changesOf(id)).map((one) => one.by),
    by,
  );
  const ledger = await consentHistory(t.app, w, { contactId: id });
  assert.deepEqual(
    ledger.map(({ source, detail }) => `${source}:${detail}`),
    by,
  );
});

test("an agent may opt a contact out but not in", async () => {
  const { id } = await made({ phone: "5552" });
  await updateContact(AGENT, t.app, w, id, { optedOut: true });
  const optIn = { optedOut: false };
  await assert.rejects(updateContact(AGENT, t.app, w, id, optIn), { code: "FORBIDDEN" });
  const admin = { ...AGENT, role: "admin" } as const;
  assert.equal((await updateContact(admin, t.app, w, id, optIn)).optedOut, false);
});

test("tags that are added and removed keep what others changed meanwhile", async () => {
  const { id } = await made({ tags: ["vip", "old"] });
  await Promise.all([
    updateContact(OPERATOR, t.app, w, id, { addTags: ["Asked"], removeTags: ["old"] }),
    updateContact(OPERATOR, t.app, w, id, { addTags: ["paid"] }),
  ]);
  assert.deepEqual((await findContact(t.app.db, w, id))?.tags.toSorted(), ["asked", "paid", "vip"]);
});
