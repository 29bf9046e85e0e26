import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../../src/actor.ts";
import { sql } from "../../../src/db/sql.ts";
import { changeDesk } from "../../../src/desk/desk-change.ts";
import { deskRow } from "../../../src/desk/read-desk.ts";
import { followDesk } from "../../../src/messages/record/follow-desk.ts";
import { lockConversations } from "../../../src/conversations/touch-conversations.ts";
import { createMember } from "../../../src/workspaces/create-member.ts";
import { pageAudit } from "../../../src/workspaces/list-audit.ts";
import { startApi, type Api } from "../api.ts";
import { addTemplate, connectWhatsApp, openConversation } from "../fixtures.ts";

let api: Api;
let workspaceId: string;
let bearer: string;
let channelId: string;
before(async () => {
  api = await startApi();
  ({ workspaceId, bearer } = await api.newWorkspace("business"));
  channelId = await connectWhatsApp(api, workspaceId);
});
after(() => api[Symbol.asyncDispose]());

const opened = (hoursAgo = 1) => openConversation(api, { workspaceId, channelId, hoursAgo });
const patch = (id: string, json: object, headers: Record<string, string> = {}) =>
  api.call("PATCH", `/conversations/${id}`, { json, bearer, headers });
const send = (id: string, json: object, headers: Record<string, string> = {}) =>
  api.call("POST", `/conversations/${id}/messages`, { json, bearer, headers });
const entriesOf = async (subject: string) =>
  (await pageAudit(OPERATOR, api.app, workspaceId, { subject }, { limit: 20 })).entries;

test("a key hands a conversation over in one step: status, labels, assignee, read and a note", async () => {
  const id = await opened();
  const email = `${api.app.ids.next()}@example.com`;
  const person = { email, name: "Mona", role: "agent" } as const;
  const member = await createMember(OPERATOR, api.app, workspaceId, person);
  const changed = await patch(id, {
    assigneeId: member.id,
    addLabels: ["Refund"],
    read: true,
    note: "Asks for a refund.",
  });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(
    [changed.body["assigneeId"], changed.body["labels"], changed.body["unreadCount"]],
    [member.id, ["refund"], 0],
  );
  const notes = await api.call("GET", `/conversations/${id}/notes`, { bearer });
  const [note] = notes.body["items"] as { text: string; authorId: unknown; authorName: string }[];
  assert.deepEqual([note?.text, note?.authorId], ["Asks for a refund.", null]);
  const actors = new Set((await entriesOf(id)).map(({ actor }) => actor.split(":")[0]));
  assert.deepEqual([...actors], ["key"]);
  // A refused part leaves the others undone.
  const refused = await patch(id, { status: "resolved", note: "  " });
  assert.deepEqual([refused.status, refused.body.details?.[0]?.path], [400, "note"]);
  const still = await api.call("GET", `/conversations/${id}`, { bearer });
  assert.equal(still.body["status"], "open");
});

test("a snooze needs an end in the future, an assignee is a member, an unknown id is 404", async () => {
  const id = await opened();
  const past = { status: "snoozed", snoozedUntil: "2020-01-01T00:00:00Z" };
  for (const [json, path] of [
    [{ status: "snoozed" }, "snoozedUntil"],
    [{ snoozedUntil: "2099-01-01T00:00:00Z" }, "snoozedUntil"],
    [past, "snoozedUntil"],
    [{ assigneeId: workspaceId }, "assigneeId"],
    [{ read: false }, "read"],
    [{ labels: ["x"] }, "labels"],
  ] as const) {
    const refused = await patch(id, json);
    assert.deepEqual([refused.status, refused.body.details?.[0]?.path], [400, path]);
  }
  const snoozed = await patch(id, { status: "snoozed", snoozedUntil: "2099-01-01T00:00:00Z" });
  assert.equal(snoozed.body["status"], "snoozed");
  assert.equal(snoozed.body["snoozedUntil"], "2099-01-01T00:00:00.000Z");
  const read = await api.call("GET", `/conversations/${id}`, { bearer });
  assert.equal(read.body["snoozedUntil"], "2099-01-01T00:00:00.000Z");
  const longer = await patch(id, { status: "snoozed", snoozedUntil: "2099-01-02T00:00:00Z" });
  assert.equal(longer.body["snoozedUntil"], "2099-01-02T00:00:00.000Z");
  assert.equal((await patch(id, { status: "open" })).body["snoozedUntil"], null);
  assert.equal((await patch("none", { read: true })).status, 404);
});

