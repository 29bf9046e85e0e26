import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBroadcast } from "../../../src/broadcasts/record/create-broadcast.ts";
import { startApi } from "../api.ts";
import { addTemplate, connectWhatsApp } from "../fixtures.ts";

test("the 100 most recent, newest first; none of another workspace", async () => {
  await using api = await startApi();
  const other = await api.newWorkspace();
  const make = async (workspaceId: string, channelId: string, templateId: string, name: string) =>
    createBroadcast(OPERATOR, api.app, workspaceId, {
      name,
      kind: "WHATSAPP_TEMPLATE",
      channelId,
      templateId,
      variables: { 1: "{{name}}", 2: "x" },
    });
  const theirs = await connectWhatsApp(api, other.workspaceId);
  await make(
    other.workspaceId,
    theirs,
    await addTemplate(api, theirs, { name: "t", workspaceId: other.workspaceId }),
    "Theirs",
  );
  const channelId = await connectWhatsApp(api);
  const templateId = await addTemplate(api, channelId, { name: "t" });
  for (let i = 1; i <= 101; i++)
    await make(api.workspaceId, channelId, templateId, `Campaign ${i}`);
  const answer = await api.call("GET", "/broadcasts");
  assert.equal(answer.status, 200);
  const names = (answer.body as unknown as { name: string }[]).map((one) => one.name);
  assert.deepEqual(
    names,
    Array.from({ length: 100 }, (_, i) => `Campaign ${101 - i}`),
  );
  const [newest] = answer.body as unknown as Record<string, unknown>[];
  const { id, createdAt, ...rest } = newest ?? {};
  assert.ok(id);
  assert.equal(createdAt, api.clock.now().toISOString());
  assert.deepEqual(rest, {
    name: "Campaign 101",
    channelId,
    channelType: "WHATSAPP",
    kind: "WHATSAPP_TEMPLATE",
    status: "DRAFT",
    templateId,
    body: null,
    scheduledAt: null,
    rateLimitPerMinute: 4800,
    totalCount: 0,
    sentCount: 0,
    deliveredCount: 0,
    readCount: 0,
    failedCount: 0,
    skippedCount: 0,
  });
});
