import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import { updateConversation } from "../../conversations/update-conversation.ts";
import { sql } from "../../db/sql.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { moveMessages } from "../../messages/record/thread-store.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { joinBots } from "./join-bots.ts";
import { startBots } from "./start-bots.ts";
import { selectOpenRun } from "./run-store.ts";

let m: Messaging;
let desk: Desk;
before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
});
after(() => m[Symbol.asyncDispose]());

const answeredIn = async (conversationId: string) =>
  (await selectAnswered(m.t.app.db, [{ workspaceId: desk.workspaceId, conversationId }]))[0];

const joinOf = (fromId: string, intoId: string) => ({
  workspaceId: desk.workspaceId,
  fromId,
  intoId,
  contactId: m.t.app.ids.next(),
  at: m.t.clock.now(),
});

test("a bot and its runs follow a conversation that is joined into another; who answers there goes on answering", async () => {
  const { db } = m.t.app;
  const { workspaceId } = desk;
  const quiet = await desk.hears("96574000001");
  const human = await desk.hears("96574000002");
  await m.t.app.drain();
  await makeLiveBot(m.t.app, workspaceId);
  const first = await desk.hears("96574000003");
  await m.t.app.drain();
  const before = await answeredIn(first);
  assert.equal(before?.handler, "bot");
  await db.transaction((tx) => joinBots(tx, joinOf(first, quiet)));
  const moved = await answeredIn(quiet);
  assert.deepEqual([moved?.handler, moved?.runId], ["bot", before.runId]);
  assert.ok((moved?.version ?? 0) > before.version, "an answer that was made before is not stored");
  assert.equal((await selectOpenRun(db, workspaceId, quiet))?.id, before.runId);

  const second = await desk.hears("96574000004");
  await desk.hears("96574000002", "hello again");
  await m.t.app.drain();
  await acceptMessage(OPERATOR, m.t.app, workspaceId, { conversationId: human, text: "Yes?" });
  await db.transaction((tx) => joinBots(tx, joinOf(second, human)));
  assert.equal((await answeredIn(human))?.handler, "person");
  assert.equal(await selectOpenRun(db, workspaceId, human), null);
  const runs = await db.query<{ outcome: string }>(sql`
    select outcome from bot_run where workspace_id = ${workspaceId} and conversation_id = ${human} order by outcome`);
  assert.deepEqual(
    runs.map(({ outcome }) => outcome),
    ["abandoned", "assisted"],
  );
});

/** Joins one conversation into another, as a customer's sign-in does: its messages move too. */
const join = (fromId: string, intoId: string) =>
  m.t.app.db.transaction(async (tx) => {
    await moveMessages(tx, desk.workspaceId, fromId, intoId);
    await joinBots(tx, joinOf(fromId, intoId));
  });

/** Two conversations that the bot has met. */
async function two(): Promise<[string, string]> {
  const ids: string[] = [];
  for (const one of [0, 1]) {
    const from = String((people += 1));
    ids[one] = await desk.hears(from, "where is it");
    await startBots(m.t.app, 10);
  }
  return [ids[0] ?? "", ids[1] ?? ""];
}
let people = 96_574_100_000;

test("no bot talks over a person who answered in the conversation that is joined", async () => {
  const { app } = m.t;
  const { workspaceId } = desk;
  for (const before of ["bot", "nobody"] as const) {
    const [from, into] = await two();
    if (before === "nobody")
      await updateConversation(OPERATOR, app, workspaceId, into, { status: "resolved" });
    await acceptMessage(OPERATOR, app, workspaceId, { conversationId: from, text: "Yes?" });
    await join(from, into);
    assert.equal((await answeredIn(into))?.handler, "person", before);
    assert.equal(await selectOpenRun(app.db, workspaceId, into), null);
  }
});

test("no bot talks over a person of a conversation that no bot has met", async () => {
  const { app } = m.t;
  const { workspaceId } = desk;
  const member = await createMember(OPERATOR, app, workspaceId, {
    email: "lina@shop.example",
    name: "Lina",
    role: "agent",
    password: "correct horse battery",
  });
  await app.db.query(sql`update bot set status = 'archived' where workspace_id = ${workspaceId}`);
  const theirs: string[] = [];
  for (const _ of ["assigned", "answered", "answered and resolved"])
    theirs.push(await desk.hears(String((people += 1))));
  const [assigned = "", answered = "", resolved = ""] = theirs;
  await updateConversation(OPERATOR, app, workspaceId, assigned, { assigneeId: member.id });
  for (const conversationId of [answered, resolved])
    await acceptMessage(OPERATOR, app, workspaceId, { conversationId, text: "Yes?" });
  m.t.clock.advance(1_000);
  await updateConversation(OPERATOR, app, workspaceId, resolved, { status: "resolved" });
  m.t.clock.advance(1_000);
  await app.db.query(sql`update bot set status = 'live' where workspace_id = ${workspaceId}`);
  const after: (string | undefined)[] = [];
  for (const into of theirs) {
    assert.equal(await answeredIn(into), undefined);
    const [from] = await two();
    await join(from, into);
    if (into === resolved)
      await updateConversation(OPERATOR, app, workspaceId, into, { status: "open" });
    await startBots(app, 10);
    after.push((await answeredIn(into))?.handler);
  }
  // What the customer asked in the other one is a bot's again where the person is done.
  assert.deepEqual(after, [undefined, "person", "bot"]);
});

test("a question that a bot has not answered yet is answered where its conversation is joined", async () => {
  const { app } = m.t;
  const { workspaceId } = desk;
  const [asked, resolved] = await two();
  const run = await selectOpenRun(app.db, workspaceId, asked);
  await updateConversation(OPERATOR, app, workspaceId, resolved, { status: "resolved" });
  await join(asked, resolved);
  assert.equal((await answeredIn(resolved))?.handler, "bot");
  assert.equal((await selectOpenRun(app.db, workspaceId, resolved))?.id, run?.id);

  const [other, answered] = await two();
  const there = await selectOpenRun(app.db, workspaceId, answered);
  assert.ok(there);
  await app.db.query(sql`update bot_run set state = 'waiting', due_at = null, asked_at = null
    where workspace_id = ${workspaceId} and id = ${there.id}`);
  await join(other, answered);
  await startBots(app, 10);
  const woken = await selectOpenRun(app.db, workspaceId, answered);
  assert.deepEqual([woken?.id, woken?.state], [there.id, "ready"]);
});

test("a message that no bot has looked at yet is looked at where its conversation is joined", async () => {
  const [, into] = await two();
  await updateConversation(OPERATOR, m.t.app, desk.workspaceId, into, { status: "resolved" });
  const from = await desk.hears(String((people += 1)), "where is it");
  await updateConversation(OPERATOR, m.t.app, desk.workspaceId, into, { status: "open" });
  await join(from, into);
  await startBots(m.t.app, 10);
  assert.equal((await answeredIn(into))?.handler, "bot");
});
