import { OPERATOR, actorName, SYSTEM } from "../../actor.ts";
import { AGENT, KEY } from "../../../test/actors.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { disconnectChannel } from "../../channels/disconnect-channel.ts";
import { sql } from "../../db/sql.ts";
import { AppError } from "../../errors.ts";
import { usageSummary } from "../../usage/usage-summary.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import { acceptMessage } from "./accept-message.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : String(error));

test("thirty replies at once on a limit of five: exactly five are stored, the others name limit and usage", async () => {
  const desk = await Desk.open(m, { messages: 5 });
  const conversationId = await desk.hears("96551000001");
  const replies = await Promise.allSettled(
    Array.from({ length: 30 }, () => desk.replies(conversationId)),
  );
  const refused = replies.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  assert.equal(replies.length - refused.length, 5);
  for (const error of refused) {
    assert.equal(codeOf(error), "MESSAGE_LIMIT_REACHED");
    assert.deepEqual((error as AppError).facts, { limit: 5, usage: 5 });
  }
  const [row] = await m.t.app.db.query(sql`
    select (select count(*) from message where workspace_id = ${desk.workspaceId} and direction = 'outbound') as stored,
      (select used from usage_month where workspace_id = ${desk.workspaceId}) as used`);
  assert.deepEqual(row, { stored: 5, used: 5 });
});

test("thirty replies, each in its own transaction, on a limit of five: exactly five are stored", async () => {
  const desk = await Desk.open(m, { messages: 5 });
  const conversationId = await desk.hears("96551000001");
  const input = { conversationId, text: "hi" } as const;
  const replies = await Promise.allSettled(
    Array.from({ length: 30 }, () =>
      acceptMessage(KEY, m.t.app, desk.workspaceId, input, { within: () => Promise.resolve() }),
    ),
  );
  assert.equal(replies.filter((one) => one.status === "fulfilled").length, 5);
});

test("one unknown conversation in a batch fails alone and takes no slot", async () => {
  const desk = await Desk.open(m, { messages: 10 });
  const other = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  const foreign = await other.hears("96551000002");
  const answers = await Promise.allSettled([
    desk.replies(conversationId),
    desk.replies(foreign),
    desk.replies("nonsense"),
    desk.replies(m.t.app.ids.next()),
    desk.replies(conversationId),
  ]);
  assert.deepEqual(
    answers.map((one) => (one.status === "fulfilled" ? one.value.status : codeOf(one.reason))),
    ["sent", "CONVERSATION_NOT_FOUND", "CONVERSATION_NOT_FOUND", "CONVERSATION_NOT_FOUND", "sent"],
  );
  assert.equal((await usageSummary(m.t.app, desk.workspaceId)).usage.messages, 2);
});

test("a reply at the moment the window ends is stored as failed, spends its slot and is never handed over", async () => {
  const desk = await Desk.open(m, { messages: 10 });
  const conversationId = await desk.hears("96551000001");
  m.t.clock.advance(24 * 3_600_000 - 1);
  assert.equal((await desk.replies(conversationId)).status, "sent");
  m.t.clock.advance(1);
  const late = await desk.replies(conversationId);
  assert.deepEqual([late.status, late.errorCode], ["failed", "131047"]);
  assert.equal((await desk.outbox()).length, 1);
  assert.deepEqual(await desk.moves(), ["null>failed"]);
  const { usage, period } = await usageSummary(m.t.app, desk.workspaceId);
  assert.deepEqual([usage.messages, usage.failed, period.sent], [2, 1, 1]);
});

test("a suspended workspace is refused with limit and usage, even for an unknown conversation", async () => {
  const desk = await Desk.open(m, { messages: 10 });
  const conversationId = await desk.hears("96551000001");
  await desk.replies(conversationId);
  await updateWorkspace(OPERATOR, m.t.app, desk.workspaceId, { suspended: true });
  for (const id of [conversationId, m.t.app.ids.next()]) {
    await assert.rejects(desk.replies(id), (error: AppError) => {
      assert.equal(error.code, "SUBSCRIPTION_SUSPENDED");
      assert.deepEqual(error.facts, { limit: 10, usage: 1 });
      return true;
    });
  }
});

test("a reply on a disconnected channel is stored as failed", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  await disconnectChannel(OPERATOR, m.t.app, desk.workspaceId, desk.account.channelId);
  const reply = await desk.replies(conversationId);
  assert.deepEqual([reply.status, reply.errorCode], ["failed", "CHANNEL_DISCONNECTED"]);
});

test("every reply keeps its author, and message.created tells the source of that author", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  const bot = { kind: "bot", botId: m.t.app.ids.next() } as const;
  for (const actor of [KEY, AGENT, OPERATOR, bot, SYSTEM])
    await acceptMessage(actor, m.t.app, desk.workspaceId, {
      conversationId,
      text: actorName(actor),
    });
  const stored = await m.t.app.db.query<{ author: string; text: string }>(sql`
    select author, text from message where workspace_id = ${desk.workspaceId} and direction = 'outbound' order by id`);
  for (const { author, text } of stored) assert.equal(author, text);
  const created = await desk.events("message.created");
  assert.deepEqual(
    created.map((data) => {
      const message = data["message"] as { text: string; source: string };
      assert.ok(!("author" in message), "the API does not tell the author");
      return [message.text, message.source];
    }),
    [
      [actorName(KEY), "api"],
      [actorName(AGENT), "dashboard"],
      ["cli", "dashboard"],
      [actorName(bot), "bot"],
      ["system", "bot"],
    ],
  );
});

test("after the window, people may reply on Messenger and programs may not", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  await m.t.app.db.query(sql`
    update conversation set channel_type = 'MESSENGER', window_expires_at = ${m.t.clock.now()}
    where workspace_id = ${desk.workspaceId} and id = ${conversationId}`);
  const bot = { kind: "bot", botId: m.t.app.ids.next() } as const;
  const codes = [];
  for (const actor of [KEY, bot, SYSTEM, AGENT, OPERATOR]) {
    const input = { conversationId, text: "hi" };
    codes.push((await acceptMessage(actor, m.t.app, desk.workspaceId, input)).errorCode);
  }
  assert.deepEqual(codes, ["131047", "131047", "131047", null, null]);
});

test("an error in `within` undoes the reply and its slot", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  const input = { conversationId, text: "hi" } as const;
  await assert.rejects(
    acceptMessage(KEY, m.t.app, desk.workspaceId, input, {
      within: () => Promise.reject(new Error("no")),
    }),
    /no/,
  );
  assert.equal((await usageSummary(m.t.app, desk.workspaceId)).usage.messages, 0);
  assert.deepEqual(await desk.outbox(), []);
});

test("a text of 1 to 4096 characters is accepted; an emoji counts as one", async () => {
  const desk = await Desk.open(m);
  const conversationId = await desk.hears("96551000001");
  assert.equal((await desk.replies(conversationId, "🙂".repeat(4096))).status, "sent");
  for (const text of ["", "x".repeat(4097)]) {
    await assert.rejects(desk.replies(conversationId, text), { code: "VALIDATION_FAILED" });
  }
});