test("two writers with If-Match: 30 rounds, no update lost; without it the last one wins", async () => {
  const id = await opened();
  const read = () => api.call("GET", `/conversations/${id}`, { bearer });
  const rounds = 30;
  let refusals = 0;
  const writer = async (name: string): Promise<void> => {
    for (let round = 0; round < rounds; round++)
      for (;;) {
        api.clock.advance(60_001);
        const etag = String((await read()).headers["etag"]);
        const labels = { addLabels: [`${name}${round}`], removeLabels: [`${name}${round - 1}`] };
        const answer = await patch(id, labels, { "if-match": etag });
        if (answer.status === 200) break;
        assert.deepEqual([answer.status, answer.body.message], [412, "VERSION_MISMATCH"]);
        refusals += 1;
      }
  };
  await Promise.all([writer("a"), writer("b")]);
  const last = await read();
  const labels = last.body["labels"];
  assert.ok(Array.isArray(labels));
  assert.deepEqual(new Set(labels), new Set(["a29", "b29"]));
  assert.ok(refusals > 0, "the writers met");
  const stale = await patch(id, { addLabels: ["c"] }, { "if-match": '"another"' });
  assert.equal(stale.status, 412);
  const changed = await patch(id, { addLabels: ["c"] });
  assert.equal(changed.headers["etag"], (await read()).headers["etag"]);
});

test("many conversations are changed by one call, once under its key; strangers are left out", async () => {
  const ids = [await opened(), await opened()];
  const call = () =>
    api.call("POST", "/conversations/changes", {
      json: { ids: [...ids, "none"], status: "resolved", addLabels: ["done"] },
      bearer,
      headers: { "idempotency-key": "all done" },
    });
  const [first, again] = [await call(), await call()];
  assert.deepEqual([first.body, again.text], [{ changed: 2 }, first.text]);
  assert.equal(again.headers["idempotency-replayed"], "true");
  for (const id of ids) {
    const { body } = await api.call("GET", `/conversations/${id}`, { bearer });
    assert.deepEqual([body["status"], body["labels"]], ["resolved", ["done"]]);
  }
});

test("a key renames and deletes a label that conversations have", async () => {
  const id = await opened();
  const labels = async () =>
    (await api.call("GET", `/conversations/${id}`, { bearer })).body["labels"];
  await patch(id, { addLabels: ["vip"] });
  const put = { color: "#b3261e", newName: "gold" };
  assert.equal((await api.call("PUT", "/labels/vip", { json: put, bearer })).status, 200);
  assert.deepEqual(await labels(), ["gold"]);
  assert.equal((await api.call("DELETE", "/labels/gold", { bearer })).status, 200);
  assert.deepEqual(await labels(), []);
});

