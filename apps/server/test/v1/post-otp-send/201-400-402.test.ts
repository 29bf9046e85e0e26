import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { HttpFailure, type HttpRequest, type HttpResponse } from "../../../src/lib/http.ts";
import { setProvider } from "../../../src/sms/set-provider.ts";
import { testProvider } from "../../../src/sms/test-provider.ts";
import { sql } from "../../../src/db/sql.ts";
import { updateWorkspace } from "../../../src/workspaces/update-workspace.ts";
import { startApi, type Api } from "../api.ts";
import { streaming } from "../../streaming.ts";

const CANARY = "739184";
const OTP = { mobile: "201001234567", message: `Your code is ${CANARY}` };

let api: Api;
let calls: HttpRequest[] = [];
let gateway: () => Promise<HttpResponse>;
const answer = (status: number, body: object): HttpResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(body)),
});
let sid = 0;
const accepts = async () =>
  answer(201, { sid: `SM${String(++sid).padStart(32, "0")}`, status: "queued" });

before(async () => {
  gateway = accepts;
  const providerHttp = {
    request(request: HttpRequest) {
      calls.push(request);
      return gateway();
    },
  };
  api = await startApi({ overrides: { providerHttp: streaming(providerHttp) } });
});
after(() => api[Symbol.asyncDispose]());
beforeEach(() => {
  calls = [];
  gateway = accepts;
});

async function workspace(verified = true): Promise<{ workspaceId: string; bearer: string }> {
  const made = await api.newWorkspace();
  const account = { provider: "twilio", accountSid: "AC1", authToken: "t", from: "+15005550006" };
  await setProvider(OPERATOR, api.app, made.workspaceId, account);
  if (verified) await testProvider(OPERATOR, api.app, made.workspaceId, "201001234567");
  calls = [];
  return made;
}
const post = (bearer: string, json: unknown = OTP, key?: string) =>
  api.call("POST", "/otp/send", {
    json,
    bearer,
    ...(key && { headers: { "idempotency-key": key } }),
  });

test("what the gateway takes is 201 with sent true and no error", async () => {
  const { bearer } = await workspace();
  for (const json of [
    OTP,
    { ...OTP, lang: "E" },
    { mobile: "201001234567", message: "رمزك 1234", lang: "A" },
  ]) {
    const { status, body } = await post(bearer, json);
    assert.equal(status, 201);
    assert.deepEqual(Object.keys(body).sort(), ["provider", "requestId", "sent"]);
    assert.deepEqual([body["sent"], body["provider"]], [true, "twilio"]);
  }
  assert.equal(calls.length, 3);
});

test("what the gateway rejects is 201 too, with sent false, error and errorCode", async () => {
  const { bearer } = await workspace();
  gateway = async () =>
    answer(400, { code: 21211, message: `Invalid 'To' for ${CANARY}`, status: 400 });
  const { status, body, text } = await post(bearer);
  assert.deepEqual([status, body["sent"], body["errorCode"]], [201, false, "INVALID_NUMBER"]);
  assert.match(String(body["error"]), /21211/);
  assert.ok(!text.includes(CANARY));
});

test("bounds hold at their limits and not one past them", async () => {
  const { bearer } = await workspace();
  for (const json of [
    { ...OTP, mobile: "123456" },
    { ...OTP, mobile: "1".repeat(20) },
    { ...OTP, message: "m" },
    { ...OTP, message: "m".repeat(1000) },
    { ...OTP, message: "🙂".repeat(1000) },
  ])
    assert.equal((await post(bearer, json)).status, 201);
  const cases: [unknown, string[]][] = [
    [{ ...OTP, mobile: "12345" }, ["mobile"]],
    [{ ...OTP, mobile: "1".repeat(21) }, ["mobile"]],
    [{ ...OTP, message: "" }, ["message"]],
    [{ ...OTP, message: "m".repeat(1001) }, ["message"]],
    [{ ...OTP, lang: "e" }, ["lang"]],
    [{ ...OTP, lang: null }, ["lang"]],
    [{}, ["message", "mobile"]],
    [{ mobile: 201001234567, message: 5 }, ["message", "mobile"]],
    [{ ...OTP, message: "\0" }, ["message"]],
  ];
  calls = [];
  for (const [json, paths] of cases) {
    const { status, body, text } = await post(bearer, json);
    assert.deepEqual(
      [status, body.message],
      [400, "VALIDATION_FAILED"],
      JSON.stringify(json).slice(0, 60),
    );
    assert.deepEqual(body.details?.map((one) => one.path).sort(), paths);
    assert.ok(!text.includes(CANARY));
  }
  assert.equal(calls.length, 0);
});

