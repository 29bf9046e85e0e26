import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../../test/v1/api.ts";
import { addTemplate, connectWhatsApp, openConversation } from "../../test/v1/fixtures.ts";
import { OPERATOR, type Actor } from "../actor.ts";
import { sql } from "../db/sql.ts";
import type { EventJson } from "../wire/event.ts";
import { createMember } from "../workspaces/create-member.ts";
import { moveSuggestions } from "./suggestion-store.ts";
import { discardSuggestion, listSuggestions, suggestReply } from "./suggest-reply.ts";
import { sendSuggestion, useSuggestion } from "./use-suggestion.ts";

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api[Symbol.asyncDispose]());

async function shop() {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const email = `${api.app.ids.next()}@example.com`;
  const person = { email, name: "Mona", role: "agent" } as const;
  const { id: memberId } = await createMember(OPERATOR, api.app, workspaceId, person);
  const mona: Actor = { kind: "member", memberId, role: "agent" };
  const id = await openConversation(api, { workspaceId, phone: "201001234567" });
  const put = (json: object, key = bearer) =>
    api.call("PUT", `/conversations/${id}/suggestion`, { bearer: key, json });
  const get = () => api.call("GET", `/conversations/${id}/suggestion`, { bearer });
  const use = (suggestion: string, text?: string, clientId = api.app.ids.next()) =>
    useSuggestion(mona, api.app, workspaceId, suggestion, { clientId, text });
  const open = async () =>
    (await listSuggestions(mona, api.app, workspaceId, { id })).items.map(({ text }) => text);
  return { workspaceId, bearer, mona, id, put, get, use, open };
}

test("a key has one open suggestion in a conversation; the same one again changes nothing", async () => {
  const one = await shop();
  const first = await one.put({ text: "We open at nine." });
  assert.deepEqual((await one.put({ text: "We open at nine." })).body, first.body);
  const second = await one.put({ text: "We open at ten." });
  assert.notEqual(second.body["id"], first.body["id"]);
  await one.put({ text: "By another key" }, await api.key(["messages:draft"], one.workspaceId));
  assert.deepEqual(await one.open(), ["By another key", "We open at ten."]);
  await assert.rejects(one.use(String(first.body["id"]), "We open at nine."), /used or discarded/);
  const gone = await api.call("DELETE", `/conversations/${one.id}/suggestion`, {
    bearer: one.bearer,
  });
  assert.equal(gone.status, 200);
  assert.equal((await one.get()).body["state"], "discarded");
  assert.deepEqual(await one.open(), ["By another key"]);
});

test("a link to a host that the team did not write is named beside the suggestion; the text stays", async () => {
  const one = await shop();
  const reasonOf = async (json: object) => {
    const { status, body } = await one.put(json);
    assert.equal(status, 200);
    return body["reason"];
  };
  const text = "Pay here: https://pay.evil.example/1042";
  const warning =
    "Look at the link: no saved reply and no template of the team names pay.evil.example.";
  assert.equal(await reasonOf({ text }), warning);
  assert.equal(
    await reasonOf({ text, reason: "Asks how to pay." }),
    `${warning}\nAsks how to pay.`,
  );
  assert.equal((await one.get()).body["text"], text);
  assert.equal(await reasonOf({ text: "We open at nine.", reason: "Asks." }), "Asks.");
  const reply = { title: "Track", text: "Track it at https://track.shop.example" };
  const saved = await api.call("PUT", "/saved-replies/track", { bearer: one.bearer, json: reply });
  assert.ok(saved.status < 300, saved.text);
  assert.equal(await reasonOf({ text: "See https://track.shop.example/1042" }), null);
});

test("of many who use a suggestion at once one sends; its retry gives the same message", async () => {
  const one = await shop();
  const { body } = await one.put({ text: "Yes" });
  const suggestion = String(body["id"]);
  const tries = await Promise.allSettled(
    Array.from({ length: 8 }, () => one.use(suggestion, "Yes")),
  );
  assert.equal(tries.filter(({ status }) => status === "fulfilled").length, 1);
  const { body: used } = await one.get();
  assert.equal(used["state"], "used");
  const [row] = await api.app.db.query<{ author: string; source: string }>(
    sql`select author, source from message where id = ${String(used["messageId"])}`,
  );
  const { mona } = one;
  assert.ok(mona.kind === "member");
  assert.deepEqual(row, { author: `member:${mona.memberId}`, source: "dashboard" });

  const next = String((await one.put({ text: "No" })).body["id"]);
  const clientId = api.app.ids.next();
  const sent = await one.use(next, "Perhaps", clientId);
  assert.deepEqual(await one.use(next, "Perhaps", clientId), sent);
  assert.equal((await one.get()).body["state"], "edited");
  await assert.rejects(
    discardSuggestion(one.mona, api.app, one.workspaceId, { id: next }),
    /used or discarded/,
  );
});

