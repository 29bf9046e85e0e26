import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { createTwilioEmulator, createWhatsAppEmulator } from "@parley/emulators";
import { createKey } from "../../src/api-keys/create-key.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { mergeContacts } from "../../src/contacts/identity/merge-contacts.ts";
import { changeNote, removeNote, writeNote } from "../../src/inbox/notes.ts";
import { discardSuggestion, suggestReply } from "../../src/inbox/suggest-reply.ts";
import { importContacts } from "../../src/contacts/import/import-contacts.ts";
import { updateConversation } from "../../src/conversations/update-conversation.ts";
import { sql, type Sql } from "../../src/db/sql.ts";
import { buildHttp } from "../../src/http/server.ts";
import { startErasure } from "../../src/persons/start-erasure.ts";
import { runBulkBatch } from "../../src/segments/run-bulk-jobs.ts";
import { startBulkJob } from "../../src/segments/start-bulk-job.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { disableEndpoint } from "../../src/webhooks/disable-endpoint.ts";
import { sendTestEvent } from "../../src/webhooks/send-test-event.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { updateWorkspace } from "../../src/workspaces/update-workspace.ts";
import { EVENT_KINDS } from "../../src/wire/words.ts";
import { FILES } from "../files.ts";
import { makeLiveBot } from "../../src/bots/bot.fixture.ts";
import { freePort } from "../free-port.ts";
import { startTestApp } from "../harness.ts";
import { startReceiver } from "../webhook-receiver.ts";

interface Document {
  readonly webhooks: Readonly<Record<string, unknown>>;
}
interface Told {
  readonly type: string;
  readonly data: { readonly erased?: boolean };
}
const text = readFileSync(path.join(import.meta.dirname, "../../openapi.json"), "utf8");
const document = JSON.parse(text) as Document;

