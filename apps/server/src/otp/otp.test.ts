import { KEY } from "../../test/actors.ts";
import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import pg from "pg";
import { pino } from "pino";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { discardProvider, setProvider } from "../sms/set-provider.ts";
import { findNextProvider, findProvider, loadSmsAccount } from "../sms/find-provider.ts";
import { testProvider } from "../sms/test-provider.ts";
import { sweepOtp } from "./sweep-otp.ts";
import { recoverOtp } from "./recover-otp.ts";
import { updateWorkspace } from "../workspaces/update-workspace.ts";
import { sendOtp } from "./send-otp.ts";

let t: TestApp;
let base = "";
let logged = "";
let sent: URLSearchParams[] = [];
type Answer = (response: ServerResponse, form: URLSearchParams) => void;
const json =
  (status: number, body: object): Answer =>
  (response) =>
    void response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));
const taken: Answer = (response, form) =>
  json(201, { sid: `SM${form.get("To")}`, status: "queued" })(response, form);
let answer: Answer = taken;

const gateway = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    sent.push(form);
    answer(response, form);
  });
});

before(async () => {
  const log = pino({ level: "trace" }, { write: (line: string) => void (logged += line) });
  t = await startTestApp({ overrides: { log } });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});
after(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await t[Symbol.asyncDispose]();
});
beforeEach(() => {
  sent = [];
  answer = taken;
});

const twilio = { provider: "twilio", accountSid: "AC1", authToken: "token-1", from: "15551234567" };

async function workspace(options: { credits?: number; verified?: boolean } = {}): Promise<string> {
  const id = t.app.ids.next();
  await t.app.db.query(sql`insert into workspace (id, name, plan, sms_credits, created_at)
    values (${id}, 'A', 'free', ${options.credits ?? null}, ${t.clock.now()})`);
  await setProvider(OPERATOR, t.app, id, { ...twilio, apiUrl: base });
  if (options.verified ?? true) {
    await testProvider(OPERATOR, t.app, id, "+965 5000 0001");
    sent = [];
  }
  return id;
}

const otp = { mobile: "+965 5000-0001", message: "Your code is 482913", lang: "E" } as const;
const credits = async (id: string) =>
  (
    await t.app.db.query<{ n: number }>(
      sql`select sms_credits as n from workspace where id = ${id}`,
    )
  )[0]?.n;
interface Row {
  status: string;
  error_code: string | null;
  mobile: string;
  segments: number;
}
const records = (id: string) =>
  t.app.db.query<Row>(sql`select status, error_code, mobile, segments from otp_record
    where workspace_id = ${id} order by id`);
const events = async (id: string) =>
  (
    await t.app.db.query<{ body: string }>(
      sql`select body from event where workspace_id = ${id} order by sequence`,
    )
  ).map(
    (row) => (JSON.parse(row.body) as { data: { status: string; previousStatus: string } }).data,
  );
const refused = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code;
const retryAfter = (error: unknown) =>
  error instanceof AppError ? error.facts.retryAfterSeconds : undefined;

test("a passcode goes out within the call and its record keeps everything but the text", async () => {
  const id = await workspace({ credits: 5 });
  const result = await sendOtp(KEY, t.app, id, otp);
  assert.deepEqual(result, { requestId: result.requestId, sent: true, provider: "twilio" });
  assert.equal(sent[0]?.get("To"), "+96550000001");
  assert.equal(sent[0]?.get("From"), "+15551234567");
  assert.equal(sent[0]?.get("Body"), otp.message);
  assert.match(
    sent[0]?.get("StatusCallback") ?? "",
    new RegExp(`/hooks/sms/.*m=${result.requestId}$`),
  );
  assert.deepEqual(await records(id), [
    { status: "sent", error_code: null, mobile: "96550000001", segments: 1 },
  ]);
  assert.equal(await credits(id), 4);
  assert.deepEqual(
    (await events(id)).map((data) => [data.previousStatus, data.status]),
    [[null, "sent"]],
  );
});

