import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { SegmentedMessage } from "sms-segments-calculator";
import twilio from "twilio";
import { createTwilioEmulator, type TwilioOptions } from "../src/index.ts";
import { countParts } from "../src/twilio/segments.ts";
import { signForm } from "../src/twilio/signature.ts";

const SID = `AC${"0".repeat(32)}`;
const TOKEN = "twilio_test_auth_token";
const FROM = "+15551234567";

/** The SDK's own transport with our address: a client that we did not write calls the API. */
class Redirected extends twilio.RequestClient {
  readonly #base: string;
  constructor(base: string) {
    super();
    this.#base = base;
  }
  override request<T>(options: Parameters<twilio.RequestClient["request"]>[0]) {
    return super.request<T>({
      ...options,
      data: options.data as T,
      uri: options.uri.replace("https://api.twilio.com", this.#base),
    });
  }
}

async function start(options: TwilioOptions = {}) {
  const received: { url: string; form: Record<string, string>; signature: string }[] = [];
  const state = { base: "", status: 204 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({
        url: state.base + (request.url ?? ""),
        form: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString("utf8"))),
        signature: String(request.headers["x-twilio-signature"]),
      });
      response.writeHead(state.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  state.base = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const emulator = await createTwilioEmulator({
    delivery: "manual",
    accounts: [
      {
        accountSid: SID,
        authToken: TOKEN,
        apiKeys: { SK1: "key-secret" },
        numbers: [{ number: FROM, smsUrl: `${state.base}/inbound` }],
        messagingServices: ["MG1"],
      },
    ],
    ...options,
  });
  const client = twilio(SID, TOKEN, { httpClient: new Redirected(emulator.url) });
  const codeOf = async (work: Promise<unknown>): Promise<number> => {
    try {
      await work;
      return 0;
    } catch (error) {
      return Number(Object(error).code);
    }
  };
  return {
    emulator,
    client,
    received,
    codeOf,
    callback: `${state.base}/hooks/sms/1?m=otp-1`,
    async [Symbol.asyncDispose]() {
      await emulator.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

test("the twilio SDK sends through our API and validates our callbacks", async () => {
  await using t = await start();
  const sent = await t.client.messages.create({
    to: "+96550001234",
    from: FROM,
    body: "رمزك 123456 + 😀",
    statusCallback: t.callback,
  });
  assert.match(sent.sid, /^SM[0-9a-f]{32}$/);
  assert.deepEqual(
    [sent.status, sent.numSegments, sent.direction],
    ["queued", "1", "outbound-api"],
  );
  await t.emulator.flush();
  assert.deepEqual(
    t.received.map((c) => c.form["MessageStatus"]),
    ["queued", "sent", "delivered"],
  );
  for (const { url, form, signature } of t.received) {
    assert.equal(url, t.callback);
    assert.equal(twilio.validateRequest(TOKEN, signature, url, form), true);
    assert.equal(twilio.validateRequest("another", signature, url, form), false);
    assert.equal(form["MessageSid"], sent.sid);
  }
  assert.equal((await t.client.messages(sent.sid).fetch()).status, "delivered");
  assert.deepEqual(t.emulator.ledger.entries({ to: "+96550001234" })[0]?.correlation, "?m=otp-1");
});

test("inbound messages are signed too, and STOP keeps us from writing back until START", async () => {
  await using t = await start();
  t.emulator.inbound({ from: "+96550001234", to: FROM, body: "STOP" });
  await t.emulator.flush();
  const [call] = t.received;
  assert.ok(call && twilio.validateRequest(TOKEN, call.signature, call.url, call.form));
  assert.equal(call.form["Body"], "STOP");
  const send = () =>
    t.codeOf(t.client.messages.create({ to: "+96550001234", from: FROM, body: "x" }));
  assert.equal(await send(), 21610);
  t.emulator.inbound({ from: "+96550001234", to: FROM, body: "start" });
  assert.equal(await send(), 0);
});

test("a wrong signature does not validate", async () => {
  await using t = await start();
  t.emulator.spoilSignature();
  t.emulator.inbound({ from: "+96550001234", to: FROM, body: "hi" });
  await t.emulator.flush();
  const [call] = t.received;
  assert.ok(call);
  assert.equal(twilio.validateRequest(TOKEN, call.signature, call.url, call.form), false);
});

test("refused sends carry the platform's codes", async () => {
  await using t = await start();
  const good = { to: "+96550001234", from: FROM, body: "x" };
  const cases: [object, number][] = [
    [{ ...good, to: "+1abc" }, 21211],
    [{ ...good, to: "96550001234" }, 21211],
    [{ ...good, from: "+15550000000" }, 21606],
    [{ ...good, from: undefined }, 21603],
    [{ ...good, from: undefined, messagingServiceSid: "MG9" }, 21701],
    [{ ...good, from: undefined, messagingServiceSid: "MG1" }, 0],
    [{ ...good, body: "" }, 21602],
    [{ ...good, body: "x".repeat(1600) }, 0],
    [{ ...good, body: "x".repeat(1601) }, 21617],
    [{ ...good, statusCallback: "nowhere" }, 21609],
    [{ ...good, to: "+15005550001" }, 21211],
    [{ ...good, to: "+15005550002" }, 21612],
    [{ ...good, to: "+15005550003" }, 21408],
    [{ ...good, to: "+15005550004" }, 21610],
    [{ ...good, to: "+15005550009" }, 21614],
    [{ ...good, from: "+15005550006" }, 0],
    [{ ...good, from: "+15005550007" }, 21606],
    [{ ...good, from: "+15005550008" }, 21611],
    [{ ...good, to: "+99950000429" }, 20429],
    [{ ...good, to: "+99950000500" }, 20500],
  ];
  for (const [params, code] of cases) {
    const sent = t.client.messages.create(params as typeof good);
    assert.equal(await t.codeOf(sent), code, JSON.stringify(params));
  }
  const noTo = await fetch(`${t.emulator.url}/2010-04-01/Accounts/${SID}/Messages.json`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from("SK1:key-secret").toString("base64")}` },
    body: new URLSearchParams({ From: FROM, Body: "x" }),
  });
  assert.equal(noTo.status, 400);
  assert.equal(JSON.parse(await noTo.text()).code, 21604);
});

test("wrong credentials are 401/20003 and an unknown path 404/20404", async () => {
  await using t = await start();
  const stranger = twilio(SID, "wrong", { httpClient: new Redirected(t.emulator.url) });
  const good = { to: "+96550001234", from: FROM, body: "x" };
  assert.equal(await t.codeOf(stranger.messages.create(good)), 20003);
  const lost = await fetch(`${t.emulator.url}/2010-04-01/Nothing.json`);
  assert.deepEqual([lost.status, JSON.parse(await lost.text()).code], [404, 20404]);
});

test("magic recipients get their status and their error code", async () => {
  await using t = await start();
  const played: [string, string[], string | undefined][] = [
    ["+99950000005", ["queued", "sent", "undelivered"], "30005"],
    ["+99950000006", ["queued", "sent", "undelivered"], "30006"],
    ["+99950000001", ["failed"], "30001"],
    ["+99950000905", ["delivered", "sent", "queued"], undefined],
    ["+99950000907", [], undefined],
  ];
  for (const [to, statuses, code] of played) {
    t.received.length = 0;
    await t.client.messages.create({ to, from: FROM, body: "x", statusCallback: t.callback });
    await t.emulator.flush();
    assert.deepEqual(
      t.received.map((c) => c.form["MessageStatus"]),
      statuses,
      to,
    );
    assert.equal(t.received.at(-1)?.form["ErrorCode"], code, to);
  }
  t.received.length = 0;
  await t.client.messages.create({
    to: "+99950000908",
    from: FROM,
    body: "x",
    statusCallback: t.callback,
  });
  assert.equal(t.received.length, 2);
});

test("faults hit the next sends and say whether the message was accepted", async () => {
  await using t = await start({ messagesPerSecond: 2 });
  const url = `${t.emulator.url}/2010-04-01/Accounts/${SID}/Messages.json`;
  const send = () =>
    fetch(url, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${SID}:${TOKEN}`).toString("base64")}` },
      body: new URLSearchParams({ To: "+96550001234", From: FROM, Body: "x" }),
    });
  t.emulator.fault({ kind: "drop", accepted: true });
  await assert.rejects(send());
  assert.equal(t.emulator.ledger.total, 1);
  t.emulator.fault({ kind: "status", status: 503 });
  assert.equal((await send()).status, 503);
  assert.equal((await send()).status, 201);
  assert.equal((await send()).status, 429);
  await t.emulator.advance(1000);
  assert.equal((await send()).status, 201);
});

test("the parts of a text are counted as an independent counter counts them", () => {
  const table: [string, number][] = [
    ["a".repeat(160), 1],
    ["a".repeat(161), 2],
    ["a".repeat(306), 2],
    ["a".repeat(307), 3],
    [`${"a".repeat(159)}€`, 2],
    ["€".repeat(80), 1],
    ["€".repeat(81), 2],
    [`${"a".repeat(152)}€${"a".repeat(152)}`, 3],
    ["م".repeat(70), 1],
    ["م".repeat(71), 2],
    ["م".repeat(134), 2],
    ["م".repeat(135), 3],
    ["😀".repeat(35), 1],
    ["😀".repeat(36), 2],
    [`${"م".repeat(66)}😀${"م".repeat(66)}`, 3],
    [`${"a".repeat(70)}ç`, 2],
  ];
  for (const [text, parts] of table) {
    assert.equal(countParts(text), parts, text.slice(0, 4));
    assert.equal(new SegmentedMessage(text).segmentsCount, parts);
  }
});

test("the signature of the documentation's example is reproduced", () => {
  const form = {
    CallSid: "CA1234567890ABCDE",
    Caller: "+14158675309",
    Digits: "1234",
    From: "+14158675309",
    To: "+18005551212",
  };
  assert.equal(
    signForm("12345", "https://mycompany.com/myapp.php?foo=1&bar=2", form),
    "RSOYDt4T1cUTdK1PDd93/VVr8B8=",
  );
});
