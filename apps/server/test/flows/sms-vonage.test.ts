import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createVonageEmulator, type VonageEmulator } from "@parley/emulators";
import { findContact } from "../../src/contacts/identity/find-contact.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { dumpDatabase } from "../dump-database.ts";
import { canaries, startGatewayStand, type GatewayStand } from "../gateway-stand.ts";

/** The whole way over real HTTP: our API, the emulated Vonage, and its receipts to our public address. */
let stands: Awaited<ReturnType<typeof startGatewayStand>>;
let gateway: VonageEmulator;
let signed: GatewayStand;
let plain: GatewayStand;

const account = (apiKey: string) => ({
  provider: "vonage",
  apiKey,
  apiSecret: "s3cret",
  from: "SHOP",
  apiUrl: gateway.url,
});

before(async () => {
  stands = await startGatewayStand();
  gateway = await createVonageEmulator({
    delivery: "manual",
    accounts: [
      { apiKey: "signed", apiSecret: "s3cret", signatureSecret: "abc", signatureMethod: "sha256" },
      { apiKey: "plain", apiSecret: "s3cret" },
    ],
  });
  signed = await stands.shop(() => ({
    ...account("signed"),
    signatureSecret: "abc",
    signatureMethod: "sha256",
  }));
  plain = await stands.shop(() => account("plain"));
});
after(async () => {
  await gateway.close();
  await stands[Symbol.asyncDispose]();
});
beforeEach(() => gateway.clear());

test("a passcode goes out, and its receipts, signed or with the token, carry it to delivered", async () => {
  for (const stand of [signed, plain]) {
    const { requestId, sent } = await stand.send("+965 5000 1234");
    assert.equal(sent, true);
    assert.equal(gateway.messages().at(-1)?.correlation, requestId);
    await gateway.flush();
    assert.deepEqual(await stand.moves(requestId), [
      [null, "sent"],
      ["sent", "delivered"],
    ]);
  }
  assert.deepEqual(gateway.ledger.repeated(), []);
});

test("Arabic in several parts arrives as written, and the first receipt counts", async () => {
  const text = "رمز الدخول هو ٤٨٢٩ ".repeat(8);
  const { requestId } = await plain.send("99950001235", text, "A");
  const message = gateway.messages().at(-1);
  assert.deepEqual([message?.text, message?.facts["type"]], [text, "unicode"]);
  assert.equal(message?.facts["ids"]?.split(",").length, 3);
  await gateway.flush();
  assert.equal((await plain.statusOf(requestId))?.status, "delivered");
});

test("what Vonage refuses over HTTP 200 has its normal word and costs nothing", async () => {
  const before_ = await plain.credits();
  for (const [mobile, errorCode] of [
    ["99950000003", "GATEWAY_AUTH"],
    ["99950000006", "UNREACHABLE_NUMBER"],
    ["99950000007", "UNREACHABLE_NUMBER"],
    ["99950000009", "GATEWAY_CREDIT"],
    ["99950000429", "GATEWAY_RATE_LIMITED"],
    ["99950000500", "GATEWAY_UNAVAILABLE"],
  ] as const) {
    const answer = await plain.send(mobile);
    assert.deepEqual([answer.sent, answer.errorCode], [false, errorCode], mobile);
  }
  assert.equal(await plain.credits(), before_);
});

test("a text with a refused part counts as not sent, and is not sent again", async () => {
  gateway.refuseLaterParts("1");
  const answer = await plain.send("99950001236", "x".repeat(200));
  assert.deepEqual([answer.sent, answer.errorCode], [false, "GATEWAY_RATE_LIMITED"]);
  assert.equal(gateway.ledger.total, 1);
});

test("permanent and passing failures are told by the receipt", async () => {
  for (const [mobile, code] of [
    ["99950000103", "UNREACHABLE_NUMBER"],
    ["99950000102", "GATEWAY_UNAVAILABLE"],
    ["99950000104", "BLOCKED_BY_RECIPIENT"],
  ] as const) {
    const { requestId } = await plain.send(mobile);
    await gateway.flush();
    assert.deepEqual(await plain.statusOf(requestId), { status: "failed", code }, mobile);
  }
});

test("an answer that is lost is corrected by the receipt; early and repeated receipts leave the truth", async () => {
  const lost = await signed.send("99950000911");
  assert.equal(lost.sent, false);
  assert.equal((await signed.statusOf(lost.requestId))?.status, "unknown");
  await gateway.flush();
  assert.equal((await signed.statusOf(lost.requestId))?.status, "delivered");
  for (const mobile of ["99950000904", "99950000905", "99950000908"]) {
    const { requestId } = await signed.send(mobile);
    await gateway.flush();
    assert.equal((await signed.statusOf(requestId))?.status, "delivered", mobile);
  }
});

