import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { createTwilioEmulator, type TwilioEmulator } from "@parley/emulators";
import type { FastifyInstance } from "fastify";
import { createKey } from "../../src/api-keys/create-key.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { findContact } from "../../src/contacts/identity/find-contact.ts";
import { sql } from "../../src/db/sql.ts";
import { buildHttp } from "../../src/http/server.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { freePort } from "../free-port.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { twilioFaults } from "../oracles/sent-documents.ts";

/** The whole way over real HTTP: our API, the emulated Twilio, and its signed callbacks to our public address. */
const ACCOUNT = `AC${"0".repeat(31)}1`;
const TOKEN = "twilio_test_auth_token";
const FROM = "+15551234567";

let t: TestApp;
let server: FastifyInstance;
let base: string;
let twilio: TwilioEmulator;

before(async () => {
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  t = await startTestApp({ config: { publicUrl: base } });
  server = await buildHttp(t.app);
  await server.listen({ host: "127.0.0.1", port });
  twilio = await createTwilioEmulator({ delivery: "manual", clock: t.clock });
});
after(async () => {
  await twilio.close();
  await server.close();
  await t[Symbol.asyncDispose]();
});
beforeEach(() => twilio.clear());
afterEach(() => {
  for (const { body } of twilio.requests())
    assert.deepEqual(twilioFaults(new URLSearchParams(body)), [], "not what Twilio publishes");
});

async function shop(credits: number | null = null) {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "Shop", smsCredits: credits });
  const provider = await setProvider(OPERATOR, t.app, id, {
    provider: "twilio",
    accountSid: ACCOUNT,
    authToken: TOKEN,
    from: FROM,
    apiUrl: twilio.url,
  });
  const smsUrl = `${base}/hooks/sms/${provider.id}`;
  twilio.addAccount({ accountSid: ACCOUNT, authToken: TOKEN, numbers: [{ number: FROM, smsUrl }] });
  const tested = await testProvider(OPERATOR, t.app, id, "99950000001");
  assert.ok(tested.sent);
  await twilio.flush();
  const { bearer } = await createKey(OPERATOR, t.app, id);
  return {
    id,
    send: async (mobile: string, message = "Your code is 482913") => {
      const answer = await fetch(`${base}/api/v1/otp/send`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: JSON.stringify({ mobile, message }),
      });
      return {
        status: answer.status,
        body: (await answer.json()) as { requestId: string; sent: boolean; errorCode?: string },
      };
    },
  };
}

const statusOf = async (requestId: string) =>
  (
    await t.app.db.query<{ status: string; code: string | null }>(
      sql`select status, error_code as code from otp_record where id = ${requestId}`,
    )
  )[0];

test("a passcode goes out, and its signed receipts carry it to delivered", async () => {
  const { send } = await shop();
  const { status, body } = await send("+965 5000 1234");
  assert.deepEqual([status, body.sent], [201, true]);
  assert.equal(twilio.messages().at(-1)?.to, "+96550001234");
  assert.equal(twilio.messages().at(-1)?.body, "Your code is 482913");
  await twilio.flush();
  assert.ok(twilio.callbacks().every((callback) => callback.status === 200));
  assert.deepEqual(await statusOf(body.requestId), { status: "delivered", code: null });
});

const numbers: [mobile: string, errorCode: string][] = [
  ["15005550001", "INVALID_NUMBER"],
  ["15005550009", "UNREACHABLE_NUMBER"],
  ["15005550004", "BLOCKED_BY_RECIPIENT"],
  ["15005550003", "REJECTED"],
  ["99950000003", "GATEWAY_AUTH"],
  ["99950000429", "GATEWAY_RATE_LIMITED"],
  ["99950000503", "GATEWAY_UNAVAILABLE"],
];
test("what Twilio refuses is 201 with sent false and the normal word, and costs nothing", async () => {
  const { id, send } = await shop(10);
  for (const [mobile, errorCode] of numbers) {
    const { status, body } = await send(mobile);
    assert.deepEqual([status, body.sent, body.errorCode], [201, false, errorCode], mobile);
  }
  const [row] = await t.app.db.query(sql`select sms_credits as n from workspace where id = ${id}`);
  assert.deepEqual(row, { n: 10 });
});

test("a message that is not delivered is told by its receipt", async () => {
  const { send } = await shop();
  const { body } = await send("99950000005");
  assert.equal(body.sent, true);
  await twilio.flush();
  assert.deepEqual(await statusOf(body.requestId), {
    status: "failed",
    code: "UNREACHABLE_NUMBER",
  });
});

test("an answer that is lost although Twilio took the message is corrected by the receipt", async () => {
  const { send } = await shop();
  const { body } = await send("99950000911");
  assert.deepEqual([body.sent, body.errorCode], [false, "GATEWAY_UNAVAILABLE"]);
  assert.equal((await statusOf(body.requestId))?.status, "unknown");
  await twilio.flush();
  assert.equal((await statusOf(body.requestId))?.status, "delivered");
});

test("receipts before the answer, repeated, in the wrong order or forged leave the truth", async () => {
  const { send } = await shop();
  for (const mobile of ["99950000904", "99950000905", "99950000908"]) {
    const { body } = await send(mobile);
    assert.equal(body.sent, true);
    await twilio.flush();
    assert.equal((await statusOf(body.requestId))?.status, "delivered", mobile);
  }
  const { body } = await send("99950000907");
  twilio.spoilSignature();
  twilio.status({ sid: twilio.messages().at(-1)?.sid ?? "", status: "delivered" });
  await twilio.flush();
  assert.equal(twilio.callbacks().at(-1)?.status, 401);
  assert.equal((await statusOf(body.requestId))?.status, "sent");
});

test("STOP by SMS opts the contact out", async () => {
  const { id } = await shop();
  const contact = await createContact(OPERATOR, t.app, id, { name: "Sara", phone: "99950007777" });
  twilio.inbound({ from: "+99950007777", to: FROM, body: "Stop" });
  await twilio.flush();
  assert.equal((await findContact(t.app.db, id, contact.id))?.optedOut, true);
});
