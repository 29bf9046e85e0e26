import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mergeContacts } from "../../../src/contacts/identity/merge-contacts.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
before(async () => (api = await startApi()));
after(() => api[Symbol.asyncDispose]());
const add = async (json: object) =>
  String((await api.call("POST", "/contacts", { json })).body["id"]);

test("a contact is answered as its creation answered it, byte for byte", async () => {
  const json = {
    phone: "+20 100",
    name: "سارة",
    tags: ["VIP"],
    attributes: { n: 1.5, deep: [{}] },
  };
  const made = await api.call("POST", "/contacts", { json });
  const { status, text } = await api.call("GET", `/contacts/${String(made.body["id"])}`);
  assert.deepEqual([status, text], [200, made.text]);
});

test("a contact that was merged answers as the one it became", async () => {
  const [kept, gone] = [await add({ email: "k@b.co" }), await add({ phone: "20155" })];
  await mergeContacts(OPERATOR, api.app, api.workspaceId, kept, gone);
  const answer = await api.call("GET", `/contacts/${gone}`);
  assert.deepEqual([answer.status, answer.body["id"], answer.body["phone"]], [200, kept, "20155"]);
});

test("an unknown id, nonsense and another workspace's are the same 404", async () => {
  const other = await api.newWorkspace();
  const theirs = await api.call("POST", "/contacts", {
    json: { email: "o@b.co" },
    bearer: other.bearer,
  });
  const answers = [];
  for (const id of [String(theirs.body["id"]), api.app.ids.next(), "none", "%00", "9".repeat(400)])
    answers.push((await api.call("GET", `/contacts/${id}`)).text);
  assert.deepEqual(
    [...new Set(answers)],
    [
      '{"statusCode":404,"error":"Not Found","message":"NOT_FOUND","details":[{"path":"","message":"nothing of this workspace has the id in /v1/contacts/{id}"}]}',
    ],
  );
});
