import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { updateWorkspace } from "../../../src/workspaces/update-workspace.ts";
import { startApi, type Api } from "../api.ts";
import { openConversation } from "../fixtures.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());
const post = async (json: unknown, bearer = api.bearer) =>
  api.call("POST", "/messages", { json, bearer });

test("a conversation that is not there is CONVERSATION_NOT_FOUND, another workspace's too", async () => {
  const other = await api.newWorkspace();
  const theirs = await openConversation(api, { workspaceId: other.workspaceId });
  const answers = [];
  for (const conversationId of ["x", "\u{1F642}", api.app.ids.next(), theirs, theirs.toUpperCase()])
    answers.push((await post({ conversationId, text: "Hi" })).text);
  assert.deepEqual(
    new Set(answers),
    new Set(['{"statusCode":400,"error":"Bad Request","message":"CONVERSATION_NOT_FOUND"}']),
  );
});

test("text has 1 to 4096 characters, conversationId at least one, and both must be there", async () => {
  const conversationId = await openConversation(api);
  const cases: [unknown, string[]][] = [
    [{ conversationId, text: "" }, ["text"]],
    [{ conversationId, text: "t".repeat(4097) }, ["text"]],
    [{ conversationId, text: "🙂".repeat(4097) }, ["text"]],
    [{ conversationId: "", text: "Hi" }, ["conversationId"]],
    [{}, ["conversationId", "text"]],
    [{ conversationId: 5, text: null }, ["conversationId", "text"]],
    [{ conversationId, text: "a\0b" }, ["text"]],
    [{ conversationId: "\0", text: "Hi" }, ["conversationId"]],
  ];
  for (const [json, paths] of cases) {
    const { status, body } = await post(json);
    assert.deepEqual(
      [status, body.message],
      [400, "VALIDATION_FAILED"],
      JSON.stringify(json).slice(0, 80),
    );
    assert.deepEqual(body.details?.map((one) => one.path).sort(), paths);
  }
});

test("thirty at once on a limit of five: exactly five pass, the others are 402 with figures", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  await updateWorkspace(OPERATOR, api.app, workspaceId, { limits: { messages: 5 } });
  const conversationId = await openConversation(api, { workspaceId });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => post({ conversationId, text: `${i}` }, bearer)),
  );
  assert.equal(answers.filter((one) => one.status === 201).length, 5);
  for (const refused of answers.filter((one) => one.status !== 201)) {
    assert.deepEqual(refused.body, {
      statusCode: 402,
      error: "Payment Required",
      message: "MESSAGE_LIMIT_REACHED",
      code: "MESSAGE_LIMIT_REACHED",
      limit: 5,
      usage: 5,
    });
  }
});

test("a suspended workspace is 402 SUBSCRIPTION_SUSPENDED; its key is free for the next try", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  const conversationId = await openConversation(api, { workspaceId });
  await updateWorkspace(OPERATOR, api.app, workspaceId, { suspended: true });
  const send = () =>
    api.call("POST", "/messages", {
      json: { conversationId, text: "Hi" },
      bearer,
      headers: { "idempotency-key": "s" },
    });
  const { status, body } = await send();
  assert.deepEqual(
    [status, body.message, body["code"]],
    [402, "SUBSCRIPTION_SUSPENDED", "SUBSCRIPTION_SUSPENDED"],
  );
  assert.deepEqual([typeof body["limit"], body["usage"]], ["number", 0]);
  await updateWorkspace(OPERATOR, api.app, workspaceId, { suspended: false });
  const again = await send();
  assert.deepEqual([again.status, again.headers["idempotency-replayed"]], [201, undefined]);
  assert.equal((await send()).headers["idempotency-replayed"], "true");
});
