import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { KEY } from "../../../test/actors.ts";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { acceptMessages } from "../../messages/accept/accept-message.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { startBots } from "../thread/start-bots.ts";
import { haltBots } from "./halt-bots.ts";
import { handOverStuck, STUCK_MS } from "./hand-over-stuck.ts";
import { localeOf } from "./hand-over-words.ts";
import { handOver } from "./hand-over.ts";

let m: Messaging;
let desk: Desk;
let botId: string;
before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
  botId = await makeLiveBot(m.t.app, desk.workspaceId);
  await createMember(OPERATOR, m.t.app, desk.workspaceId, {
    email: "agent@example.com",
    name: "Agent",
    role: "agent",
    password: "a long enough password",
  });
});
after(() => m[Symbol.asyncDispose]());

test("Arabic letters or three words say the customer's language; a short word in Latin letters changes nothing", () => {
  const said = (...texts: readonly (string | null)[]) =>
    texts.map((text) => ({ from: "customer", text }) as const);
  const bot = { from: "bot", text: "How can I help you today?" } as const;
  assert.equal(localeOf(said("OK")), "en");
  assert.equal(localeOf(said("OK"), "ar"), "ar");
  assert.equal(localeOf([...said("متى يصل طلبي؟"), bot, ...said("OK", "iPhone 15", null)]), "ar");
  assert.equal(localeOf(said("متى يصل طلبي؟", "where is my order?")), "en");
  assert.equal(localeOf(said("where is my order?", "شكراً"), "en"), "ar");
});

const answeredBy = async (conversationId: string) => {
  const [thread] = await selectAnswered(m.t.app.db, [
    { workspaceId: desk.workspaceId, conversationId },
  ]);
  return thread ?? null;
};
const ours = async (conversationId: string) =>
  (await listMessages(m.t.app, desk.workspaceId, conversationId)).messages
    .filter(({ direction }) => direction === "outbound")
    .map(({ text }) => text);

test("a customer's message starts the live bot; one that does not go on hands over once, with note, notice and one text", async () => {
  const conversationId = await desk.hears("96571000001", "أين طلبي؟");
  await m.t.app.drain();
  assert.equal((await answeredBy(conversationId))?.handler, "bot");
  m.t.clock.advance(STUCK_MS + 10_000);
  // Its worker is away, so only the sweep finds it.
  assert.equal(await handOverStuck(m.t.app, 50), 1);
  assert.equal(await handOverStuck(m.t.app, 50), 0);
  await m.t.app.drain();
  const thread = await answeredBy(conversationId);
  assert.deepEqual([thread?.handler, thread?.handedReason], ["person", "stuck"]);
  // The customer wrote Arabic.
  assert.deepEqual(await ours(conversationId), ["سيجيبك أحد زملائنا هنا."]);
  const [note] = await m.t.app.db.query<{ author: string; name: string; text: string }>(sql`
    select author, author_name as name, text from note where workspace_id = ${desk.workspaceId}
      and conversation_id = ${conversationId}`);
  assert.deepEqual(note, {
    author: `bot:${botId}`,
    name: "Shop assistant",
    text: "The bot did not go on.",
  });
  const [event] = await desk.events("bot.handed_over");
  assert.deepEqual([event?.["reason"], event?.["botId"]], ["stuck", botId]);
  assert.equal((await desk.events("bot.finished"))[0]?.["outcome"], "handed_over");
  const updated = (await desk.events("conversation.updated")).at(-1)?.["conversation"];
  assert.deepEqual((updated as { handler: unknown }).handler, { kind: "person", botId });
  const notices = await m.t.app.db.query(sql`
    select 1 from member_notice where workspace_id = ${desk.workspaceId} and kind = 'handed_over'`);
  assert.equal(notices.length, 1);
  const [row] = await m.t.app.db.query<{ waits: boolean }>(sql`
    select waiting_since is not null as waits from desk_conversation
    where workspace_id = ${desk.workspaceId} and conversation_id = ${conversationId}`);
  assert.equal(row?.waits, true, "the customer waits for a person");
});

test("after a restore people have the conversations in which a bot was about to answer, and the customers get no text", async () => {
  const begun = await desk.hears("96571000011", "hello");
  const again = await desk.hears("96571000012", "hello");
  await startBots(m.t.app, 50);
  const more = { occurredAt: m.t.clock.now() };
  await receiveEvents(m.t.app, [desk.message("96571000012", "and my order?", more)]);
  const fresh = await desk.hears("96571000013", "hello");
  const halt = () => m.t.app.db.transaction((tx) => haltBots(m.t.app, tx));
  m.t.clock.advance(60_000);
  assert.equal(await halt(), 2);
  await m.t.app.drain();
  for (const [id, handler] of [
    [begun, "person"],
    [again, "person"],
    [fresh, undefined],
  ] as const) {
    assert.equal((await answeredBy(id))?.handler, handler);
    assert.deepEqual(await ours(id), []);
  }
  assert.equal(await halt(), 0);
});

test("a conversation that a person handles stays with the person: a message starts no bot", async () => {
  const conversationId = await desk.hears("96571000001", "hello?");
  await m.t.app.drain();
  assert.equal((await answeredBy(conversationId))?.handler, "person");
  const [due] = await m.t.app.db.query(sql`
    select 1 from bot_due where workspace_id = ${desk.workspaceId}`);
  assert.equal(due, undefined);
});

test("handing over what no bot answers does nothing", async () => {
  const conversationId = await desk.hears("96571000002");
  const key = { workspaceId: desk.workspaceId, conversationId };
  const done = await m.t.app.db.transaction((tx) =>
    handOver(m.t.app, tx, { ...key, reason: "asked" }),
  );
  assert.equal(done, null);
  assert.deepEqual(await ours(conversationId), []);
});

/** The statements of a transaction. */
async function statementsOf(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  let count = 0;
  await m.t.app.db.transaction(async (tx) => {
    const counted: Tx = {
      ...tx,
      query: (statement) => {
        count += 1;
        return tx.query(statement);
      },
    };
    await work(counted);
  });
  return count;
}

test("what a program sends costs no statement more for bots, and no write where the workspace has none", async () => {
  const other = await Desk.open(m);
  const conversationId = await other.hears("96571000003");
  const item = { actor: KEY, workspaceId: other.workspaceId, conversationId, text: "hi" };
  const without = { ...m.t.app, handlerFollowers: [] };
  // The first message of a month makes the row of its meter.
  await statementsOf((tx) => acceptMessages(without, tx, [item]));
  const counts = [
    await statementsOf((tx) => acceptMessages(without, tx, [item])),
    await statementsOf((tx) => acceptMessages(m.t.app, tx, [item])),
  ];
  assert.equal(counts[0], counts[1]);
  assert.ok((counts[0] ?? 0) >= 6);
  const [row] = await m.t.app.db.query<{ n: number }>(sql`
    select (select count(*) from bot_due where workspace_id = ${other.workspaceId})
      + (select count(*) from bot_thread where workspace_id = ${other.workspaceId}) as n`);
  assert.equal(row?.n, 0);
});
