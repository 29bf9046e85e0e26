import { KEY } from "../../../test/actors.ts";
import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import twilioSdk from "twilio";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { consentHistory } from "../../contacts/consent/consent-history.ts";
import { createContact } from "../../contacts/record/create-contact.ts";
import { sql } from "../../db/sql.ts";
import { sendOtp } from "../../otp/send-otp.ts";
import { receiveSmsReport } from "../../otp/receive-sms-report.ts";
import { HttpFailure } from "../../lib/http.ts";
import type { SmsReceipt } from "../../sms/provider.ts";
import { setProvider } from "../../sms/set-provider.ts";
import { testProvider } from "../../sms/test-provider.ts";
import { registerSmsHooks } from "./sms.ts";
import { streaming } from "../../../test/streaming.ts";

const PUBLIC = "https://hub.example";
const TOKEN = "twilio_test_auth_token";
let t: TestApp;
let fastify: FastifyInstance;
let sids = 0;

before(async () => {
  const providerHttp = streaming({
    request: () =>
      Promise.resolve({ status: 201, headers: {}, body: Buffer.from(`{"sid":"SM${++sids}"}`) }),
  });
  t = await startTestApp({ config: { publicUrl: PUBLIC }, overrides: { providerHttp } });
  fastify = Fastify();
  registerSmsHooks(fastify, t.app);
  await fastify.ready();
});
after(async () => {
  await fastify.close();
  await t[Symbol.asyncDispose]();
});

async function workspace(): Promise<{ id: string; providerId: string }> {
  const id = t.app.ids.next();
  await t.app.db.query(
    sql`insert into workspace (id, name, plan, created_at) values (${id}, 'A', 'free', ${t.clock.now()})`,
  );
  const account = { provider: "twilio", accountSid: "AC1", authToken: TOKEN, from: "+15551234567" };
  const { id: providerId } = await setProvider(OPERATOR, t.app, id, account);
  await testProvider(OPERATOR, t.app, id, "96550000001");
  return { id, providerId };
}

/** Calls as Twilio does, signed by its own library. */
async function call(path: string, fields: Record<string, string>, signature?: string) {
  const expected = twilioSdk.getExpectedTwilioSignature(TOKEN, PUBLIC + path, fields);
  const { statusCode, body, headers } = await fastify.inject({
    method: "POST",
    url: path,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": signature ?? expected,
    },
    payload: new URLSearchParams(fields).toString(),
  });
  return { statusCode, body, type: headers["content-type"] };
}

const record = async (id: string) =>
  (
    await t.app.db.query<{ status: string; error_code: string | null; error: string | null }>(
      sql`select status, error_code, error from otp_record where id = ${id}`,
    )
  )[0];
const otp = { mobile: "96550000001", message: "Your code is 482913", lang: "E" } as const;

test("a receipt moves its passcode only forward, once, and each move is told", async () => {
  const { id, providerId } = await workspace();
  const { requestId } = await sendOtp(KEY, t.app, id, otp);
  const path = `/hooks/sms/${providerId}?m=${requestId}`;
  const receipt = (MessageStatus: string, more = {}) =>
    call(path, { MessageSid: `SM${sids}`, MessageStatus, To: "+96550000001", ...more });
  const answer = await receipt("undelivered", {
    ErrorCode: "30005",
    ErrorMessage: "Your code 482913",
  });
  assert.deepEqual(answer, {
    statusCode: 200,
    body: "<Response/>",
    type: "text/xml; charset=utf-8",
  });
  assert.deepEqual(await record(requestId), {
    status: "failed",
    error_code: "UNREACHABLE_NUMBER",
    error: "30005",
  });
  await receipt("sent");
  assert.equal((await record(requestId))?.status, "failed");
  await receipt("delivered");
  await receipt("delivered");
  await receipt("read");
  await receipt("undelivered", { ErrorCode: "30005" });
  // A failure alone stops nobody.
  assert.deepEqual(await consentHistory(t.app, id, { phone: otp.mobile }), []);
  assert.deepEqual(await record(requestId), { status: "delivered", error_code: null, error: null });
  const rows = await t.app.db.query<{ body: string }>(
    sql`select body from event where workspace_id = ${id} order by sequence`,
  );
  const moves = rows.map((row) => (JSON.parse(row.body) as { data: Record<string, string> }).data);
  assert.deepEqual(
    moves.map((data) => [data["previousStatus"], data["status"]]),
    [
      [null, "sent"],
      ["sent", "failed"],
      ["failed", "delivered"],
    ],
  );
  assert.doesNotMatch(JSON.stringify(rows), /482913/);
});

