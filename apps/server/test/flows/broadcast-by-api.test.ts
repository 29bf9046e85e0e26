import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { OPERATOR } from "../../src/actor.ts";
import { createKey } from "../../src/api-keys/create-key.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { buildHttp } from "../../src/http/server.ts";
import { listTemplates } from "../../src/templates/list-templates.ts";
import type { BroadcastRecordJson } from "../../src/wire/broadcast-record.ts";
import type {
  BroadcastEstimateJson,
  BroadcastPreviewJson,
  BroadcastReportJson,
  BroadcastTimelineJson,
} from "../../src/wire/broadcast-report.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";

// A campaign's whole life by the API alone, over real HTTP, sent to the emulated platform.

const NUMBER = {
  phoneNumberId: "106540352242922",
  wabaId: "102290129340398",
  accessToken: "EAABsecret",
  appSecret: "app-secret-1",
};
const PEOPLE = 30;

let t: TestApp;
let server: FastifyInstance;
let base: string;
let meta: WhatsAppEmulator;
before(async () => {
  t = await startTestApp();
  server = await buildHttp(t.app);
  base = await server.listen({ host: "127.0.0.1", port: 0 });
  meta = await createWhatsAppEmulator({
    delivery: "manual",
    clock: t.clock,
    limits: { messagesPerSecond: 1_000 },
  });
});
after(async () => {
  await meta.close();
  await server.close();
  await t[Symbol.asyncDispose]();
});

interface Answer<T> {
  readonly status: number;
  readonly json: T;
  readonly etag: string | null;
}

/** A program with these scopes. */
async function program(workspaceId: string, scopes: readonly string[]) {
  const { bearer } = await createKey(OPERATOR, t.app, workspaceId, { scopes });
  return async <T>(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<T>> => {
    const answer = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    return {
      status: answer.status,
      json: (isJson ? JSON.parse(text) : text) as T,
      etag: answer.headers.get("etag"),
    };
  };
}

async function shop() {
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "Shop",
    plan: "business",
  });
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, {
    type: "WHATSAPP",
    name: "Shop",
    ...NUMBER,
    verifyToken: "verify-1",
    apiUrl: meta.url,
  });
  const url = `${base}/hooks/whatsapp/${channel.id}`;
  meta.addNumber({ ...NUMBER, webhook: { url, verifyToken: "verify-1" } });
  assert.equal(await meta.subscribe(NUMBER.phoneNumberId), true);
  meta.addTemplate(NUMBER.wabaId, {
    name: "sale",
    language: "en",
    components: [{ type: "BODY", text: "Hi {{1}}, 20 % off today" }],
  });
  await t.app.drain();
  const [template] = await listTemplates(t.app, workspaceId);
  for (let n = 0; n < PEOPLE; n++)
    await createContact(OPERATOR, t.app, workspaceId, {
      name: `Sara ${n}`,
      phone: `9655100${2000 + n}`,
    });
  await createContact(OPERATOR, t.app, workspaceId, { name: "Mail only", email: "a@example.com" });
  return { workspaceId, channelId: channel.id, templateId: template?.id ?? "" };
}

/**
 * Reads the report: whatever happens, its parts add up to the total. With a key of its own, because a key reads 30 reports
 * a minute and the clock moves by half a second a poll.
 */
async function poll(workspaceId: string, id: string): Promise<BroadcastReportJson> {
  const reader = await program(workspaceId, ["broadcasts:read"]);
  const { status, json } = await reader<BroadcastReportJson>("GET", `/broadcasts/${id}/report`);
  assert.equal(status, 200);
  const { total, pending, sending, sent, failed, skipped } = json.funnel;
  assert.equal(pending + sending + sent + failed + skipped, total, JSON.stringify(json.funnel));
  assert.equal(json.broadcast.totalCount, total);
  return json;
}