/** A day of a shop against the emulated platforms. What its endpoint gets, as bytes, is held against the document. */
test("real flows emit every kind of event, each as the committed document describes it", async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  await using t = await startTestApp({ config: { publicUrl } });
  const { app } = t;
  const http = await buildHttp(app);
  await http.listen({ host: "127.0.0.1", port });
  const meta = await createWhatsAppEmulator({ delivery: "manual", clock: t.clock });
  const twilio = await createTwilioEmulator({ delivery: "manual", clock: t.clock });
  const receiver = await startReceiver();
  try {
    const { id: workspaceId } = await createWorkspace(OPERATOR, app, {
      name: "Shop",
      plan: "growth",
    });
    const { bearer } = await createKey(OPERATOR, app, workspaceId);
    const post = async (url: string, body?: object) => {
      const answer = await fetch(`${publicUrl}/api/v1${url}`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      assert.equal(answer.status, 201, await answer.clone().text());
    };
    const settle = async () => {
      for (let round = 0; round < 3; round++) {
        await app.drain();
        await meta.flush();
        await twilio.flush();
      }
      await app.drain();
    };

    const endpoint = await createEndpoint(OPERATOR, app, workspaceId, {
      url: `${receiver.base}/in`,
      events: EVENT_KINDS,
    });
    const account = { phoneNumberId: "1001", wabaId: "77", accessToken: "EAAB", appSecret: "s" };
    const components = [{ type: "BODY", text: "Hi" }];
    const template = meta.addTemplate("77", { name: "hello", language: "en", components });
    const channel = await connectChannel(OPERATOR, app, workspaceId, {
      type: "WHATSAPP",
      name: "Shop",
      ...account,
      verifyToken: "v",
      apiUrl: meta.url,
    });
    const url = `${publicUrl}/hooks/whatsapp/${channel.id}`;
    meta.addNumber({ ...account, webhook: { url, verifyToken: "v" } });
    await settle();

    const customer = { phoneNumberId: "1001", from: "96550001234", name: "Sara" };
    for (const words of ["hello", "are you there?", "STOP", "START"]) {
      meta.inbound({ ...customer, text: words });
      await settle();
    }
    const [conversation] = await app.db.query<{ id: string }>(
      sql`select id from conversation where workspace_id = ${workspaceId}`,
    );
    // A customer who writes again opens what was resolved.
    await updateConversation(OPERATOR, app, workspaceId, conversation?.id ?? "", {
      status: "resolved",
    });
    meta.inbound({ ...customer, text: "one more thing" });
    await settle();
    await post("/messages", { conversationId: conversation?.id, text: "yes" });
    await post(`/conversations/${conversation?.id}/notes`, { text: "asks often" });
    const id = conversation?.id ?? "";
    const note = { id: (await writeNote(OPERATOR, app, workspaceId, { id, text: "A" })).answer.id };
    await changeNote(OPERATOR, app, workspaceId, { ...note, text: "B" });
    await removeNote(OPERATOR, app, workspaceId, note);
    const suggested = await suggestReply(OPERATOR, app, workspaceId, { id, text: "Yes" });
    await discardSuggestion(OPERATOR, app, workspaceId, { id: suggested.id });
    // A customer sends a picture, mends a message, and withdraws it.
    const picture = { type: "image", bytes: FILES.png, mimeType: "image/png" } as const;
    meta.inbound({ ...customer, file: picture });
    const said = meta.inbound({ ...customer, text: "teh end" });
    await settle();
    const edit = {
      original_message_id: said,
      message: { type: "text", text: { body: "the end" } },
    };
    meta.inbound({ ...customer, message: { type: "edit", edit } });
    await settle();
    const revoke = { original_message_id: said };
    meta.inbound({ ...customer, message: { type: "revoke", revoke } });
    await settle();

    const chat = await connectChannel(OPERATOR, app, workspaceId, { type: "WEB", name: "Site" });
    const say = async (path_: string, body: object, token = "") => {
      const answer = await fetch(`${publicUrl}/chat/v1/${chat.id}/${path_}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as { token: string };
    };
    const { token } = await say("session", {});
    await say("messages", { clientId: "1", text: "from the site" }, token);
    await settle();

    const csv = "phone,notes\n96550001234,likes tea\n96550005678,new\n";
    await importContacts(app, workspaceId, lines(csv), { format: "csv" });

    const from = "+15551234567";
    const sms = { accountSid: `AC${"0".repeat(32)}`, authToken: "token" };
    twilio.addAccount({ ...sms, numbers: [{ number: from }] });
    await setProvider(OPERATOR, app, workspaceId, {
      provider: "twilio",
      ...sms,
      from,
      apiUrl: twilio.url,
    });
    await testProvider(OPERATOR, app, workspaceId, "96550000001");
    await post("/otp/send", { mobile: "96550001234", message: "Code 1" });
    await settle();

    const [stored] = await app.db.query<{ id: string }>(
      sql`select id from template where workspace_id = ${workspaceId}`,
    );
    await updateWorkspace(OPERATOR, app, workspaceId, { limits: { messages: 3 } });
    const campaign = await createBroadcast(OPERATOR, app, workspaceId, {
      name: "Sale",
      kind: "WHATSAPP_TEMPLATE",
      channelId: channel.id,
      templateId: stored?.id ?? "",
    });
    await post(`/broadcasts/${campaign.id}/start`);
    await settle();
    meta.setTemplateStatus("77", template.id, "PAUSED");

    // A bot that has no model hands its conversation over.
    await makeLiveBot(app, workspaceId);
    meta.inbound({ ...customer, from: "96550007777", name: "Noura", text: "Where is my order?" });
    await settle();
    t.clock.advance(10_000);
    await settle();

    // The visitor of the site was the customer, and somebody of the file is deleted.
    const contactOf = async (where: Sql) => {
      const [found] = await app.db.query<{ id: string }>(
        sql`select id from contact where workspace_id = ${workspaceId} and ${where}`,
      );
      return found?.id ?? assert.fail("there is no such contact");
    };
    const sara = await contactOf(sql`phone = '96550001234'`);
    await mergeContacts(
      OPERATOR,
      app,
      workspaceId,
      sara,
      await contactOf(sql`channel_type = 'WEB'`),
    );
    const ids = [await contactOf(sql`phone = '96550005678'`)];
    const job = await startBulkJob(OPERATOR, app, workspaceId, { ids }, { action: "delete" });
    while (await runBulkBatch(app, job.id));
    const input = { url: `${receiver.base}/other`, events: ["otp.status"] } as const;
    const other = await createEndpoint(OPERATOR, app, workspaceId, input);
    await disableEndpoint(OPERATOR, app, workspaceId, other.id);
    await sendTestEvent(OPERATOR, app, workspaceId, endpoint.id);
    await settle();

    assert.ok(
      receiver.received.some(({ body }) => String(body).includes('"channelType":"WEB"')),
      "the site's message was told",
    );
    const judge = judgeOf(document);
    for (const { body } of receiver.received) judge(JSON.parse(body) as { type: string });
    const kinds = new Set(
      receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    );
    // What an external bot is asked is no event of an endpoint (`bots/external/external-bot.test.ts`).
    const events = Object.keys(document.webhooks).filter((type) => type !== "bot.turn");
    assert.deepEqual([...kinds].sort(), events.sort());

    // The feed gives the same bytes in the order of their numbers.
    const feed = await fetch(`${publicUrl}/api/v1/events?after=0&limit=500`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    const told = receiver.received.map(({ body }) => body);
    const sequence = (body: string) => (JSON.parse(body) as { sequence: number }).sequence;
    const bodies = [...new Set(told)].sort((a, b) => sequence(a) - sequence(b));
    const items = await feed.text();
    assert.ok(items.startsWith(`{"items":[${bodies.join(",")}],"nextAfter":${bodies.length},`));

    // Last, as it takes the person's events out of the feed.
    const before = receiver.received.length;
    await startErasure(OPERATOR, app, workspaceId, sara);
    await settle();
    const last = receiver.received.slice(before).map(({ body }) => JSON.parse(body) as Told);
    for (const event of last) judge(event);
    assert.ok(
      last.some(({ type, data }) => type === "contact.deleted" && data.erased === true),
      "the erasure was told",
    );
  } finally {
    receiver.close();
    await meta.close();
    await twilio.close();
    await http.close();
  }
});

/** Closed: a member that is sent and that no schema describes is a fault too. */
function judgeOf(given: Document): (event: { type: string }) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(given, "open").addSchema(closed(given), "closed");
  return (event) => {
    const schema = `#/webhooks/${event.type}/post/requestBody/content/application~1json/schema`;
    const told = `${event.type} ${JSON.stringify(event)}`;
    assert.ok(ajv.validate({ $ref: `open${schema}` }, event), `${told}: ${ajv.errorsText()}`);
    const { data } = event as { data?: unknown };
    // The halves of the allOf one by one: closed, neither would let the other's members pass.
    for (const [at, value] of [
      ["allOf/0", event],
      ["allOf/1/properties/data", data],
    ] as const)
      assert.ok(
        ajv.validate({ $ref: `closed${schema}/${at}` }, value),
        `${told}: ${ajv.errorsText()}`,
      );
  };
}

function closed(value: object): object {
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk);
    if (one === null || typeof one !== "object") return one;
    const copy = Object.fromEntries(
      Object.entries(one).map(([key, member]) => [key, walk(member)]),
    );
    return copy["type"] === "object" && copy["properties"] !== undefined
      ? { additionalProperties: false, ...copy }
      : copy;
  };
  return walk(value) as object;
}

async function* lines(file: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(file);
}