test("without a verified provider it is refused before any call", async () => {
  const none = await api.newWorkspace();
  const unverified = await workspace(false);
  for (const { bearer } of [none, unverified]) {
    const { status, body } = await post(bearer);
    assert.deepEqual([status, body.message], [400, "SMS_PROVIDER_NOT_VERIFIED"]);
  }
  assert.equal(calls.length, 0);
});

test("sixty sends in a minute pass, the next is 402 OTP_RATE_LIMITED, whatever the key", async () => {
  const { workspaceId, bearer } = await workspace();
  const other = await api.key([], workspaceId);
  const answers = await Promise.all(
    Array.from({ length: 70 }, (_, i) => post(i % 2 ? bearer : other)),
  );
  assert.equal(answers.filter((one) => one.status === 201).length, 60);
  const refused = answers.find((one) => one.status === 402);
  assert.deepEqual(refused?.body, {
    statusCode: 402,
    error: "Payment Required",
    message: "OTP_RATE_LIMITED",
    code: "OTP_RATE_LIMITED",
    limit: 60,
    usage: 60,
  });
  assert.equal((await post(bearer, OTP, "later")).status, 402);
  api.clock.advance(60_000);
  assert.equal(
    (await post(bearer, OTP, "later")).status,
    201,
    "a passing refusal is not kept under the key",
  );
});

test("too few credits are 402 INSUFFICIENT_CREDITS before any call", async () => {
  const { workspaceId, bearer } = await workspace();
  await updateWorkspace(OPERATOR, api.app, workspaceId, { smsCredits: 1 });
  assert.equal((await post(bearer)).status, 201);
  const { status, body } = await post(bearer);
  assert.deepEqual(
    [status, body.message, body["code"]],
    [402, "INSUFFICIENT_CREDITS", "INSUFFICIENT_CREDITS"],
  );
  assert.equal(calls.length, 1);
});

test("a suspended workspace is 402", async () => {
  const { workspaceId, bearer } = await workspace();
  await updateWorkspace(OPERATOR, api.app, workspaceId, { suspended: true });
  assert.equal((await post(bearer)).body["code"], "SUBSCRIPTION_SUSPENDED");
  assert.equal(calls.length, 0);
});

test("with a key it is sent once; while the call is out the key is 409", async () => {
  const { bearer } = await workspace();
  const { promise, resolve } = Promise.withResolvers<HttpResponse>();
  gateway = () => promise;
  const first = post(bearer, OTP, "k");
  while (calls.length === 0) await new Promise(setImmediate);
  const second = await post(bearer, OTP, "k");
  assert.deepEqual([second.status, second.body.message], [409, "IDEMPOTENCY_IN_PROGRESS"]);
  resolve(await accepts());
  const { text } = await first;
  const third = await post(bearer, OTP, "k");
  assert.deepEqual(
    [third.status, third.headers["idempotency-replayed"], third.text],
    [201, "true", text],
  );
  assert.equal((await post(bearer, { ...OTP, message: "other" }, "k")).status, 422);
  assert.equal(calls.length, 1);
});

test("after a crash in mid-call the key says what the record says, once that is known", async () => {
  const { workspaceId, bearer } = await workspace();
  gateway = () => Promise.reject(new HttpFailure("timeout", true, "no answer"));
  const lost = await post(bearer, OTP, "c");
  assert.deepEqual(
    [lost.status, lost.body["sent"], lost.body["errorCode"]],
    [201, false, "GATEWAY_TIMEOUT"],
  );
  // As the row stands when the process dies before it could settle.
  await api.app.db.query(sql`
    update idempotency_key set status_code = null, body = ${lost.body["requestId"]} where workspace_id = ${workspaceId}`);
  assert.equal((await post(bearer, OTP, "c")).status, 409);
  api.clock.advance(60_000);
  const known = await post(bearer, OTP, "c");
  assert.deepEqual(
    [known.status, known.headers["idempotency-replayed"], known.body],
    [201, "true", lost.body],
  );
  assert.equal(calls.length, 1);
});

test("the passcode is in no table afterwards", async () => {
  const tables = await api.app.db.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  let rows = 0;
  for (const { name } of tables) {
    const { Sql } = await import("../../../src/db/sql.ts");
    const found = await api.app.db.query<{ row: string }>(
      new Sql([`select t::text as row from "${name}" t`], []),
    );
    rows += found.length;
    for (const { row } of found) assert.ok(!row.includes(CANARY), `${name}: ${row}`);
  }
  assert.ok(rows > 50);
});