test("a receipt with only the gateway's id finds its passcode; another account's does not", async () => {
  const [a, b] = [await workspace(), await workspace()];
  const { requestId } = await sendOtp(KEY, t.app, a.id, otp);
  const fields = { MessageSid: `SM${sids}`, MessageStatus: "delivered" };
  assert.equal((await call(`/hooks/sms/${b.providerId}?m=${requestId}`, fields)).statusCode, 200);
  assert.equal((await record(requestId))?.status, "sent");
  assert.equal((await call(`/hooks/sms/${a.providerId}`, fields)).statusCode, 200);
  assert.equal((await record(requestId))?.status, "delivered");
});

test("a receipt is about the passcode that it names, else about the last to which the gateway gave that id", async () => {
  const { id, providerId } = await workspace();
  // A gateway's numbers may begin anew.
  const providerHttp = streaming({
    request: () => Promise.resolve({ status: 201, headers: {}, body: Buffer.from('{"sid":"7"}') }),
  });
  const app = { ...t.app, providerHttp };
  const [first, second, third] = [
    await sendOtp(KEY, app, id, { ...otp, mobile: "96550000011" }),
    await sendOtp(KEY, app, id, { ...otp, mobile: "96550000012" }),
    await sendOtp(KEY, app, id, { ...otp, mobile: "96550000013" }),
  ];
  const statuses = () =>
    Promise.all(
      [first, second, third].map(async (one) => (await record(one.requestId))?.status ?? null),
    );
  await call(`/hooks/sms/${providerId}`, { MessageSid: "7", MessageStatus: "read" });
  assert.deepEqual(await statuses(), ["sent", "sent", "delivered"]);
  const refused = { MessageSid: "7", MessageStatus: "failed", ErrorCode: "21610" };
  await call(`/hooks/sms/${providerId}?m=${first.requestId}`, refused);
  assert.deepEqual(await statuses(), ["failed", "sent", "delivered"]);
  const stopped = async (phone: string) =>
    (await createContact(OPERATOR, t.app, id, { phone })).optedOut;
  assert.deepEqual(
    [await stopped("96550000011"), await stopped("96550000012"), await stopped("96550000013")],
    [true, false, false],
  );
});

test("a call that the account did not sign, or that names no account, changes nothing", async () => {
  const { id, providerId } = await workspace();
  const { requestId } = await sendOtp(KEY, t.app, id, otp);
  const path = `/hooks/sms/${providerId}?m=${requestId}`;
  const fields = { MessageSid: `SM${sids}`, MessageStatus: "delivered" };
  for (const signature of ["", "x", "RSOYDt4T1cUTdK1PDd93/VVr8B8="]) {
    assert.equal((await call(path, fields, signature)).statusCode, 401);
  }
  const elsewhere = twilioSdk.getExpectedTwilioSignature(
    TOKEN,
    `http://hub.example${path}`,
    fields,
  );
  assert.equal((await call(path, fields, elsewhere)).statusCode, 401);
  assert.equal((await call(`/hooks/sms/${t.app.ids.next()}`, fields)).statusCode, 404);
  assert.equal((await call("/hooks/sms/nonsense", fields)).statusCode, 404);
  assert.equal((await record(requestId))?.status, "sent");
});

test("a receipt with text that PostgreSQL cannot hold is stored without it, so that it does not come again for ever", async () => {
  const { id, providerId } = await workspace();
  const { requestId } = await sendOtp(KEY, t.app, id, otp);
  const [path, byOurId] = [`/hooks/sms/${providerId}`, `/hooks/sms/${providerId}?m=${requestId}`];
  // No index holds an id of a thousand different letters.
  const long = Array.from({ length: 300 }, () => t.app.ids.next()).join("");
  for (const MessageSid of [long, `SM\0${long}`])
    assert.equal((await call(path, { MessageSid, MessageStatus: "sent" })).statusCode, 200);
  const failed = { MessageStatus: "failed", ErrorCode: "30\u0000008" };
  const answer = await call(byOurId, { MessageSid: `SM${sids}\0`, ...failed });
  assert.equal(answer.statusCode, 200);
  assert.deepEqual(
    [(await record(requestId))?.status, (await record(requestId))?.error],
    ["failed", "30008"],
  );
});

