import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { loadAccounts } from "../channels/load-accounts.ts";
import { admitVisitor } from "../chat/chat-channel.ts";
import { findContact } from "../contacts/identity/find-contact.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { Town } from "./person.fixture.ts";
import { findErasure, listErasures, startErasure } from "./start-erasure.ts";
import { filesNaming, tablesNaming } from "./traces.fixture.ts";

let town: Town;
before(async () => void (town = await Town.open()));
after(() => town[Symbol.asyncDispose]());

/** Every place that the person fills. The test would not notice if a place missing here were not erased. */
const PLACES = [
  "audit_entry",
  "broadcast_recipient",
  "chat_visitor",
  "consent_entry",
  "contact",
  "contact_alias",
  "contact_change",
  "contact_identity",
  "contact_import_refusal",
  "contact_job",
  "contact_ref",
  "conversation",
  "delivery_attempt",
  "desk_conversation",
  "desk_label",
  "draft",
  "early_status",
  "event",
  "idempotency_key",
  "inbound_failure",
  "media",
  "member_notice",
  "message",
  "message_part",
  "message_search",
  "note",
  "otp_record",
  "profile_request",
  "suggestion",
];

test("no word and no number of an erased person is left in any table or file; the neighbour keeps all", async () => {
  const { app } = town.t;
  const sara = await town.settle("zyxsara", "96599887766");
  const omar = await town.settle("zyxomar", "96555443322");
  const url = town.t.databaseUrl;
  const { dataDir } = app.config;
  await town.waits(sara);
  await town.waits(omar);
  assert.deepEqual(await tablesNaming(url, sara.words), PLACES);
  const neighbour = await tablesNaming(url, omar.words);
  assert.ok(neighbour.length > 15, neighbour.join(" "));
  assert.equal((await filesNaming(dataDir, sara.words)).length, 2);
  const report = () =>
    app.db.query(sql`
    select b.id, b.total_count, b.sent_count, b.delivered_count, b.failed_count, b.skipped_count,
      (select json_agg(s order by s) from (select status || count(*) as s from broadcast_recipient r
        where r.broadcast_id = b.id group by status) x) as recipients
    from broadcast b order by b.id`);
  const counts = () =>
    app.db.query(sql`select sent + failed as out, received from usage_day order by channel_id`);
  const [reported, metered] = [await report(), await counts()];

  const started = await startErasure(OPERATOR, app, town.id, sara.contactId);
  assert.equal(started.state, "running");
  assert.equal(await findContact(app.db, town.id, sara.contactId), null, "gone at once");
  await app.drain();
  const done = await findErasure(app, town.id, started.id);
  assert.deepEqual([done.state, done.waitsFor], ["done", null]);
  const audit = await app.db.query(sql`
    select actor, subject, facts from audit_entry where workspace_id = ${town.id} and action = 'contact.erased'`);
  const facts = { erasureId: started.id, ...done.counts };
  assert.deepEqual(audit, [{ actor: "cli", subject: sara.contactId, facts }]);
  const told = await app.db.query(sql`
    select type from event where workspace_id = ${town.id} and body like '%CONTACT_ERASED%'`);
  assert.deepEqual(told, [{ type: "message.status" }], "what waited is told as failed");
  const [sent, ...more] = await app.db.query<{ data: unknown }>(sql`
    select body::jsonb -> 'data' as data from event
    where workspace_id = ${town.id} and type = 'contact.deleted'`);
  assert.deepEqual(
    [sent?.data, more],
    [
      {
        contactId: sara.contactId,
        erased: true,
        occurredAt: town.t.clock.now().toISOString(),
        by: "cli",
      },
      [],
    ],
  );

  assert.deepEqual(await tablesNaming(url, sara.words), []);
  assert.deepEqual(
    await app.db.query(sql`select 1 from person_erasure where keys_sealed is not null`),
    [],
    "sealed, it would be there all the same",
  );
  assert.deepEqual(await filesNaming(dataDir, sara.words), []);
  assert.deepEqual(await tablesNaming(url, omar.words), neighbour, "the neighbour is untouched");
  assert.equal((await filesNaming(dataDir, omar.words)).length, 2);
  assert.deepEqual(await report(), reported, "what campaigns report stays true");
  assert.deepEqual(await counts(), metered, "so does the meter");
  const [gap] = await app.db.query<{ missing: number }>(sql`
    select max(sequence) - count(*) as missing from event where workspace_id = ${town.id}`);
  assert.equal(gap?.missing, 0, "events keep their numbers");

  const key = { workspaceId: town.id, channelId: town.webId };
  const account = (await loadAccounts(app, [key])).get(town.webId);
  assert.ok(account);
  await assert.rejects(admitVisitor(app, account, sara.token), { code: "INVALID_TOKEN" });
  await admitVisitor(app, account, omar.token);
});

test("a repeated request gives the same erasure; an unknown person has none", async () => {
  const { app } = town.t;
  const [row] = await app.db.query<{ contact_id: string; id: string }>(
    sql`select contact_id, id from person_erasure`,
  );
  assert.ok(row);
  assert.equal((await startErasure(OPERATOR, app, town.id, row.contact_id)).id, row.id);
  assert.deepEqual(
    (await listErasures(app, town.id)).map(({ id }) => id),
    [row.id],
  );
  for (const id of [app.ids.next(), "nobody"])
    await assert.rejects(
      startErasure(OPERATOR, app, town.id, id),
      (error) => error instanceof AppError && error.code === "NOT_FOUND",
    );
  const { id: elsewhere } = await createWorkspace(OPERATOR, app, { name: "Elsewhere" });
  assert.deepEqual(await listErasures(app, elsewhere), []);
  const foreign = [
    () => startErasure(OPERATOR, app, elsewhere, row.contact_id),
    () => findErasure(app, elsewhere, row.id),
  ];
  for (const call of foreign)
    await assert.rejects(
      call(),
      (error) => error instanceof AppError && error.code === "NOT_FOUND",
    );
});
