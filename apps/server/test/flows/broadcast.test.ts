import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  createTwilioEmulator,
  createWhatsAppEmulator,
  type TwilioEmulator,
  type WhatsAppEmulator,
} from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { createKey } from "../../src/api-keys/create-key.ts";
import { broadcastReport } from "../../src/broadcasts/report/broadcast-report.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { buildHttp } from "../../src/http/server.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { listTemplates } from "../../src/templates/list-templates.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { findWorkspace } from "../../src/workspaces/find-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";

/** Campaigns the whole way over real HTTP: started by the API, sent to the emulated providers, settled by their calls. */
const WABA = "102290129340398";
const NUMBER = {
  phoneNumberId: "106540352242922",
  wabaId: WABA,
  accessToken: "EAABsecret",
  appSecret: "app-secret-1",
};

let t: TestApp;
let server: FastifyInstance;
let base: string;
let meta: WhatsAppEmulator;
let twilio: TwilioEmulator;
before(async () => {
  t = await startTestApp();
  server = await buildHttp(t.app);
  base = await server.listen({ host: "127.0.0.1", port: 0 });
  meta = await createWhatsAppEmulator({
    delivery: "manual",
    clock: t.clock,
    // The clock stands still: all sends fall in one second.
    limits: { messagesPerSecond: 1_000 },
    statuses: { shuffleChance: 0.3, duplicateChance: 0.3 },
  });
  twilio = await createTwilioEmulator({ delivery: "manual", clock: t.clock });
});
after(async () => {
  await Promise.all([meta.close(), twilio.close()]);
  await server.close();
  await t[Symbol.asyncDispose]();
});

interface Listed {
  id: string;
  status: string;
  totalCount: number;
  sentCount: number;
  deliveredCount: number;
  readCount: number;
  failedCount: number;
  skippedCount: number;
}

async function api(bearer: string, method: "GET" | "POST", path: string) {
  const answer = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

test("a template campaign: accepted, lost, refused and throttled sends, statuses in any order, nobody twice", async () => {
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
  const body = { type: "BODY", text: "Hi {{1}}, {{2}} off today" };
  meta.addTemplate(WABA, { name: "sale", language: "en", components: [body] });
  await t.app.drain();
  const [template] = await listTemplates(t.app, workspaceId);
  for (let n = 0; n < 120; n++) {
    await createContact(OPERATOR, t.app, workspaceId, {
      name: `Sara ${n}`,
      phone: `9655100${2000 + n}`,
      attributes: { discount: `${n} %` },
    });
  }
  await createContact(OPERATOR, t.app, workspaceId, {
    name: "Undeliverable",
    phone: "99951990026",
  });
  await createContact(OPERATOR, t.app, workspaceId, { name: "Mail only", email: "a@example.com" });
  const { id } = await createBroadcast(OPERATOR, t.app, workspaceId, {
    name: "Sale",
    kind: "WHATSAPP_TEMPLATE",
    channelId: channel.id,
    templateId: template?.id ?? "",
    variables: { "1": "{{first_name}}", "2": "{{attribute.discount}}" },
    rateLimitPerMinute: 100_000,
  });
  // The mail-only contact has no discount either, and the undeliverable one has none: both are skipped by name.
  meta.fault({ kind: "drop", accepted: true, to: "96551002007" });
  meta.fault({ kind: "code", code: 130429, to: "96551002009" });
  const { bearer } = await createKey(OPERATOR, t.app, workspaceId);
  const started = await api(bearer, "POST", `/broadcasts/${id}/start`);
  assert.deepEqual([started.status, (started.body as Listed).status], [201, "QUEUED"]);
  const again = await api(bearer, "POST", `/broadcasts/${id}/start`);
  assert.deepEqual(
    [again.status, (again.body as { message: string }).message],
    [400, "BROADCAST_NOT_STARTABLE"],
  );
  await t.app.drain();
  t.clock.advance(60_000);
  await t.app.drain();
  await meta.flush();
  t.clock.advance(5_000);
  await t.app.drain();
  const { body: list } = await api(bearer, "GET", "/broadcasts");
  const [listed] = list as Listed[];
  assert.deepEqual(
    { ...listed, id: undefined },
    {
      ...listed,
      id: undefined,
      status: "COMPLETED",
      totalCount: 122,
      sentCount: 120,
      failedCount: 0,
      skippedCount: 2,
    },
  );
  assert.equal(listed?.readCount, 120);
  const report = await broadcastReport(t.app, workspaceId, id);
  assert.deepEqual(report.skipped, { missing_variable: 1, no_address: 1 });
  assert.equal(report.broadcast.rateLimitPerMinute, 50_000);
  assert.ok(meta.ledger.complete);
  assert.deepEqual(meta.ledger.repeated(), []);
  assert.equal(new Set(meta.ledger.entries().map((entry) => entry.to)).size, meta.ledger.total);
});

test("an SMS campaign goes over the workspace's own gateway, spends credits per part and is settled by receipts", async () => {
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "Sms",
    plan: "business",
    smsCredits: 5,
  });
  const account = { accountSid: `AC${"0".repeat(31)}1`, authToken: "twilio_test_auth_token" };
  await setProvider(OPERATOR, t.app, workspaceId, {
    provider: "twilio",
    ...account,
    from: "+15551234567",
    apiUrl: twilio.url,
  });
  twilio.addAccount({ ...account, numbers: [{ number: "+15551234567" }] });
  assert.ok((await testProvider(OPERATOR, t.app, workspaceId, "96550000001")).sent);
  for (const phone of ["96552000001", "96552000002", "96552000003"])
    await createContact(OPERATOR, t.app, workspaceId, { name: "منى", phone });
  const { id, channelType } = await createBroadcast(OPERATOR, t.app, workspaceId, {
    name: "Notice",
    kind: "SMS",
    // Two parts in UCS-2: the balance covers two recipients of three.
    body: `مرحبا {{name}} ${"x".repeat(70)}`,
  });
  assert.equal(channelType, "WHATSAPP");
  const { bearer } = await createKey(OPERATOR, t.app, workspaceId);
  await api(bearer, "POST", `/broadcasts/${id}/start`);
  await t.app.drain();
  const { statusReason, broadcast } = await broadcastReport(t.app, workspaceId, id);
  assert.deepEqual(
    [broadcast.status, statusReason, broadcast.sentCount],
    ["PAUSED", "INSUFFICIENT_CREDITS", 2],
  );
  assert.equal((await findWorkspace(t.app, workspaceId))?.smsCredits, 1);
  assert.equal(Object.hasOwn(broadcast, "channelId"), false);
  const sent = twilio.messages().filter((one) => one.to.startsWith("+96552"));
  assert.equal(sent.length, 2);
  assert.match(sent[0]?.body ?? "", /^مرحبا منى x+$/);
});
