import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { startApi, type Api } from "../api.ts";
import { connectWhatsApp, openConversation } from "../fixtures.ts";

let api: Api;
let channelId: string;
before(async () => {
  api = await startApi();
  channelId = await connectWhatsApp(api);
});
after(() => api[Symbol.asyncDispose]());
const stored = async (id: unknown) => {
  const [row] = await api.app.db.query<{
    status: string;
    error_code: string;
    text: string;
    source: string;
  }>(
    sql`select status, error_code, text, source from message where workspace_id = ${api.workspaceId} and id = ${id}`,
  );
  return row;
};

test("a reply is accepted as sent, stored, and waits for its channel", async () => {
  const conversationId = await openConversation(api, { channelId });
  const answer = await api.call("POST", "/messages", {
    json: { conversationId, text: "مرحبا 🙂" },
  });
  assert.equal(answer.status, 201);
  assert.deepEqual(Object.keys(answer.body), ["id", "status"]);
  assert.equal(answer.body["status"], "sent");
  assert.deepEqual(await stored(answer.body["id"]), {
    status: "sent",
    error_code: null,
    text: "مرحبا 🙂",
    source: "api",
  });
  const waiting = await api.app.db.query(
    sql`select 1 from message_outbox where message_id = ${answer.body["id"]}`,
  );
  assert.equal(waiting.length, 1);
});

test("outside the 24-hour window it is stored failed with 131047, spends its slot and never leaves", async () => {
  const conversationId = await openConversation(api, { channelId, hoursAgo: 25 });
  const before = (await api.call("GET", "/usage")).body["usage"] as { messages: number };
  const answer = await api.call("POST", "/messages", { json: { conversationId, text: "Hi" } });
  assert.deepEqual([answer.status, answer.body["status"]], [201, "failed"]);
  assert.equal((await stored(answer.body["id"]))?.error_code, "131047");
  const after = (await api.call("GET", "/usage")).body["usage"] as { messages: number };
  assert.equal(after.messages, before.messages + 1);
  const waiting = await api.app.db.query(
    sql`select 1 from message_outbox where message_id = ${answer.body["id"]}`,
  );
  assert.equal(waiting.length, 0);
});

test("a text of 4096 characters passes, counted as characters", async () => {
  const conversationId = await openConversation(api, { channelId });
  for (const text of ["t", "t".repeat(4096), "🙂".repeat(4096)])
    assert.equal(
      (await api.call("POST", "/messages", { json: { conversationId, text } })).status,
      201,
    );
});

test("the same Idempotency-Key sends once", async () => {
  const conversationId = await openConversation(api, { channelId });
  const send = () =>
    api.call("POST", "/messages", {
      json: { conversationId, text: "once" },
      headers: { "idempotency-key": "m1" },
    });
  const answers = await Promise.all([send(), send(), send()]);
  const replay = await send();
  assert.equal(replay.headers["idempotency-replayed"], "true");
  for (const one of answers) assert.ok(one.status === 409 || one.body["id"] === replay.body["id"]);
  const rows = await api.app.db.query(
    sql`select id from message where conversation_id = ${conversationId}`,
  );
  assert.equal(rows.length, 1);
});
