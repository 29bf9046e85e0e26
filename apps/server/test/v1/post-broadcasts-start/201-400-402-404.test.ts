import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BROADCAST_STATUSES } from "../../../src/wire/words.ts";
import { createBroadcast } from "../../../src/broadcasts/record/create-broadcast.ts";
import { sql } from "../../../src/db/sql.ts";
import { updateWorkspace } from "../../../src/workspaces/update-workspace.ts";
import { startApi, type Api } from "../api.ts";
import { addTemplate, connectWhatsApp } from "../fixtures.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

/** A campaign in that status, however it came there. */
async function campaign(status: string, workspaceId = api.workspaceId): Promise<string> {
  const known = await api.app.db.query<{ id: string }>(
    sql`select id from channel where workspace_id = ${workspaceId}`,
  );
  const channelId = known[0]?.id ?? (await connectWhatsApp(api, workspaceId));
  const templateId = await addTemplate(api, channelId, { name: "t", workspaceId });
  const { id } = await createBroadcast(OPERATOR, api.app, workspaceId, {
    name: "Campaign",
    kind: "WHATSAPP_TEMPLATE",
    channelId,
    templateId,
    variables: { 1: "a", 2: "b" },
  });
  const scheduled = status === "SCHEDULED" ? new Date(api.clock.now().getTime() + 60_000) : null;
  await api.app.db.query(
    sql`update broadcast set status = ${status}, scheduled_at = ${scheduled} where id = ${id}`,
  );
  return id;
}
const start = (id: string, options: Parameters<Api["call"]>[2] = {}) =>
  api.call("POST", `/broadcasts/${id}/start`, options);

test("the state table of the spec, row by row", async () => {
  const expected: Record<string, string> = {
    DRAFT: "QUEUED",
    SCHEDULED: "QUEUED",
    PAUSED: "RUNNING",
  };
  for (const from of BROADCAST_STATUSES) {
    const id = await campaign(from);
    const answer = await start(id);
    const to = expected[from];
    if (to === undefined) {
      assert.deepEqual(
        answer.body,
        {
          statusCode: 400,
          error: "Bad Request",
          message: "BROADCAST_NOT_STARTABLE",
          details: [
            { path: "status", message: `is ${from}; this needs DRAFT or SCHEDULED or PAUSED` },
          ],
        },
        from,
      );
    } else {
      assert.deepEqual(
        [answer.status, answer.body["id"], answer.body["status"]],
        [201, id, to],
        from,
      );
    }
    const [row] = await api.app.db.query<{ status: string }>(
      sql`select status from broadcast where id = ${id}`,
    );
    assert.equal(row?.status, to ?? from);
  }
});

test("a campaign whose channel is in error: the refusal says so with the channel's reason", async () => {
  const id = await campaign("PAUSED");
  const channelIs = (status: string, reason: string | null) =>
    api.app.db.query(sql`update channel set status = ${status}, status_reason = ${reason}
      where id = (select channel_id from broadcast where id = ${id})`);
  await channelIs("error", "190: expired");
  const { status, body } = await start(id);
  await channelIs("connected", null);
  assert.deepEqual(
    [status, body.message, body.details],
    [
      400,
      "BROADCAST_NOT_STARTABLE",
      [{ path: "channelId", message: "the channel is in error: 190: expired" }],
    ],
  );
});

test("twenty starts at once: exactly one passes", async () => {
  const id = await campaign("DRAFT");
  const answers = await Promise.all(Array.from({ length: 20 }, () => start(id)));
  assert.equal(answers.filter((one) => one.status === 201).length, 1);
  assert.ok(
    answers.every((one) => one.status === 201 || one.body.message === "BROADCAST_NOT_STARTABLE"),
  );
});

test("with a key the second start replays the first", async () => {
  const id = await campaign("DRAFT");
  const options = { headers: { "idempotency-key": "start" } };
  const first = await start(id, options);
  const second = await start(id, options);
  assert.deepEqual(
    [second.status, second.headers["idempotency-replayed"], second.text],
    [201, "true", first.text],
  );
});

test("what is not there is BROADCAST_NOT_FOUND, another workspace's too, byte for byte", async () => {
  const other = await api.newWorkspace();
  const theirs = await campaign("DRAFT", other.workspaceId);
  const texts = new Set<string>();
  for (const id of [
    "x",
    "1",
    "%00",
    "%F0%9F%99%82",
    "a".repeat(2_000),
    api.app.ids.next(),
    theirs,
    theirs.toUpperCase(),
    "..%2f..",
    "null",
  ]) {
    const answer = await start(id);
    assert.equal(answer.status, 404, id);
    texts.add(answer.text);
  }
  assert.deepEqual(
    [...texts],
    ['{"statusCode":404,"error":"Not Found","message":"BROADCAST_NOT_FOUND"}'],
  );
});

test("a suspended workspace is 402", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  const id = await campaign("DRAFT", workspaceId);
  await updateWorkspace(OPERATOR, api.app, workspaceId, { suspended: true });
  const { status, body } = await start(id, { bearer });
  assert.deepEqual([status, body["code"]], [402, "SUBSCRIPTION_SUSPENDED"]);
  await updateWorkspace(OPERATOR, api.app, workspaceId, { suspended: false });
  assert.equal((await start(id, { bearer })).status, 201);
});
