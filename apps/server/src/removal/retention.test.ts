import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../actor.ts";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import type { App } from "../app.ts";
import { sql } from "../db/sql.ts";
import { writeNote } from "../inbox/notes.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { usageSummary } from "../usage/usage-summary.ts";
import { createMember } from "../workspaces/create-member.ts";
import type { Background } from "../lib/background.ts";
import { changeRetention, previewRetention, readRetention } from "./change-retention.ts";
import { boundsAt, monthsBefore, type Kept } from "./retention.ts";
import { runRetentionBatch } from "./run-retention.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let ground: Messaging;
before(async () => {
  ground = await startMessaging();
});
after(() => ground[Symbol.asyncDispose]());

const change = (desk: Desk, kept: Partial<Kept>) =>
  changeRetention(OPERATOR, ground.t.app, desk.workspaceId, kept);
const read = (desk: Desk) => readRetention(OPERATOR, ground.t.app, desk.workspaceId, {});
const advance = (ms: number) => ground.t.clock.advance(ms);

/** Runs every batch that is due. Gives how many. */
async function deleteAll(app: App = ground.t.app): Promise<number> {
  let batches = 0;
  while ((await runRetentionBatch(app)) > 0) batches++;
  return batches;
}

/** The texts of a workspace's messages, in the order of their ids. */
async function texts(desk: Desk): Promise<string[]> {
  const rows = await ground.t.app.db.query<{ text: string }>(sql`
    select text from message where workspace_id = ${desk.workspaceId} order by id`);
  return rows.map(({ text }) => text);
}

async function countOf(
  desk: Desk,
  table: "message_search" | "note" | "event" | "forgotten_message",
) {
  const tables = {
    message_search: sql`message_search`,
    note: sql`note`,
    event: sql`event`,
    forgotten_message: sql`forgotten_message`,
  };
  const [row] = await ground.t.app.db.query<{ n: number }>(sql`
    select count(*)::int as n from ${tables[table]} where workspace_id = ${desk.workspaceId}`);
  return row?.n ?? 0;
}

const rowOf = async (desk: Desk, conversationId: string) => {
  const [row] = await ground.t.app.db.query<Record<string, unknown>>(sql`
    select c.status, d.preview, d.preview_kind as kind, d.inbound_count as inbound
    from conversation c join desk_conversation d on d.workspace_id = c.workspace_id and d.conversation_id = c.id
    where c.workspace_id = ${desk.workspaceId} and c.id = ${conversationId}`);
  return row;
};

test("a month earlier is the same day of the month before, or its last day", () => {
  const back = (at: string, months: number) => monthsBefore(new Date(at), months).toISOString();
  assert.equal(back("2027-03-31T10:00:00.000Z", 1), "2027-02-28T10:00:00.000Z");
  assert.equal(back("2028-03-31T10:00:00.000Z", 1), "2028-02-29T10:00:00.000Z");
  assert.equal(back("2027-01-15T00:00:00.000Z", 2), "2026-11-15T00:00:00.000Z");
  assert.equal(back("2027-01-15T00:00:00.000Z", 24), "2025-01-15T00:00:00.000Z");
  const none = { messageMonths: null, fileMonths: null, eventDays: null };
  assert.deepEqual(boundsAt(none, new Date()), { messages: null, files: null, events: null });
});

test("a workspace that set nothing keeps everything", async () => {
  const desk = await Desk.open(ground);
  await desk.hears("96550000001", "old");
  advance(400 * DAY);
  assert.equal(await deleteAll(), 0);
  assert.deepEqual(await texts(desk), ["old"]);
  assert.equal((await read(desk)).state, "off");
});

test("a shorter time deletes nothing for 24 hours, and what is taken back until then loses nothing", async () => {
  const desk = await Desk.open(ground);
  await desk.hears("96550000001", "old");
  advance(100 * DAY);
  const preview = await previewRetention(OPERATOR, ground.t.app, desk.workspaceId, {
    messageMonths: 3,
  });
  const { shorter, messages } = "answer" in preview ? preview.answer : preview;
  assert.deepEqual({ shorter, messages }, { shorter: true, messages: { count: 1, more: false } });
  const set = await change(desk, { messageMonths: 3 });
  assert.equal(set.state, "waiting");
  assert.equal(Date.parse(set.beginsAt ?? "") - ground.t.clock.now().getTime(), DAY);
  advance(DAY - 1);
  assert.equal(await deleteAll(), 0);
  assert.equal((await change(desk, { messageMonths: null })).state, "off");
  advance(2 * DAY);
  assert.equal(await deleteAll(), 0);
  assert.deepEqual(await texts(desk), ["old"]);
  // A longer time waits no second time, a shorter one does.
  await change(desk, { messageMonths: 2 });
  advance(HOUR);
  const [longer, again] = [
    await change(desk, { messageMonths: 3 }),
    await change(desk, { messageMonths: 1 }),
  ];
  assert.equal(Date.parse(again.beginsAt ?? "") - Date.parse(longer.beginsAt ?? ""), HOUR);
  advance(DAY);
  await deleteAll();
  assert.deepEqual(await texts(desk), []);
  assert.equal((await read(desk)).state, "done");
});

