import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AGENT } from "../../test/actors.ts";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { deskRow } from "../desk/read-desk.ts";
import { sql } from "../db/sql.ts";
import { backfillDesk } from "../messages/record/backfill-desk.ts";
import { acceptMessage } from "../messages/accept/accept-message.ts";
import { endSnoozes } from "./end-snoozes.ts";
import { updateConversation } from "./update-conversation.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

test("the end of a snooze opens its conversation once, and the audit says so", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const id = await desk.hears("96584000001");
  const until = new Date(app.clock.now().getTime() + 60_000);
  await updateConversation(AGENT, app, desk.workspaceId, id, { status: "snoozed", until });
  assert.equal(await endSnoozes(app, 10), 0);
  m.t.clock.advance(60_000);
  assert.equal(await endSnoozes(app, 10), 1);
  assert.equal(await endSnoozes(app, 10), 0);
  const row = await deskRow(app.db, desk.workspaceId, id);
  assert.deepEqual(
    [row?.status, row?.snoozedUntil, row?.deskAt],
    ["open", null, until.toISOString()],
  );
  const audit = await app.db.query<{ action: string }>(sql`select action from audit_entry
    where workspace_id = ${desk.workspaceId} and subject = ${id} order by id`);
  assert.deepEqual(
    audit.map(({ action }) => action),
    ["conversation.snoozed", "conversation.snooze_ended"],
  );
});

test("older conversations come into the inbox once, except those with campaigns only", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const { workspaceId } = desk;
  const id = await desk.hears("96584000002");
  const known = await desk.hears("96584000003");
  const mute = await desk.hears("96584000004");
  await app.db.query(
    sql`delete from desk_conversation where conversation_id = any (${[id, mute]}::uuid[])`,
  );
  await app.db.query(sql`delete from message where conversation_id = ${mute}`);
  await app.db.query(sql`insert into desk_backfill values (true,
    '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000') on conflict do nothing`);
  while ((await backfillDesk(app)) !== null);
  const [row, other, none] = await Promise.all(
    [id, known, mute].map((one) => deskRow(app.db, workspaceId, one)),
  );
  assert.deepEqual(
    [row?.inboundCount, row?.previewSide, row?.waitingSince === row?.deskAt, other?.inboundCount],
    [1, "customer", true, 1],
  );
  assert.equal(none, undefined);
});

test("a person's reply answers and moves the row; a program's does neither", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const { workspaceId } = desk;
  const conversationId = await desk.hears("96584000005");
  const before = await deskRow(app.db, workspaceId, conversationId);
  m.t.clock.advance(1_000);
  await desk.replies(conversationId, "from a program");
  assert.deepEqual(await deskRow(app.db, workspaceId, conversationId), before);
  const { id } = await acceptMessage(AGENT, app, workspaceId, { conversationId, text: "hello" });
  const row = await deskRow(app.db, workspaceId, conversationId);
  assert.deepEqual(
    [row?.waitingSince, row?.preview, row?.previewSide, row?.lastOutboundId, row?.failed],
    [null, "hello", "us", id, false],
  );
});
