import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { createContact } from "../record/create-contact.ts";
import { deleteContact } from "../record/delete-contact.fixture.ts";
import { rememberIdentities } from "./remember-identities.ts";

test("a contact deleted while its ids are stored leaves none behind, and none is stored for a deleted contact", async () => {
  await using t = await startTestApp();
  const { db, ids } = t.app;
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const { id: contactId } = await createContact(OPERATOR, t.app, workspaceId, {
    phone: "96550001001",
  });
  const known = {
    workspaceId,
    channelId: ids.next(),
    contactId,
    channelType: "WHATSAPP",
    externalIds: ["96550001001", "KW.1"],
  };
  const noted = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const noting = db.transaction(async (tx) => {
    await rememberIdentities(t.app, tx, [known]);
    noted.resolve();
    await commit.promise;
  });
  await noted.promise;
  let deleted = false;
  const deletion = deleteContact(t.app, workspaceId, contactId).then(() => (deleted = true));
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  while (!deleted && (await db.query(waiting)).length === 0);
  commit.resolve();
  await Promise.all([noting, deletion]);
  const left = sql`select external_id from contact_identity where workspace_id = ${workspaceId}`;
  assert.deepEqual(await db.query(left), []);

  await db.transaction((tx) => rememberIdentities(t.app, tx, [known]));
  assert.deepEqual(await db.query(left), []);
});

test("a user id told with another contact's number is stored only for a contact that has that number too, in any spelling", async () => {
  await using t = await startTestApp();
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const channelId = t.app.ids.next();
  const told = async (phone: string, externalIds: readonly string[]) => {
    const { id: contactId } = await createContact(OPERATOR, t.app, workspaceId, { phone });
    const item = { workspaceId, channelId, contactId, channelType: "WHATSAPP", externalIds };
    await t.app.db.transaction((tx) => rememberIdentities(t.app, tx, [item]));
    const rows = await t.app.db.query<{ id: string }>(sql`select external_id as id
      from contact_identity where workspace_id = ${workspaceId} and contact_id = ${contactId} order by 1`);
    return rows.map(({ id }) => id);
  };
  await told("5215512345678", ["5215512345678"]);
  await told("96550001001", ["96550001001"]);
  assert.deepEqual(await told("96550001002", ["96550001001", "KW.1"]), []);
  assert.deepEqual(await told("525512345678", ["5215512345678", "MX.1"]), ["MX.1"]);
  assert.deepEqual(await told("96550001003", ["96550001004", "KW.2"]), ["96550001004", "KW.2"]);
});