test("a receipt faster than the answer counts, and the call's answer agrees", async () => {
  const { id, providerId } = await workspace();
  let requestId = "";
  // Twilio calls back before its own answer arrives, and then the answer is lost.
  const providerHttp = {
    async request() {
      await call(`/hooks/sms/${providerId}?m=${requestId}`, {
        MessageSid: "SMx",
        MessageStatus: "sent",
      });
      throw new Error("lost");
    },
  };
  const result = await sendOtp(KEY, { ...t.app, providerHttp }, id, otp, {
    within: (_tx, begun) => Promise.resolve(void (requestId = begun.id)),
  });
  assert.deepEqual(result, { requestId, sent: true, provider: "twilio" });
});

test("a receipt for a campaign's message settles the message", async () => {
  const { id, providerId } = await workspace();
  const messageId = t.app.ids.next();
  await t.app.db.query(sql`
    insert into message (workspace_id, id, direction, type, text, status, source, created_at)
    values (${id}, ${messageId}, 'outbound', 'text', 'hi', 'sent', 'broadcast', ${t.clock.now()})`);
  await call(`/hooks/sms/${providerId}?m=${messageId}`, {
    MessageSid: "SMcampaign",
    MessageStatus: "undelivered",
    ErrorCode: "30006",
  });
  const [row] = await t.app.db.query(
    sql`select status, error_code, provider_message_id from message where id = ${messageId}`,
  );
  assert.deepEqual(row, {
    status: "failed",
    error_code: "30006",
    provider_message_id: "SMcampaign",
  });
});

test("a late refusal is refunded once, for a passcode and for a campaign; a reported failure is not", async () => {
  const { id: workspaceId, providerId } = await workspace();
  await t.app.db.query(sql`update workspace set sms_credits = 10 where id = ${workspaceId}`);
  const lost = { request: () => Promise.reject(new HttpFailure("timeout", true, "late")) };
  const app = { ...t.app, providerHttp: streaming(lost) };
  const first = await sendOtp(KEY, app, workspaceId, { ...otp, message: "a".repeat(161) });
  const second = await sendOtp(KEY, app, workspaceId, otp);
  const messageId = t.app.ids.next();
  await t.app.db.query(sql`
    insert into message (workspace_id, id, direction, type, text, status, source, created_at)
    values (${workspaceId}, ${messageId}, 'outbound', 'text', ${"a".repeat(307)}, 'sent', 'broadcast', ${t.clock.now()})`);
  const told = (correlationId: string, partsTaken: number | null): SmsReceipt => ({
    externalMessageId: `late-${correlationId}`,
    correlationId,
    status: "failed",
    occurredAt: null,
    errorCode: "0xb",
    errorDetail: null,
    smsCode: "INVALID_NUMBER",
    ...(partsTaken !== null && { refused: { partsTaken } }),
  });
  const left = async (correlationId: string, partsTaken: number | null) => {
    for (let time = 0; time < 2; time++)
      await receiveSmsReport(
        t.app,
        { workspaceId, providerId },
        { receipts: [told(correlationId, partsTaken)], inbound: [] },
      );
    const [row] = await t.app.db.query<{ n: number }>(
      sql`select sms_credits as n from workspace where id = ${workspaceId}`,
    );
    return row?.n;
  };
  // The parts accepted before are charged: one of three for the campaign's message.
  assert.equal(await left(first.requestId, 0), 9);
  assert.equal(await left(second.requestId, null), 9);
  const ordinary = t.app.ids.next();
  await t.app.db.query(sql`
    insert into message (workspace_id, id, direction, type, text, status, source, created_at)
    values (${workspaceId}, ${ordinary}, 'outbound', 'text', 'hi', 'sent', 'broadcast', ${t.clock.now()})`);
  assert.equal(await left(ordinary, null), 9);
  assert.equal(await left(messageId, 1), 11);
});

test("a stop word by SMS opts out every contact with that number; a start word opts them in again", async () => {
  const { id, providerId } = await workspace();
  const { id: contactId } = await createContact(OPERATOR, t.app, id, {
    name: "Sara",
    phone: "+965 5000 0009",
  });
  const optedOut = async () =>
    (
      await t.app.db.query<{ out: boolean }>(
        sql`select opted_out_at is not null as out from contact where id = ${contactId}`,
      )
    )[0]?.out;
  const write = (Body: string, From = "+96550000009") =>
    call(`/hooks/sms/${providerId}`, {
      MessageSid: "SMin",
      SmsStatus: "received",
      From,
      To: "+1",
      Body,
    });
  await write("do not stop");
  await write("STOP", "+96550000010");
  assert.equal(await optedOut(), false);
  await write("إلغاء");
  assert.equal(await optedOut(), true);
  await write("thanks");
  await write("start", "+96550000010");
  await write("start", "SHOP");
  assert.equal(await optedOut(), true);
  assert.equal((await write("start")).statusCode, 200);
  assert.equal(await optedOut(), false);
});