test("old messages go with their words, notes and previews; conversations, newer messages and the meter stay", async () => {
  const { app } = ground.t;
  const desk = await Desk.open(ground);
  const member = await createMember(OPERATOR, app, desk.workspaceId, {
    email: `${app.ids.next()}@example.com`,
    name: "Mona",
    role: "admin",
    password: "correct horse battery",
  });
  const quiet = await desk.hears("96550000001", "first of the quiet one");
  const lively = await desk.hears("96550000002", "first of the lively one");
  await desk.replies(lively, "an answer");
  const mona = { kind: "member", memberId: member.id, role: "admin" } as const;
  await writeNote(mona, app, desk.workspaceId, { id: lively, text: "a note" });
  await app.drain();
  assert.equal(await countOf(desk, "message_search"), 3);
  const at = ground.t.clock.now();
  const usage = () =>
    app.db.query(sql`select * from usage_month where workspace_id = ${desk.workspaceId}`);
  const [metered, counted] = [await usage(), await usageSummary(app, desk.workspaceId)];
  advance(70 * DAY);
  await desk.hears("96550000002", "again");
  await app.drain();
  await change(desk, { messageMonths: 2 });
  advance(DAY + 1);
  await app.drain();
  assert.deepEqual(await texts(desk), ["again"]);
  assert.deepEqual([await countOf(desk, "message_search"), await countOf(desk, "note")], [1, 0]);
  assert.deepEqual(await rowOf(desk, quiet), {
    status: "open",
    preview: "",
    kind: "expired",
    inbound: 1,
  });
  assert.deepEqual(await rowOf(desk, lively), {
    status: "open",
    preview: "again",
    kind: "text",
    inbound: 2,
  });
  // The month of then is as it was.
  const months = await usage();
  assert.deepEqual(
    months.filter((one) => metered.some((two) => JSON.stringify(one) === JSON.stringify(two))),
    metered,
  );
  assert.ok(counted.usage.messages > 0 && at < ground.t.clock.now());
  const { deleted, state } = await read(desk);
  assert.deepEqual([deleted.messages, deleted.notes, state], [3, 1, "done"]);
  // The conversation of which nothing is left goes on as any other.
  await desk.hears("96550000001", "here again");
  await app.drain();
  assert.equal((await rowOf(desk, quiet))?.["preview"], "here again");
});

test("a message that waits, is being sent, is in doubt or belongs to a paused campaign stays", async () => {
  const { app } = ground.t;
  const desk = await Desk.open(ground);
  const states = ["waiting", "claimed", "calling", "unknown"] as const;
  const kept: string[] = [];
  for (const [n, state] of states.entries()) {
    const conversationId = await desk.hears(`9655000010${n}`, "question");
    const { id } = await desk.replies(conversationId, state);
    kept.push(state);
    await app.db.query(sql`
      update message_outbox set state = ${state}, available_at = ${ground.t.clock.now()}::timestamptz + interval '2 years',
        lease_until = ${ground.t.clock.now()}::timestamptz + interval '2 years',
        unknown_until = ${ground.t.clock.now()}::timestamptz + interval '2 years'
      where workspace_id = ${desk.workspaceId} and message_id = ${id}`);
  }
  const conversationId = await desk.hears("96550000109", "of the campaign");
  const broadcastId = app.ids.next();
  await app.db.query(sql`
    insert into broadcast (workspace_id, id, name, channel_type, kind, status, rate_limit_per_minute, created_at)
    values (${desk.workspaceId}, ${broadcastId}, 'June', 'WHATSAPP', 'TEXT', 'PAUSED', 60, ${ground.t.clock.now()})`);
  await app.db.query(sql`
    update message set broadcast_id = ${broadcastId}
    where workspace_id = ${desk.workspaceId} and conversation_id = ${conversationId}`);
  await change(desk, { messageMonths: 1 });
  advance(40 * DAY);
  await deleteAll();
  assert.deepEqual(await texts(desk), [...kept, "of the campaign"]);
  await app.db.query(sql`
    update broadcast set status = 'COMPLETED' where workspace_id = ${desk.workspaceId}`);
  await app.db.query(sql`delete from message_outbox where workspace_id = ${desk.workspaceId}`);
  advance(HOUR);
  await deleteAll();
  assert.deepEqual(await texts(desk), []);
});

