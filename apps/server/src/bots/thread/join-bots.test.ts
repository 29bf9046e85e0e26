import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import { sql } from "../../db/sql.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { joinBots } from "./join-bots.ts";
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
  await db.transaction((tx) => joinBots(tx, { workspaceId, fromId: first, intoId: quiet }));
  const moved = await answeredIn(quiet);
  assert.deepEqual([moved?.handler, moved?.runId], ["bot", before.runId]);
  assert.ok((moved?.version ?? 0) > before.version, "an answer that was made before is not stored");
  assert.equal((await selectOpenRun(db, workspaceId, quiet))?.id, before.runId);

  const second = await desk.hears("96574000004");
  await desk.hears("96574000002", "hello again");
  await m.t.app.drain();
  await acceptMessage(OPERATOR, m.t.app, workspaceId, { conversationId: human, text: "Yes?" });
  await db.transaction((tx) => joinBots(tx, { workspaceId, fromId: second, intoId: human }));
  assert.equal((await answeredIn(human))?.handler, "person");
  assert.equal(await selectOpenRun(db, workspaceId, human), null);
  const runs = await db.query<{ outcome: string }>(sql`
    select outcome from bot_run where workspace_id = ${workspaceId} and conversation_id = ${human} order by outcome`);
  assert.deepEqual(
    runs.map(({ outcome }) => outcome),
    ["abandoned", "assisted"],
  );
});
