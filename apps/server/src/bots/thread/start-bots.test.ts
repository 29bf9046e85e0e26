import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import { sql } from "../../db/sql.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { handOverStuck, STUCK_MS } from "../hand-over/hand-over-stuck.ts";
import { selectOpenRun } from "./run-store.ts";
import { startBots } from "./start-bots.ts";

let m: Messaging;
let desk: Desk;
before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
  await makeLiveBot(m.t.app, desk.workspaceId);
  await m.t.app.db.query(sql`
    create function fails() returns trigger language plpgsql as $$ begin raise exception 'it fails'; end $$`);
});
after(() => m[Symbol.asyncDispose]());

const threadOf = async (conversationId: string) =>
  (await selectAnswered(m.t.app.db, [{ workspaceId: desk.workspaceId, conversationId }]))[0];
const notesOf = async (conversationId: string) =>
  (
    await m.t.app.db.query<{ text: string; name: string }>(sql`
      select text, author_name as name from note
      where workspace_id = ${desk.workspaceId} and conversation_id = ${conversationId}`)
  ).map(({ text, name }) => `${name}: ${text}`);
const NOTE =
  "Shop assistant: The bot did not go on.\nthe bot could not be started, although it was tried several times";

/** Looks once a second for so long. Gives after how many seconds a look was made. */
async function lookFor(seconds: number): Promise<number[]> {
  const looked: number[] = [];
  for (let second = 0; second <= seconds; second++) {
    if ((await startBots(m.t.app, 50)) > 0) looked.push(second);
    m.t.clock.advance(1_000);
  }
  return looked;
}

test("a bot that cannot be started is tried with growing pauses; after a minute people have the conversation, and see why", async () => {
  const { db } = m.t.app;
  const first = await desk.hears("96574800001", "where is it?");
  await db.query(sql`create trigger no_run before insert on bot_run execute function fails()`);
  assert.deepEqual(await lookFor(180), [0, 5, 20, 60]);
  await db.query(sql`drop trigger no_run on bot_run`);
  const thread = await threadOf(first);
  assert.deepEqual([thread?.handler, thread?.handedReason], ["person", "stuck"]);
  assert.deepEqual(await notesOf(first), [NOTE]);
  const [event] = await desk.events("bot.handed_over");
  assert.deepEqual([event?.["reason"], event?.["conversationId"]], ["stuck", first]);
  const { messages } = await listMessages(m.t.app, desk.workspaceId, first);
  const ours = messages.filter(({ direction }) => direction === "outbound");
  assert.deepEqual(
    ours.map(({ text }) => text),
    ["A colleague will answer you here."],
  );
});

test("a bot that cannot be woken leaves its conversation to people as well", async () => {
  const { db } = m.t.app;
  const id = await desk.hears("96574800002", "where is it?");
  await startBots(m.t.app, 50);
  assert.equal((await threadOf(id))?.handler, "bot");
  await db.query(sql`update bot_run set state = 'waiting', due_at = null
    where workspace_id = ${desk.workspaceId} and conversation_id = ${id}`);
  await desk.hears("96574800002", "hello?");
  await db.query(sql`create trigger no_wake before update on bot_run for each row
    when (new.state = 'ready') execute function fails()`);
  await lookFor(61);
  await db.query(sql`drop trigger no_wake on bot_run`);
  assert.deepEqual((await threadOf(id))?.handedReason, "stuck");
  assert.deepEqual(await notesOf(id), [NOTE]);
});

test("a start that fails for a while is made when it can be", async () => {
  const { db } = m.t.app;
  const id = await desk.hears("96574800003", "where is it?");
  await db.query(sql`create trigger no_run before insert on bot_run execute function fails()`);
  await lookFor(4);
  await db.query(sql`drop trigger no_run on bot_run`);
  assert.deepEqual(await lookFor(60), [0]);
  assert.equal((await threadOf(id))?.handler, "bot");
});

test("a conversation that cannot be given to people keeps no other one waiting for them", async () => {
  const { db } = m.t.app;
  const ids = [
    await desk.hears("96574800004", "where is it?"),
    await desk.hears("96574800005", "where is it?"),
  ];
  await startBots(m.t.app, 50);
  m.t.clock.advance(STUCK_MS + 10_000);
  const [first = "", second = ""] = (
    await db.query<{ id: string }>(sql`
      select conversation_id as id from bot_run where workspace_id = ${desk.workspaceId}
        and conversation_id = any(${ids}::uuid[]) order by due_at`)
  ).map(({ id }) => id);
  await db.query(sql`create table unwritten (conversation_id uuid)`);
  await db.query(sql`insert into unwritten values (${first})`);
  await db.query(sql`
    create function fails_there() returns trigger language plpgsql as $$ begin
      if exists (select 1 from unwritten u where u.conversation_id = new.conversation_id) then
        raise exception 'it fails'; end if;
      return new; end $$`);
  await db.query(
    sql`create trigger no_note before insert on note for each row execute function fails_there()`,
  );
  for (let look = 0; look < 10; look++) await handOverStuck(m.t.app, 1);
  await db.query(sql`drop trigger no_note on note`);
  assert.equal((await threadOf(second))?.handler, "person");
  assert.ok(await selectOpenRun(db, desk.workspaceId, first));
  m.t.clock.advance(STUCK_MS + 10_000);
  assert.equal(await handOverStuck(m.t.app, 50), 1);
});