test("without an account, or with an untested one, a send is refused before any call", async () => {
  const id = await workspace({ verified: false });
  await assert.rejects(sendOtp(KEY, t.app, id, otp), refused("SMS_PROVIDER_NOT_VERIFIED"));
  await assert.rejects(
    sendOtp(KEY, t.app, t.app.ids.next(), otp),
    refused("SMS_PROVIDER_NOT_VERIFIED"),
  );
  assert.equal(sent.length, 0);
});

test("a refused test send does not verify the account; a verified one sends until a new one has passed its test", async () => {
  const id = await workspace({ verified: false });
  answer = json(401, { code: 20003, message: "Authenticate" });
  assert.deepEqual(await testProvider(OPERATOR, t.app, id, "96550000001"), {
    sent: false,
    errorCode: "GATEWAY_AUTH",
    error: "20003 Authenticate",
  });
  assert.equal((await findProvider(t.app, id))?.verifiedAt, null);
  answer = taken;
  const tested = await testProvider(OPERATOR, t.app, id, "96550000001");
  assert.ok(tested.sent && tested.provider.verifiedAt);
  t.clock.advance(1_000);
  const replaced = await setProvider(OPERATOR, t.app, id, {
    ...twilio,
    apiUrl: base,
    authToken: "token-2",
  });
  assert.deepEqual(
    [replaced.id, replaced.verifiedAt, replaced.waits],
    [tested.provider.id, null, true],
  );
  assert.ok(!JSON.stringify(replaced).includes("token-2"));
  const used = async () => {
    sent.length = 0;
    assert.equal((await sendOtp(KEY, t.app, id, otp)).sent, true);
    return (await loadSmsAccount(t.app, id))?.account.secrets["authToken"];
  };
  assert.equal(await used(), "token-1");
  answer = json(401, { code: 20003, message: "Authenticate" });
  assert.equal((await testProvider(OPERATOR, t.app, id, "96550000001")).sent, false);
  answer = taken;
  assert.equal(await used(), "token-1", "a refused test changes nothing");
  assert.notEqual((await findProvider(t.app, id))?.verifiedAt, null);
  assert.equal((await testProvider(OPERATOR, t.app, id, "96550000001")).sent, true);
  assert.equal(await used(), "token-2");
  assert.equal(await findNextProvider(t.app, id), null);
});

test("an account that waits is replaced by a later one, tested as it was, or discarded; no sandbox takes a real one's place", async () => {
  const id = await workspace({});
  const wait = (authToken: string) =>
    setProvider(OPERATOR, t.app, id, { ...twilio, apiUrl: base, authToken });
  await wait("token-2");
  answer = (response, form) => {
    t.clock.advance(1_000);
    void wait("token-3").then(() => taken(response, form));
  };
  await assert.rejects(testProvider(OPERATOR, t.app, id, "96550000001"), refused("CONFLICT"));
  answer = taken;
  assert.equal((await loadSmsAccount(t.app, id))?.account.secrets["authToken"], "token-1");
  await discardProvider(OPERATOR, t.app, id);
  await assert.rejects(discardProvider(OPERATOR, t.app, id), refused("NOT_FOUND"));
  assert.equal((await sendOtp(KEY, t.app, id, otp)).sent, true);
  const sandbox = setProvider(OPERATOR, t.app, id, twilio, { sandbox: true });
  await assert.rejects(sandbox, refused("NOT_ALLOWED_IN_STATE"));
});

test("a test send does not verify an account that was changed meanwhile", async () => {
  const id = await workspace({ verified: false });
  answer = (response, form) => {
    t.clock.advance(1_000);
    void setProvider(OPERATOR, t.app, id, { ...twilio, apiUrl: base }).then(() =>
      taken(response, form),
    );
  };
  await assert.rejects(testProvider(OPERATOR, t.app, id, "96550000001"), refused("CONFLICT"));
  assert.equal((await findProvider(t.app, id))?.verifiedAt, null);
});