test("a key changes and deletes its own notes and no other's; the thread names the key", async () => {
  const id = await opened();
  const made = await api.call("POST", `/conversations/${id}/notes`, {
    json: { text: "First" },
    bearer,
  });
  assert.equal(made.status, 201, made.text);
  const at = `/notes/${String(made.body["id"])}`;
  const other = await api.key([], workspaceId);
  for (const [method, json] of [["PATCH", { text: "Not mine" }], ["DELETE"]] as const) {
    const refused = await api.call(method, at, { bearer: other, ...(json && { json }) });
    assert.deepEqual([refused.status, refused.body.message], [403, "FORBIDDEN"]);
  }
  const edited = await api.call("PATCH", at, { json: { text: "Second" }, bearer });
  assert.deepEqual([edited.status, edited.body["text"]], [200, "Second"]);
  const gone = await api.call("DELETE", at, { bearer });
  assert.deepEqual([gone.body["deleted"], gone.body["text"]], [true, ""]);
  assert.equal((await api.call("PATCH", at, { json: { text: "x" }, bearer })).status, 404);
});

test("a message that answers nobody leaves the customer waiting, one that answers does not", async () => {
  const id = await opened();
  const waiting = async () => (await deskRow(api.app.db, workspaceId, id))?.waitingSince ?? null;
  await api.app.db.transaction(async (tx) => {
    const [conversation] = await lockConversations(tx, [{ workspaceId, id }]);
    assert.ok(conversation);
    const actedAt = api.clock.now();
    changeDesk(tx, [{ conversation, actedAt, waiting: "customer", inbound: 1 }]);
  });
  const follow = async () => {
    while ((await followDesk(api.app)) > 0);
  };
  api.clock.advance(1_000);
  const auto = await send(id, { text: "We are closed.", answers: false });
  assert.equal(auto.status, 201, auto.text);
  await follow();
  assert.notEqual(await waiting(), null);
  api.clock.advance(1_000);
  await send(id, { text: "Here is your answer." });
  await follow();
  assert.equal(await waiting(), null);
});

test("text, files, template and what happens afterwards, in one transaction", async () => {
  const id = await opened(25);
  const late = await send(id, { text: "Hi" });
  assert.deepEqual([late.status, late.body["status"]], [201, "failed"]);
  await addTemplate(api, channelId, { name: "order_update", workspaceId });
  const template = { name: "order_update", language: "en" };
  const words = { template, body: ["Sara", "1042"] };
  const sent = await send(id, { ...words, afterwards: { status: "resolved" } });
  assert.deepEqual(
    [sent.status, sent.body["type"], sent.body["text"]],
    [201, "template", "Hello Sara, 1042 and Sara"],
    sent.text,
  );
  const { body } = await api.call("GET", `/conversations/${id}`, { bearer });
  assert.equal(body["status"], "resolved");
  for (const [json, status, code, path] of [
    [{}, 400, "VALIDATION_FAILED", "text"],
    [{ ...words, text: "x" }, 400, "VALIDATION_FAILED", "template"],
    [{ text: "x", body: ["a"] }, 400, "VALIDATION_FAILED", "template"],
    [{ template }, 400, "TEMPLATE_PARAMETERS", "body"],
    [{ text: "x", attachments: ["none"] }, 400, "ATTACHMENT_REFUSED", "attachments[0]"],
    [
      { text: "x", afterwards: { status: "snoozed" } },
      400,
      "VALIDATION_FAILED",
      "afterwards.snoozedUntil",
    ],
    [{ text: "x", replyTo: "y" }, 400, "VALIDATION_FAILED", "replyTo"],
    [{ ...words, replyTo: sent.body["id"] }, 400, "VALIDATION_FAILED", "replyTo"],
    [{ choices: [{ text: "a", payload: "b" }], template }, 400, "VALIDATION_FAILED", "choices"],
    [{ text: "x", quote: "y" }, 400, "VALIDATION_FAILED", "quote"],
  ] as const) {
    const refused = await send(id, json);
    assert.deepEqual(
      [refused.status, refused.body.message, refused.body.details?.[0]?.path],
      [status, code, path],
    );
  }
  assert.equal((await send("none", { text: "x" })).status, 404);
  const [row] = await api.app.db.query<{ n: number }>(sql`select count(*)::int as n from message
    where workspace_id = ${workspaceId} and conversation_id = ${id}`);
  assert.equal(row?.n, 2);
});
