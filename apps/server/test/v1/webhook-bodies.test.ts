import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { setConsent } from "../../src/contacts/consent/set-consent.ts";
import { sql } from "../../src/db/sql.ts";
import { openapiDocument } from "../../src/http/openapi/openapi.ts";
import { emitEvents } from "../../src/webhooks/emit-events.ts";
import { startApi } from "./api.ts";
import { addTemplate, connectWhatsApp, openConversation } from "./fixtures.ts";

test("event bodies as they are stored fit the document's webhooks", async () => {
  await using api = await startApi();
  const { workspaceId, app } = api;
  const channelId = await connectWhatsApp(api);
  const conversationId = await openConversation(api, { channelId, hoursAgo: 30 });
  await api.call("POST", "/messages", { json: { conversationId, text: "late" } });
  const contact = await api.call("POST", "/contacts", { json: { email: "a@b.co" } });
  const contactId = String(contact.body["id"]);
  for (const optedOut of [true, false])
    await app.db.transaction(async (tx) => {
      const change = { workspaceId, contactId, optedOut, source: "test", at: api.clock.now() };
      await emitEvents(app, tx, await setConsent(app, tx, [change]));
    });
  const templateId = await addTemplate(api, channelId, { name: "t" });
  const { id } = await createBroadcast(OPERATOR, app, workspaceId, {
    name: "Campaign",
    kind: "WHATSAPP_TEMPLATE",
    channelId,
    templateId,
    variables: { 1: "a", 2: "b" },
  });
  await api.call("POST", `/broadcasts/${id}/start`);

  const document = openapiDocument();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  // Strict: a member that is sent and not described is a fault too.
  ajv.addSchema(close(document), "d");
  const events = await app.db.query<{ type: string; body: string }>(
    sql`select type, body from event where workspace_id = ${workspaceId} order by sequence`,
  );
  for (const { type, body } of events) {
    const event = JSON.parse(body) as { data: unknown };
    const schema = `d#/webhooks/${type}/post/requestBody/content/application~1json/schema/allOf`;
    assert.ok(ajv.validate({ $ref: `${schema}/0` }, event), `${type}: ${ajv.errorsText()}`);
    const data = { $ref: `${schema}/1/properties/data` };
    assert.ok(ajv.validate(data, event.data), `${type} ${body}: ${ajv.errorsText()}`);
  }
  const kinds = new Set(events.map((event) => event.type));
  for (const kind of [
    "channel.status",
    "contact.created",
    "message.status",
    "contact.opted_out",
    "contact.opted_in",
    "broadcast.status",
  ])
    assert.ok(kinds.has(kind), `${kind} was not emitted`);
});

test("every kind is told in words, here and in the guide, with an example that fits it whole", () => {
  const document = openapiDocument();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(close(document), "d");
  const guide = readFileSync(path.join(import.meta.dirname, "../../../../docs/events.md"), "utf8");
  for (const [kind, { post }] of Object.entries(document["webhooks"] as Webhooks)) {
    // It is no event but a question to a bot's own address (docs/external-bots.md).
    if (kind === "bot.turn") continue;
    assert.match(post.description, /^[A-Z0-9].+\.$/s, kind);
    const { example } = post.requestBody.content["application/json"];
    assert.equal(example.type, kind);
    const schema = `d#/webhooks/${kind}/post/requestBody/content/application~1json/schema/allOf`;
    assert.ok(ajv.validate({ $ref: `${schema}/0` }, example), `${kind}: ${ajv.errorsText()}`);
    const data = { $ref: `${schema}/1/properties/data` };
    assert.ok(ajv.validate(data, example.data), `${kind}: ${ajv.errorsText()}`);
    assert.ok(guide.includes(`| \`${kind}\` | ${post.description} |`), `docs/events.md: ${kind}`);
  }
});

test("a bot's turn is told with its answer, in the call and later by the token, and the examples fit", () => {
  const document = openapiDocument();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, "d");
  const turn = "d#/webhooks/bot.turn/post";
  const late = `${turn}/callbacks/lateAnswer/~1api~1v1~1bot-turns~1%7B$request.body%23~1token%7D/post`;
  const media = "content/application~1json";
  const answer = ajv.getSchema(`${late}/requestBody/${media}/example`)?.schema;
  for (const at of [`${turn}/responses/200/${media}`, `${late}/requestBody/${media}`])
    assert.ok(ajv.validate({ $ref: `${at}/schema` }, answer), `${at}: ${ajv.errorsText()}`);
  const responses = ajv.getSchema(`${late}/responses`)?.schema;
  assert.deepEqual(Object.keys(responses as object), ["202", "400", "404", "409", "413", "503"]);
});

type Webhooks = Record<
  string,
  {
    post: {
      description: string;
      requestBody: {
        content: { "application/json": { example: { type: string; data: unknown } } };
      };
    };
  }
>;

function close(value: unknown): object {
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk);
    if (one === null || typeof one !== "object") return one;
    const copy = Object.fromEntries(
      Object.entries(one).map(([key, member]) => [key, walk(member)]),
    );
    const open = copy["type"] === "object" && "properties" in copy && "required" in copy;
    return open && !("additionalProperties" in copy)
      ? { ...copy, additionalProperties: false }
      : copy;
  };
  return walk(value) as object;
}