test("without a member the operator sends a suggestion, as it is or changed, or discards it: once", async () => {
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const id = await openConversation(api, { workspaceId, phone: "201001234568" });
  const suggest = async (text: string): Promise<string> => {
    const put = { bearer, json: { text } };
    return String((await api.call("PUT", `/conversations/${id}/suggestion`, put)).body["id"]);
  };
  const decided = async () =>
    (await api.call("GET", `/conversations/${id}/suggestion`, { bearer })).body;
  const send = (suggestion: string, text?: string) =>
    sendSuggestion(OPERATOR, api.app, workspaceId, {
      id: suggestion,
      ...(text !== undefined && { text }),
    });

  const yes = await suggest("Yes");
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => send(yes)));
  assert.equal(tries.filter(({ status }) => status === "fulfilled").length, 1);
  await assert.rejects(send(yes), /used or discarded/);
  const { state, messageId } = await decided();
  const [row] = await api.app.db.query<{ text: string; author: string }>(
    sql`select text, author from message where id = ${String(messageId)}`,
  );
  assert.deepEqual([state, row], ["used", { text: "Yes", author: "cli" }]);

  await send(await suggest("No"), "Perhaps");
  assert.equal((await decided())["state"], "edited");
  await discardSuggestion(OPERATOR, api.app, workspaceId, { id: await suggest("Never") });
  assert.equal((await decided())["state"], "discarded");
  const other = await api.newWorkspace("business");
  await assert.rejects(
    sendSuggestion(OPERATOR, api.app, other.workspaceId, { id: await suggest("Mine") }),
    /no such suggestion/,
  );
});

test("a template is filled when it is suggested, and sent as it is", async () => {
  const one = await shop();
  const [channel] = await api.app.db.query<{ id: string }>(
    sql`select id from channel where workspace_id = ${one.workspaceId}`,
  );
  const { workspaceId } = one;
  const channelId = channel?.id ?? (await connectWhatsApp(api, workspaceId));
  await addTemplate(api, channelId, { name: "order_update", workspaceId });
  const template = { name: "order_update", language: "en" };
  const wrong = await one.put({ template, body: [] });
  assert.equal(wrong.body.message, "TEMPLATE_PARAMETERS");
  const { body } = await one.put({ template, body: ["Sara", "1042"] });
  assert.match(String(body["text"]), /Sara/);
  const suggestion = String(body["id"]);
  await assert.rejects(one.use(suggestion, "Other words"), /sent as it is/);
  const { message } = await one.use(suggestion);
  assert.equal(message.text, body["text"]);
  assert.equal((await one.get()).body["state"], "used");
});

test("when conversations are joined, suggestions move, and an author keeps one open", async () => {
  const one = await shop();
  const { workspaceId } = one;
  const other = await openConversation(api, { workspaceId, phone: "201001234568" });
  await suggestReply(OPERATOR, api.app, workspaceId, { id: other, text: "Moves" });
  await one.put({ text: "Stays" });
  await api.call("PUT", `/conversations/${other}/suggestion`, {
    bearer: one.bearer,
    json: { text: "Gives way" },
  });
  await api.app.db.transaction((tx) => moveSuggestions(tx, workspaceId, other, one.id));
  assert.deepEqual((await one.open()).sort(), ["Moves", "Stays"]);
});

test("the outcome of a suggestion is an event: used, edited, discarded, replaced, withdrawn; it says who decided", async () => {
  const one = await shop();
  const { workspaceId, bearer, mona } = one;
  const put = async (text: string) => String((await one.put({ text })).body["id"]);
  await one.use(await put("Yes"), "Yes");
  await one.use(await put("No"), "Perhaps");
  await discardSuggestion(mona, api.app, workspaceId, { id: await put("Later") });
  await put("First");
  await put("Second");
  await api.call("DELETE", `/conversations/${one.id}/suggestion`, { bearer });
  const { body: me } = await api.call("GET", "/me", { bearer });
  const reader = await api.key(["messages:read"], workspaceId);
  const { body } = await api.call("GET", "/events?types=suggestion.settled", { bearer: reader });
  const items = body["items"] as EventJson[];
  assert.ok(mona.kind === "member");
  const [member, key] = [`member:${mona.memberId}`, `key:${String(me["keyId"])}`];
  assert.deepEqual(
    items.flatMap(({ data }) =>
      "suggestion" in data
        ? [
            [
              data.suggestion.text,
              data.suggestion.state,
              data.suggestion.messageId !== null,
              data.by,
            ],
          ]
        : [],
    ),
    [
      ["Yes", "used", true, member],
      ["No", "edited", true, member],
      ["Later", "discarded", false, member],
      ["First", "discarded", false, key],
      ["Second", "discarded", false, key],
    ],
  );
  assert.ok(items.every(({ data }) => "contactId" in data && "conversationId" in data));
});