test("a wrong field of an account is refused by its name", async () => {
  const id = await workspace({ verified: false });
  for (const [field, value] of [
    ["provider", "carrier-pigeon"],
    ["accountSid", ""],
    ["authToken", "two words"],
    ["from", "+"],
    ["apiUrl", "ftp://x"],
  ] as const) {
    await assert.rejects(
      setProvider(OPERATOR, t.app, id, { ...twilio, [field]: value }),
      (error) => error instanceof AppError && error.facts.details?.[0]?.path === field,
    );
  }
  await assert.rejects(
    setProvider(OPERATOR, t.app, t.app.ids.next(), twilio),
    refused("NOT_FOUND"),
  );
});

test("a suspended workspace sends nothing", async () => {
  const id = await workspace();
  await t.app.db.query(sql`update workspace set suspended_at = ${t.clock.now()} where id = ${id}`);
  await assert.rejects(sendOtp(KEY, t.app, id, otp), refused("SUBSCRIPTION_SUSPENDED"));
  assert.equal(sent.length, 0);
});

test("one number gets no more passcodes in ten minutes than its workspace allows; without a limit it gets all", async () => {
  const id = await workspace();
  const send = (mobile: string = otp.mobile) => sendOtp(KEY, t.app, id, { ...otp, mobile });
  for (let n = 0; n < 12; n++) await send();
  await updateWorkspace(OPERATOR, t.app, id, { otpPerNumber: 5 });
  const tries = await Promise.allSettled(Array.from({ length: 12 }, () => send()));
  const failed = tries.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
  assert.equal(failed.length, 7);
  for (const error of failed) {
    assert.ok(error instanceof AppError && error.code === "OTP_RATE_LIMITED");
    assert.deepEqual([error.facts.limit, error.facts.usage, retryAfter(error)], [5, 5, 600]);
  }
  // The same number in another form is the same; another number has its own limit.
  await assert.rejects(send("0096550000001"), refused("OTP_RATE_LIMITED"));
  await send("96550009999");
  t.clock.advance(600_001);
  await send();
  for (const otpPerNumber of [0, 1.5, 1_001])
    await assert.rejects(
      updateWorkspace(OPERATOR, t.app, id, { otpPerNumber }),
      refused("VALIDATION_FAILED"),
    );
});

test("60 sends in a minute pass, the 61st is refused with limit and usage, and a minute later sends pass again", async () => {
  const id = await workspace();
  const results = await Promise.allSettled(
    Array.from({ length: 61 }, () => sendOtp(KEY, t.app, id, otp)),
  );
  const failures = results.flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  assert.equal(failures.length, 1);
  const [error] = failures;
  assert.ok(error instanceof AppError && error.code === "OTP_RATE_LIMITED");
  assert.deepEqual([error.facts.limit, error.facts.usage, retryAfter(error)], [60, 60, 60]);
  assert.equal(sent.length, 60);
  t.clock.advance(59_999);
  await assert.rejects(
    sendOtp(KEY, t.app, id, otp),
    (again) => refused("OTP_RATE_LIMITED")(again) && retryAfter(again) === 1,
  );
  t.clock.advance(1);
  assert.equal((await sendOtp(KEY, t.app, id, otp)).sent, true);
});

test("each segment costs one credit, and a text that costs more than is left is not sent", async () => {
  const id = await workspace({ credits: 5 });
  const long = { ...otp, message: "م".repeat(71) };
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => sendOtp(KEY, t.app, id, long)));
  assert.equal(results.filter((one) => one.status === "fulfilled").length, 2);
  const reason = results.find((one) => one.status === "rejected")?.reason as unknown;
  assert.ok(reason instanceof AppError && reason.code === "INSUFFICIENT_CREDITS");
  assert.equal(reason.facts.usage, 2);
  assert.equal(await credits(id), 1);
  assert.equal((await records(id)).length, 2);
  await sendOtp(KEY, t.app, id, otp);
  await assert.rejects(sendOtp(KEY, t.app, id, otp), refused("INSUFFICIENT_CREDITS"));
  assert.equal(await credits(id), 0);
});