test("a campaign is written, estimated, tested, started, paused, resumed and reported by the API alone; its report adds up at every poll", async () => {
  const { workspaceId, channelId, templateId } = await shop();
  const writer = await program(workspaceId, ["broadcasts:draft", "broadcasts:read"]);
  const sender = await program(workspaceId, ["broadcasts:write", "broadcasts:read"]);
  const draft = { name: "Sale", kind: "WHATSAPP_TEMPLATE", channelId, templateId };

  const refused = await writer<{ details: { path: string }[] }>("POST", "/broadcasts", draft);
  assert.deepEqual([refused.status, refused.json.details[0]?.path], [400, "variables.1"]);
  const whole = { ...draft, variables: { "1": "{{first_name}}" }, rateLimitPerMinute: 1_200 };
  const key = { "idempotency-key": "sale-2026" };
  const made = await writer<BroadcastRecordJson>("POST", "/broadcasts", whole, key);
  const repeated = await writer<BroadcastRecordJson>("POST", "/broadcasts", whole, key);
  assert.deepEqual([made.status, made.json.status], [201, "DRAFT"]);
  assert.deepEqual(repeated.json, made.json);
  const one = `/broadcasts/${made.json.id}`;

  // Two programs read the same version: the second one's change is refused.
  const read = await writer<{ draft: BroadcastRecordJson }>("GET", `${one}?include=draft`);
  assert.deepEqual(read.json.draft, made.json);
  assert.equal((await writer("GET", one)).etag, read.etag);
  const match = { "if-match": read.etag ?? "" };
  const first = await writer<BroadcastRecordJson>("PATCH", one, { name: "Sale 20 %" }, match);
  assert.deepEqual([first.status, first.json.name], [200, "Sale 20 %"]);
  const second = await writer<{ message: string }>("PATCH", one, { replyDays: 5 }, match);
  assert.deepEqual([second.status, second.json.message], [412, "VERSION_MISMATCH"]);

  const { json: found } = await writer<BroadcastEstimateJson>("GET", `${one}/estimate`);
  assert.equal(found.estimate?.recipients, PEOPLE);
  assert.deepEqual(found.estimate.skipped, { no_address: 1 });
  const unsaved = { id: made.json.id, draft: { ...whole, segmentId: undefined } };
  const same = await writer<BroadcastEstimateJson>("POST", "/broadcast-estimates", unsaved);
  assert.deepEqual(same.json, found);
  const shown = await writer<BroadcastPreviewJson>("GET", `${one}/preview?count=1`);
  assert.equal(shown.json.contacts[0]?.text, "Hi Sara, 20 % off today");

  // Who drafts may not send.
  const phone = { phone: "+965 5100 2000" };
  for (const path of ["/start", "/test", "/pause", "/schedule", "/cancel", "/pace"]) {
    const { status, json } = await writer<{ message: string }>("POST", one + path, phone);
    assert.deepEqual([status, json.message], [403, "MISSING_SCOPE:broadcasts:write"], path);
  }
  const tested = await sender<BroadcastRecordJson>("POST", `${one}/test`, phone);
  assert.deepEqual(
    [tested.status, tested.json.parentId, tested.json.isTest],
    [201, made.json.id, true],
  );
  await t.app.drain();
  assert.equal((await poll(workspaceId, tested.json.id)).funnel.sent, 1);

  const started = await sender<BroadcastRecordJson>("POST", `${one}/start`);
  assert.deepEqual([started.status, started.json.status], [201, "QUEUED"]);
  const early = await sender<{ message: string }>("DELETE", one);
  assert.deepEqual([early.status, early.json.message], [409, "NOT_ALLOWED_IN_STATE"]);

  /** Sends for a while, and polls meanwhile. */
  const step = async () => {
    t.clock.advance(500);
    const [report] = await Promise.all([poll(workspaceId, made.json.id), t.app.drain()]);
    return report;
  };
  while ((await poll(workspaceId, made.json.id)).funnel.sent < 5) await step();
  const paused = await sender<BroadcastRecordJson>("POST", `${one}/pause`);
  assert.deepEqual([paused.status, paused.json.status], [200, "PAUSED"]);
  const twice = await sender<{ message: string }>("POST", `${one}/pause`);
  assert.deepEqual([twice.status, twice.json.message], [409, "NOT_ALLOWED_IN_STATE"]);
  await step();
  const rest = (await poll(workspaceId, made.json.id)).funnel;
  assert.ok(rest.pending > 0 && rest.sent < PEOPLE, JSON.stringify(rest));
  const still = await step();
  assert.equal(still.funnel.sent, rest.sent);

  const paced = await sender<BroadcastRecordJson>("POST", `${one}/pace`, {
    rateLimitPerMinute: 60_000,
  });
  assert.equal(paced.json.rateLimitPerMinute, 60_000);
  assert.equal((await sender("POST", `${one}/start`)).status, 201);
  let report = await step();
  while (report.broadcast.status !== "COMPLETED") report = await step();
  await meta.flush();
  const last = await poll(workspaceId, made.json.id);
  assert.deepEqual(
    [last.funnel.total, last.funnel.delivered, last.funnel.skipped],
    [PEOPLE + 1, PEOPLE, 1],
  );

  const timeline = await sender<BroadcastTimelineJson>("GET", `${one}/timeline`);
  assert.deepEqual(
    timeline.json.entries.map(({ kind }) => kind),
    ["start", "stored", "pause", "paced", "start", "complete"],
  );
  assert.match(timeline.json.entries[0]?.actor ?? "", /^key:/);
  const file = await sender<string>("GET", `${one}/recipients.csv`);
  assert.equal(file.json.trimEnd().split("\r\n").length, PEOPLE + 2);
  const tests = await sender<{ items: { id: string }[] }>("POST", "/broadcasts/search", {
    parentId: made.json.id,
  });
  assert.deepEqual(
    tests.json.items.map(({ id }) => id),
    [tested.json.id],
  );
});
