import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { startApi, type Api } from "./api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());

const put = (shortcut: string, json: { title: string; text: string }) =>
  api.call("PUT", `/saved-replies/${encodeURIComponent(shortcut)}`, { json });
const listed = async () => (await api.call("GET", "/saved-replies")).body["items"];
const audited = async () =>
  (
    await api.app.db.query<{ action: string }>(sql`select action from audit_entry
      where workspace_id = ${api.workspaceId} and action like 'saved_reply.%' order by id`)
  ).map(({ action }) => action);

const HOURS = { title: "Opening hours", text: "9 to 21" };

test("a deploy script puts the team's texts by their shortcuts; the same twice changes nothing more", async () => {
  const first = await put("Hours", HOURS);
  assert.deepEqual(
    [first.status, first.body["shortcut"], first.body["text"]],
    [200, "hours", "9 to 21"],
  );
  const again = await put("hours", HOURS);
  assert.deepEqual(again.body, first.body);
  assert.deepEqual(await audited(), ["saved_reply.created"]);
  const arabic = await put("دوام", { title: "الدوام", text: "من 9 إلى 21" });
  assert.equal(arabic.status, 200);
  const changed = await put("hours", { ...HOURS, text: "10 to 20" });
  assert.equal(changed.body["id"], first.body["id"]);
  assert.deepEqual(await listed(), [changed.body, arabic.body]);
  const path = `/saved-replies/${encodeURIComponent("دوام")}`;
  assert.equal((await api.call("DELETE", path)).status, 200);
  assert.equal((await api.call("DELETE", path)).status, 404);
  assert.deepEqual(await listed(), [changed.body]);
  assert.deepEqual((await audited()).slice(1), [
    "saved_reply.created",
    "saved_reply.updated",
    "saved_reply.deleted",
  ]);
});

test("a member's own text under the same shortcut is another one; files stay with a change", async () => {
  const [member] = [api.app.ids.next()];
  const file = api.app.ids.next();
  await api.app.db.query(sql`insert into saved_reply
      (workspace_id, id, member_id, shortcut, title, text, created_at)
    values (${api.workspaceId}, ${api.app.ids.next()}, ${member}, 'pay', 'Mine', 'Mine', now())`);
  const shared = await put("pay", { title: "Pay", text: "By card" });
  await api.app.db.query(sql`update saved_reply set media = array[${file}::uuid]
    where workspace_id = ${api.workspaceId} and id = ${String(shared.body["id"])}`);
  await put("pay", { title: "Pay", text: "By card or cash" });
  const rows = await api.app.db.query(sql`select text, media from saved_reply
    where workspace_id = ${api.workspaceId} and shortcut = 'pay' order by member_id nulls first`);
  assert.deepEqual(rows, [
    { text: "By card or cash", media: [file] },
    { text: "Mine", media: [] },
  ]);
});

test("twenty puts of a new shortcut at once make one, and every one is answered", async () => {
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) => put("race", { title: "Race", text: `Text ${n}` })),
  );
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
  assert.equal(new Set(all.map(({ body }) => body["id"])).size, 1);
});

test("what is no shortcut is refused by name; a key needs the scope to write", async () => {
  for (const shortcut of ["a b", "a/b", "ü!", "x".repeat(41)]) {
    const { status, body } = await put(shortcut, HOURS);
    assert.deepEqual([status, body.message], [400, "VALIDATION_FAILED"], shortcut);
    assert.equal(body.details?.[0]?.path, "shortcut");
  }
  const bearer = await api.key(["messages:read"]);
  const { status, body } = await api.call("PUT", "/saved-replies/hours", { json: HOURS, bearer });
  assert.deepEqual([status, body.message], [403, "MISSING_SCOPE:conversations:write"]);
});