test("a platform that repeats a message makes no second one for 90 days, though the first was deleted", async () => {
  const { app } = ground.t;
  const desk = await Desk.open(ground);
  const inbound = desk.message("96550000001", "once");
  const echo = {
    account: desk.account,
    event: {
      kind: "echo" as const,
      accountExternalId: "1",
      externalMessageId: "echo.1",
      to: { externalId: "96550000001", phone: "96550000001" },
      occurredAt: ground.t.clock.now(),
      content: { type: "text", text: "from the phone", attachments: [] },
      maybeOurs: true as const,
    },
  };
  await receiveEvents(app, [inbound]);
  await receiveEvents(app, [echo]);
  await change(desk, { messageMonths: 1 });
  advance(40 * DAY);
  await deleteAll();
  assert.deepEqual(await texts(desk), []);
  assert.equal(await countOf(desk, "forgotten_message"), 2);
  await receiveEvents(app, [inbound, echo]);
  assert.deepEqual(await texts(desk), []);
  advance(51 * DAY);
  await app.drain();
  assert.equal(await countOf(desk, "forgotten_message"), 0);
});

test("who keeps messages for three months and longer needs no memory of their ids", async () => {
  const desk = await Desk.open(ground);
  await desk.hears("96550000001", "old");
  await change(desk, { messageMonths: 4 });
  advance(125 * DAY);
  await deleteAll();
  assert.deepEqual(await texts(desk), []);
  assert.equal(await countOf(desk, "forgotten_message"), 0);
});

test("events go after the days that were set, of this workspace alone", async () => {
  const [desk, other] = [await Desk.open(ground), await Desk.open(ground)];
  for (const one of [desk, other]) await one.hears("96550000001");
  await ground.t.app.drain();
  await change(desk, { eventDays: 7 });
  advance(8 * DAY);
  const before = await countOf(other, "event");
  await desk.hears("96550000001", "today");
  await deleteAll();
  const types = await ground.t.app.db.query<{ type: string }>(sql`
    select type from event where workspace_id = ${desk.workspaceId} order by sequence`);
  assert.ok(types.length > 0 && types.length < 4, JSON.stringify(types));
  assert.equal(await countOf(other, "event"), before);
  assert.ok((await read(desk)).deleted.events > 0);
});

test("a process that dies in a batch leaves it undone, and another does it and all others once", async () => {
  const { app } = ground.t;
  const desk = await Desk.open(ground);
  for (let n = 0; n < 12; n++) await desk.hears(`965500002${n}`, `text ${n}`);
  await change(desk, { messageMonths: 1 });
  advance(40 * DAY);
  const small = withBatches(app.background, 5);
  const dying: Background = {
    ...small,
    piece: (work) =>
      small.piece((db) =>
        work({
          ...db,
          transaction: (run) =>
            db.transaction(async (tx) => {
              await run(tx);
              throw new Error("killed");
            }),
        }),
      ),
  };
  await assert.rejects(runRetentionBatch({ ...app, background: dying }), /killed/);
  assert.equal((await texts(desk)).length, 12);
  assert.equal((await read(desk)).deleted.messages, 0);
  // A batch that failed is tried again five minutes later.
  advance(6 * 60_000);
  const one = { ...app, background: small };
  await Promise.all([deleteAll(one), deleteAll(one)]);
  await deleteAll(one);
  assert.deepEqual(await texts(desk), []);
  assert.equal((await read(desk)).deleted.messages, 12);
});

/** Background work that takes so many rows at a time. */
const withBatches = (background: Background, rows: number): Background => ({
  ...background,
  size: () => Promise.resolve(rows),
});

test("each change is in the audit, with what was set before", async () => {
  const { app } = ground.t;
  const desk = await Desk.open(ground);
  await change(desk, { messageMonths: 12, fileMonths: 6 });
  await change(desk, { messageMonths: 12 });
  await change(desk, { fileMonths: null });
  const entries = await app.db.query<{ facts: Record<string, unknown> }>(sql`
    select facts from audit_entry where workspace_id = ${desk.workspaceId}
      and action = 'retention.changed' order by id`);
  assert.equal(entries.length, 2, "a change of nothing is no change");
  assert.deepEqual(entries[1]?.facts["before"], {
    messageMonths: 12,
    fileMonths: 6,
    eventDays: null,
  });
});