test("lang A costs the segments that are sent: in UCS-2 when the gateway is told so, otherwise as the text needs", async () => {
  const latin = { ...otp, message: "a".repeat(100), lang: "A" } as const;
  const byTwilio = await workspace({ credits: 5 });
  await sendOtp(KEY, t.app, byTwilio, latin);
  assert.equal(await credits(byTwilio), 4);
  const byVonage = await workspace({ credits: 5, verified: false });
  answer = json(200, { "message-count": "1", messages: [{ status: "0", "message-id": "v1" }] });
  const vonage = { provider: "vonage", apiKey: "k1", apiSecret: "s1", from: "SHOP" };
  await setProvider(OPERATOR, t.app, byVonage, { ...vonage, apiUrl: base });
  await testProvider(OPERATOR, t.app, byVonage, "+965 5000 0001");
  const left = Number(await credits(byVonage));
  await sendOtp(KEY, t.app, byVonage, latin);
  assert.equal(sent.at(-1)?.get("type"), "unicode");
  assert.equal(await credits(byVonage), left - 2);
  await sendOtp(KEY, t.app, byVonage, { ...latin, lang: "E" });
  assert.equal(await credits(byVonage), left - 3);
});

test("a rejection by the gateway is a result with its own code, and the credits come back", async () => {
  const id = await workspace({ credits: 5 });
  answer = json(400, { code: 21614, message: "'To' number is not a valid mobile number" });
  const result = await sendOtp(KEY, t.app, id, otp);
  assert.deepEqual(result, {
    requestId: result.requestId,
    sent: false,
    provider: "twilio",
    error: "21614 'To' number is not a valid mobile number",
    errorCode: "UNREACHABLE_NUMBER",
  });
  assert.equal(await credits(id), 5);
  assert.deepEqual((await records(id))[0]?.status, "failed");
});

test("a text that is no phone number is answered without a call to the gateway and without credits", async () => {
  const id = await workspace({ credits: 5 });
  for (const mobile of ["not-a-number", "١٢٣abc", "+".repeat(6)]) {
    const result = await sendOtp(KEY, t.app, id, { ...otp, mobile });
    assert.deepEqual([result.sent, result.errorCode], [false, "INVALID_NUMBER"]);
  }
  assert.deepEqual(
    (await events(id)).map((data) => data.status),
    ["failed", "failed", "failed"],
  );
  assert.equal((await sendOtp(KEY, t.app, id, { ...otp, mobile: "٠٠٩٦٥٥٠٠٠٠٠٠١" })).sent, true);
  assert.equal(sent.length, 1);
  assert.equal(sent[0]?.get("To"), "+96550000001");
  assert.equal(await credits(id), 4);
});

test("a lost answer is told as a time-out; the record is unknown and the credits stay spent", async () => {
  const id = await workspace({ credits: 5 });
  answer = (response) => void response.destroy();
  const result = await sendOtp(KEY, t.app, id, otp);
  assert.deepEqual([result.sent, result.errorCode], [false, "GATEWAY_UNAVAILABLE"]);
  assert.equal((await records(id))[0]?.status, "unknown");
  assert.equal(await credits(id), 4);
});

test("a call that a crash cut off is marked unknown after a minute, and a repeated key gets that answer", async () => {
  const id = await workspace();
  const begun = Promise.withResolvers<string>();
  // The process dies here: the record is committed, and nobody writes the gateway's answer.
  const lost = sendOtp(
    KEY,
    { ...t.app, providerHttp: { request: () => new Promise(() => {}) } },
    id,
    otp,
    {
      within: (_tx, record) => Promise.resolve(begun.resolve(record.id)),
    },
  );
  void lost;
  const requestId = await begun.promise;
  // Its commit is under way.
  while ((await records(id)).length === 0);
  assert.equal(await recoverOtp(t.app, id, requestId), null);
  t.clock.advance(59_999);
  assert.equal(await sweepOtp(t.app, 10), 0);
  t.clock.advance(1);
  assert.equal(await sweepOtp(t.app, 10), 1);
  const result = await recoverOtp(t.app, id, requestId);
  assert.deepEqual([result?.sent, result?.errorCode], [false, "GATEWAY_TIMEOUT"]);
  assert.equal(await recoverOtp(t.app, await workspace(), requestId), null);
  // Another record of the workspace belongs to another answer.
  const later = await sendOtp(KEY, t.app, id, otp);
  assert.deepEqual(await recoverOtp(t.app, id, later.requestId), later);
  assert.deepEqual(await recoverOtp(t.app, id, requestId), result);
  await t.app.db.query(
    sql`update otp_record set status = 'delivered' where id = ${later.requestId}`,
  );
  assert.deepEqual(await recoverOtp(t.app, id, later.requestId), later);
  const told = (await events(id)).find(({ status }) => status === "unknown");
  assert.deepEqual(told, {
    requestId,
    provider: "twilio",
    previousStatus: null,
    status: "unknown",
    errorCode: "GATEWAY_TIMEOUT",
    error: "the call was cut off: nobody knows whether the message went",
    occurredAt: t.clock.now().toISOString(),
  });
});