test("a STOP from a number without a contact is kept: a later contact with the number is opted out from the start", async () => {
  const { id, providerId } = await workspace();
  const write = (Body: string, more = {}) =>
    call(`/hooks/sms/${providerId}`, {
      MessageSid: "SMin",
      SmsStatus: "received",
      From: "+96550000011",
      To: "+1",
      Body,
      ...more,
    });
  await write("Stop.");
  const ledger = () => consentHistory(t.app, id, { phone: "96550000011" });
  const at = t.clock.now().toISOString();
  const entry = {
    at,
    source: "stop_word",
    channelType: "SMS",
    channelId: null,
    contactId: null,
    evidence: null,
    givenSource: null,
    held: false,
  };
  const first = { ...entry, optedOut: true, detail: "stop", phone: "96550000011" };
  assert.deepEqual(await ledger(), [first]);
  const contact = await createContact(OPERATOR, t.app, id, { phone: "+965 5000 0011" });
  assert.equal(contact.optedOut, true);
  assert.equal(contact.optedOutAt, at);
  assert.deepEqual(await consentHistory(t.app, id, { contactId: contact.id }), [first]);
  await write("STOP");
  assert.equal((await ledger()).length, 1, "nothing new was said");
  await write("anything", { OptOutType: "START" });
  assert.equal(
    (await createContact(OPERATOR, t.app, id, { phone: "96550000011" })).optedOut,
    false,
  );
  assert.deepEqual(
    (await ledger()).map((row) => [row.optedOut, row.contactId, row.detail]),
    [
      [true, null, "stop"],
      [false, contact.id, "start"],
    ],
  );
});

test("21610 opts the number out, in the answer to a passcode and in a receipt", async () => {
  const { id, providerId } = await workspace();
  const providerHttp = streaming({
    request: () =>
      Promise.resolve({
        status: 400,
        headers: {},
        body: Buffer.from('{"code":21610,"message":"unsubscribed recipient"}'),
      }),
  });
  await sendOtp(KEY, { ...t.app, providerHttp }, id, { ...otp, mobile: "+965 5000 0021" });
  assert.equal((await createContact(OPERATOR, t.app, id, { phone: "96550000021" })).optedOut, true);

  const { requestId } = await sendOtp(KEY, t.app, id, { ...otp, mobile: "96550000022" });
  const receipt = { MessageSid: `SM${sids}`, MessageStatus: "failed", ErrorCode: "21610" };
  await call(`/hooks/sms/${providerId}?m=${requestId}`, receipt);
  const { id: contactId, optedOut } = await createContact(OPERATOR, t.app, id, {
    phone: "96550000022",
  });
  assert.equal(optedOut, true);
  const [entry] = await consentHistory(t.app, id, { contactId });
  assert.deepEqual(
    [entry?.source, entry?.channelType, entry?.detail],
    ["platform", "SMS", "21610"],
  );
});

test("a receipt of another program on the gateway's account, with an id almost like ours, is accepted", async () => {
  const { id, providerId } = await workspace();
  await sendOtp(KEY, t.app, id, otp);
  const foreign = "0123456789abcdef-0123456789abcdef-01";
  const failed = { MessageSid: "SM-foreign", MessageStatus: "failed", ErrorCode: "21610" };
  const answer = await call(`/hooks/sms/${providerId}?m=${foreign}`, failed);
  assert.equal(answer.statusCode, 200);
});

test("a receipt with only the gateway's id opts nobody out in another workspace, whose gateway gave the same id", async () => {
  const [mine, other] = [await workspace(), await workspace()];
  const providerHttp = streaming({
    request: () => Promise.resolve({ status: 201, headers: {}, body: Buffer.from('{"sid":"77"}') }),
  });
  const phones = ["96550000031", "96550000032"];
  for (const [index, { id }] of [other, mine].entries())
    await sendOtp(KEY, { ...t.app, providerHttp }, id, { ...otp, mobile: phones[index] ?? "" });
  const receipt = { MessageSid: "77", MessageStatus: "failed", ErrorCode: "21610" };
  assert.equal((await call(`/hooks/sms/${mine.providerId}`, receipt)).statusCode, 200);
  const optedOut = async (phone: string) =>
    (await createContact(OPERATOR, t.app, mine.id, { phone })).optedOut;
  assert.deepEqual(await Promise.all(phones.map(optedOut)), [false, true]);
});