test("a receipt that is not signed, or lacks the token, changes nothing", async () => {
  const { requestId } = await signed.send("99950000907");
  const id = gateway.messages().at(-1)?.id ?? "";
  gateway.spoilSignature();
  gateway.status({ id, state: "delivered" });
  await gateway.flush();
  assert.equal(gateway.callbacks().at(-1)?.status, 401);
  const other = await plain.send("99950000907");
  const receipt = { messageId: "x", status: "delivered", "client-ref": other.requestId };
  const url = `${plain.base}/hooks/sms/${plain.providerId}?${new URLSearchParams(receipt).toString()}`;
  assert.equal((await fetch(url)).status, 401);
  assert.equal((await fetch(`${url}&k=${"x".repeat(32)}`)).status, 401);
  assert.equal((await signed.statusOf(requestId))?.status, "sent");
  assert.equal((await plain.statusOf(other.requestId))?.status, "sent");
});

test("the text is nowhere, and neither are the account's secrets", async () => {
  const { sent, results } = await canaries(plain, gateway, [3, 4, 1, 99]);
  const stored = await dumpDatabase(plain.t.databaseUrl);
  assert.ok(stored.includes(plain.workspaceId) && sent.length === 9);
  for (const canary of [...sent, "s3cret"])
    for (const [place, text] of Object.entries({ stored, results, logged: plain.log() }))
      assert.ok(!text.includes(canary), `${canary} is in what is ${place}`);
});

test("a call that Vonage repeats counts once: an old START lifts no later STOP, and an old STOP undoes no later START", async () => {
  const { app } = plain.t;
  const phone = "99950003101";
  const contact = await createContact(OPERATOR, app, plain.workspaceId, { phone });
  const says = async (messageId: string, text: string, more: object = {}) => {
    const fields = { msisdn: phone, to: "SHOP", messageId, text, type: "text", ...more };
    const answer = await fetch(plain.receiptUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
    assert.equal(answer.status, 200);
    return (await findContact(app.db, plain.workspaceId, contact.id))?.optedOut;
  };
  assert.equal(await says("in-1", "STOP"), true);
  assert.equal(await says("in-2", "START"), false);
  assert.equal(await says("in-1", "STOP"), false, "repeated");
  assert.equal(await says("in-3", "STOP"), true);
  assert.equal(await says("in-2", "START"), true, "repeated");
  // It could not be delivered when it was written, so this is its first call.
  const before = new Date(app.clock.now().getTime() - 60_000).toISOString();
  const late = { "message-timestamp": `${before.slice(0, 10)} ${before.slice(11, 19)}` };
  assert.equal(await says("in-4", "START", late), true, "written before the STOP");
  assert.equal(await says("in-5", "START"), false);
});

test("a gateway that gives two customers the same id costs neither the STOP", async () => {
  const { app } = plain.t;
  const { workspaceId } = plain;
  for (const phone of ["99950003103", "99950003104"]) {
    const contact = await createContact(OPERATOR, app, workspaceId, { phone });
    const fields = { msisdn: phone, to: "SHOP", messageId: "in-20", text: "STOP" };
    await fetch(`${plain.receiptUrl}&${new URLSearchParams(fields).toString()}`);
    assert.equal((await findContact(app.db, workspaceId, contact.id))?.optedOut, true);
  }
});

test("a receipt that Vonage repeats opts out once: it undoes no START since", async () => {
  const { app } = plain.t;
  const phone = "99950003105";
  const contact = await createContact(OPERATOR, app, plain.workspaceId, { phone });
  const { requestId } = await plain.send(phone);
  const calls = async (fields: object) => {
    const answer = await fetch(plain.receiptUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ msisdn: phone, to: "SHOP", ...fields }),
    });
    assert.equal(answer.status, 200);
    return (await findContact(app.db, plain.workspaceId, contact.id))?.optedOut;
  };
  const messageId = gateway.messages().at(-1)?.id ?? "";
  // 4: barred by the user.
  const barred = { messageId, status: "failed", "err-code": "4", "client-ref": requestId };
  assert.equal(await calls(barred), true);
  assert.equal(await calls({ messageId: "in-21", text: "START" }), false);
  assert.equal(await calls(barred), false, "repeated");
});

test("the same STOP several times at once opts out, and every call is answered", async () => {
  const { app } = plain.t;
  const { workspaceId } = plain;
  const contact = await createContact(OPERATOR, app, workspaceId, { phone: "99950003102" });
  const fields = { msisdn: "99950003102", to: "SHOP", messageId: "in-9", text: "STOP" };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      fetch(`${plain.receiptUrl}&${new URLSearchParams(fields).toString()}`),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal((await findContact(app.db, workspaceId, contact.id))?.optedOut, true);
});