test("when storing the caller's answer fails, nothing is sent and nothing is spent", async () => {
  const id = await workspace({ credits: 5 });
  const within = () => Promise.reject(new Error("second"));
  await assert.rejects(sendOtp(KEY, t.app, id, otp, { within }), /second/);
  assert.deepEqual([sent.length, await credits(id), (await records(id)).length], [0, 5, 0]);
});

test("the admins are told once of refused credentials", async () => {
  const id = await workspace();
  answer = json(401, { code: 20003, message: "Authenticate" });
  for (let index = 0; index < 3; index++) {
    assert.equal((await sendOtp(KEY, t.app, id, otp)).errorCode, "GATEWAY_AUTH");
  }
  const notices = await t.app.db.query(sql`select kind from notice where workspace_id = ${id}`);
  assert.deepEqual(notices, [{ kind: "sms_provider.refused" }]);
});

test("the text is in no table, no log line and no result, whatever came of the send", async () => {
  const id = await workspace({ credits: 100 });
  const canaries: string[] = [];
  const message = () => {
    const canary = `CANARY${canaries.length}x${t.app.ids.next().slice(-12)}`;
    canaries.push(canary);
    return `Your code is ${canary}, keep it`;
  };
  const echo =
    (status: number, code: number): Answer =>
    (response, form) =>
      json(status, { code, message: `Body ${form.get("Body")} refused` })(response, form);
  const outcomes: Answer[] = [
    taken,
    echo(400, 21602),
    echo(401, 20003),
    echo(500, 20500),
    echo(429, 20429),
    (response, form) => json(200, { body: form.get("Body") })(response, form),
    (response, form) => void response.writeHead(200).end(form.get("Body")),
    (response) => void response.destroy(),
  ];
  let results = "";
  for (const one of outcomes) {
    answer = one;
    results += JSON.stringify(await sendOtp(KEY, t.app, id, { ...otp, message: message() }));
  }
  answer = taken;
  results += JSON.stringify(
    await sendOtp(KEY, t.app, id, { mobile: "nonsense", message: message(), lang: "A" }),
  );
  // A defect in a gateway's code must not show the text either.
  const defect = { request: () => Promise.reject(new Error(message())) };
  results += JSON.stringify(
    await sendOtp(KEY, { ...t.app, providerHttp: defect }, id, { ...otp, message: message() }),
  );
  await t.app.db.query(sql`update workspace set sms_credits = 0 where id = ${id}`);
  results += String(
    await sendOtp(KEY, t.app, id, { ...otp, message: message() }).catch((error: unknown) => error),
  );

  const client = new pg.Client({ connectionString: t.databaseUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  let stored = "";
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string }>(`select x::text as text from ${name} x`);
    stored += rows.map((row) => row.text).join("\n");
  }
  await client.end();
  assert.ok(stored.includes(id) && canaries.length === 12);
  for (const canary of canaries) {
    for (const [place, text] of Object.entries({ stored, logged, results })) {
      assert.ok(!text.includes(canary), `${canary} is in what is ${place}`);
    }
  }
});
