import { KEY } from "../../test/actors.ts";
import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import { LONG as isLong } from "../../test/group.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import type { Context } from "../context.ts";
import { sql, Sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { latinDigits } from "../lib/latin-digits.ts";
import { erasePasscodes } from "./person-passcodes.ts";
import { pruneOtp } from "./prune-otp.ts";
import { setProvider } from "../sms/set-provider.ts";
import { testProvider } from "../sms/test-provider.ts";
import { updateWorkspace } from "../workspaces/update-workspace.ts";
import {
  cancelVerification,
  checkVerification,
  readVerification,
  startVerification,
} from "./verifications.ts";

let t: TestApp;
let logged = "";
let texts: string[] = [];
let answer = { status: 201, body: '{"sid":"SM1"}' };
const providerHttp: Context["providerHttp"] = {
  request: (call) => {
    texts.push(
      new URLSearchParams(typeof call.body === "string" ? call.body : "").get("Body") ?? "",
    );
    return Promise.resolve({ ...answer, headers: {}, body: Buffer.from(answer.body) });
  },
  stream: () => Promise.reject(new Error("not used")),
};
before(async () => {
  const log = pino({ level: "trace" }, { write: (line: string) => void (logged += line) });
  t = await startTestApp({ overrides: { providerHttp, log } });
});
after(() => t[Symbol.asyncDispose]());
beforeEach(() => {
  texts = [];
  answer = { status: 201, body: '{"sid":"SM1"}' };
});

async function workspace(): Promise<string> {
  const id = t.app.ids.next();
  await t.app.db.query(sql`insert into workspace (id, name, plan, sms_credits, created_at)
    values (${id}, 'Al Noor Shop', 'free', 10, ${t.clock.now()})`);
  const account = { accountSid: "AC1", authToken: "token-1", from: "15551234567" };
  await setProvider(OPERATOR, t.app, id, { provider: "twilio", ...account });
  assert.ok((await testProvider(OPERATOR, t.app, id, "96550000001")).sent);
  texts = [];
  return id;
}

const TO = "+965 5000 0001";
const start = async (w: string, more: { purpose?: string; to?: string; locale?: "ar" } = {}) =>
  (await startVerification(KEY, t.app, w, { to: TO, ...more })).answer;
const check = async (w: string, id: string, code: string) =>
  (await checkVerification(KEY, t.app, w, { id, code })).answer;
/** The code in the text that the phone got last. */
const sentCode = () => /\d{4,10}/.exec(texts.at(-1) ?? "")?.[0] ?? "";
/** A code that is not the one. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof AppError, String(error));
  return error;
};

test("the code of the text approves, once, however many checks have it right at once", async () => {
  const w = await workspace();
  const { id, status, to, triesLeft } = await start(w);
  assert.deepEqual([status, to, triesLeft], ["pending", "··0001", 5]);
  assert.match(
    texts[0] ?? "",
    /^\d{6} is your code for Al Noor Shop\. It is valid for 10 min\. Do not share it\.$/,
  );
  const code = sentCode();
  const answers = await Promise.allSettled(Array.from({ length: 50 }, () => check(w, id, code)));
  const approved = answers.filter((one) => one.status === "fulfilled");
  assert.deepEqual(
    approved.map(({ value }) => value.status),
    ["approved"],
  );
  for (const one of answers)
    if (one.status === "rejected") assert.equal(one.reason.code, "NOT_ALLOWED_IN_STATE");
  assert.equal((await readVerification(KEY, t.app, w, { id })).status, "approved");
});

test("of many wrong checks at once exactly five count; then the right code is refused too", async () => {
  const w = await workspace();
  const { id } = await start(w);
  const code = sentCode();
  const answers = await Promise.all(
    Array.from({ length: isLong ? 1_000 : 100 }, () => check(w, id, other(code))),
  );
  const pending = answers.filter(({ status }) => status === "pending");
  assert.equal(pending.length, 5);
  assert.deepEqual(new Set(pending.map(({ triesLeft }) => triesLeft)), new Set([0, 1, 2, 3, 4]));
  assert.ok(answers.every(({ status }) => status === "pending" || status === "exhausted"));
  assert.equal((await check(w, id, code)).status, "exhausted");
});

test("the fifth wrong code ends a verification: it is answered as the four before it, and read as exhausted", async () => {
  const w = await workspace();
  const { id } = await start(w);
  const code = sentCode();
  for (let left = 4; left >= 0; left--) {
    const { status, triesLeft, endedAt } = await check(w, id, other(code));
    assert.deepEqual([status, triesLeft, endedAt], ["pending", left, null]);
  }
  const { status, triesLeft, endedAt } = await readVerification(KEY, t.app, w, { id });
  assert.deepEqual([status, triesLeft], ["exhausted", 0]);
  assert.equal(endedAt, t.clock.now().toISOString());
  const kept = await t.app.db.query(
    sql`select 1 from otp_verification where id = ${id} and code_mac is not null`,
  );
  assert.deepEqual(kept, [], "the hash of its code is deleted");
  const canceled = await cancelVerification(KEY, t.app, w, { id });
  assert.equal(canceled.answer.status, "exhausted");
});

test("people type a code with spaces, hyphens and Arabic digits", async () => {
  const w = await workspace();
  const { id } = await start(w, { locale: "ar" });
  assert.match(
    texts[0] ?? "",
    /^\d{6} هو رمز التحقق من Al Noor Shop، صالح 10 د\. لا تشاركه مع أحد\.$/,
  );
  const code = sentCode();
  const typed = code.replaceAll(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)));
  assert.equal(latinDigits(typed), code);
  const spaced = ` ${typed.slice(0, 3)}-${typed.slice(3)} `;
  assert.equal((await check(w, id, spaced)).status, "approved");
});

test("a code ends with its time, by a cancel, and by the next code for the same purpose", async () => {
  const w = await workspace();
  const first = await start(w, { purpose: "sign-in" });
  const firstCode = sentCode();
  t.clock.advance(31_000);
  const payment = await start(w, { purpose: "payment" });
  const paymentCode = sentCode();
  t.clock.advance(31_000);
  const second = await start(w, { purpose: "sign-in" });
  const secondCode = sentCode();
  assert.equal((await check(w, first.id, firstCode)).status, "canceled");
  assert.equal((await check(w, payment.id, paymentCode)).status, "approved");
  const canceled = await cancelVerification(KEY, t.app, w, { id: second.id });
  assert.equal(canceled.answer.status, "canceled");
  assert.equal((await check(w, second.id, secondCode)).status, "canceled");
  t.clock.advance(31_000);
  const third = await start(w);
  const thirdCode = sentCode();
  t.clock.advance(600_000);
  assert.equal((await readVerification(KEY, t.app, w, { id: third.id })).status, "expired");
  assert.equal((await check(w, third.id, thirdCode)).status, "expired");
});

test("a number gets one code in 30 seconds and five in ten minutes; another number is not concerned", async () => {
  const w = await workspace();
  await start(w);
  const soon = await refusal(start(w, { to: "0096550000001" }));
  assert.equal(soon.code, "OTP_NUMBER_LIMITED");
  assert.ok((soon.facts.retryAfterSeconds ?? 0) > 25);
  await start(w, { to: "96550000002" });
  for (let n = 0; n < 4; n++) {
    t.clock.advance(31_000);
    await start(w);
  }
  t.clock.advance(31_000);
  assert.equal((await refusal(start(w))).code, "OTP_NUMBER_LIMITED");
  t.clock.advance(600_000);
  assert.equal((await start(w)).status, "pending");
});

test("a code that was refused starts no 30 seconds, and is one of the five", async () => {
  const w = await workspace();
  const refusedAnswer = { status: 400, body: '{"code":21211,"message":"not a number"}' };
  answer = refusedAnswer;
  assert.equal((await start(w)).status, "failed");
  answer = { status: 201, body: '{"sid":"SM1"}' };
  const sent = await start(w, { purpose: "sign-in" });
  assert.equal(sent.status, "pending");
  // The refused one does not hide the one that was sent.
  assert.equal((await refusal(start(w))).code, "OTP_NUMBER_LIMITED");
  t.clock.advance(31_000);
  answer = refusedAnswer;
  for (let n = 0; n < 3; n++) assert.equal((await start(w)).status, "failed");
  const limited = await refusal(start(w));
  assert.equal(limited.code, "OTP_NUMBER_LIMITED");
  assert.ok((limited.facts.retryAfterSeconds ?? 0) > 500);
  assert.match(limited.message, /one code in 30 seconds and 5 in 10 minutes/);
  assert.equal(texts.length, 5);
});

test("what cannot be the code is refused and uses no try", async () => {
  const w = await workspace();
  const { id } = await start(w);
  const code = sentCode();
  for (const typed of ["abc", "1234", `${code}0`, "12345a", "- -", "½23456"]) {
    const refused = await refusal(check(w, id, typed));
    assert.deepEqual(
      [refused.code, refused.message],
      ["VALIDATION_FAILED", "code: must be the 6 digits that were sent; this uses no try"],
    );
  }
  assert.equal((await check(w, id, other(code))).triesLeft, 4);
  // A verification of an earlier version, which did not store the length.
  await t.app.db.query(sql`update otp_verification set code_length = null where id = ${id}`);
  assert.equal((await refusal(check(w, id, "123"))).code, "VALIDATION_FAILED");
  assert.equal((await check(w, id, "1234")).triesLeft, 3);
  assert.equal((await check(w, id, code)).status, "approved");
  assert.equal((await refusal(check(w, id, "abc"))).code, "NOT_ALLOWED_IN_STATE");
});

test("what is no number with its country code is not handed to the gateway", async () => {
  const w = await workspace();
  for (const to of ["nope", "0100", "01001234567", "123456", "123456789012345678", "++965"]) {
    const refused = await refusal(start(w, { to }));
    assert.equal(
      refused.message,
      "to: must be 7 to 15 digits, with the country code and no 0 before it",
    );
  }
  assert.equal(texts.length, 0);
});

test("a workspace that names its countries sends no code elsewhere", async () => {
  const w = await workspace();
  await updateWorkspace(OPERATOR, t.app, w, { otpCountries: ["KW", "SA"] });
  assert.equal((await start(w)).status, "pending");
  const refused = await refusal(start(w, { to: "+44 7400 123456" }));
  assert.equal(refused.code, "OTP_COUNTRY_REFUSED");
  assert.equal(texts.length, 1);
});

test("a message that the gateway refuses ends the verification, with the reason", async () => {
  const w = await workspace();
  answer = { status: 400, body: '{"code":21211,"message":"not a number"}' };
  const failed = await start(w);
  assert.deepEqual([failed.status, failed.errorCode], ["failed", "INVALID_NUMBER"]);
  assert.equal((await check(w, failed.id, sentCode())).status, "failed");
});

test("another workspace's verification is not found", async () => {
  const w = await workspace();
  const { id } = await start(w);
  const stranger = await workspace();
  for (const work of [
    () => check(stranger, id, sentCode()),
    () => readVerification(KEY, t.app, stranger, { id }),
    () => cancelVerification(KEY, t.app, stranger, { id }),
    () => check(w, "no id", "1"),
  ])
    assert.equal((await refusal(work())).code, "NOT_FOUND");
});

test("the code is in no table and no log line; its hash goes when it ends", async () => {
  const w = await workspace();
  const { id } = await start(w);
  const code = sentCode();
  await check(w, id, other(code));
  const tables = await t.app.db.query<{ name: string }>(sql`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`);
  assert.ok(tables.length > 50);
  for (const { name } of tables) {
    // Ids and amounts hold the same digits by chance, so a whole word is looked for.
    const [found] = await t.app.db.query<{ n: number }>(sql`
      select count(*)::int as n from ${new Sql([name], [])} o where o::text ~ ${`\\m${code}\\M`}`);
    assert.equal(found?.n, 0, name);
  }
  assert.doesNotMatch(logged, new RegExp(`\\b${code}\\b`));
  await cancelVerification(KEY, t.app, w, { id });
  const [row] = await t.app.db.query(sql`
    select code_mac from otp_verification where workspace_id = ${w} and id = ${id}`);
  assert.deepEqual(row, { code_mac: null });
});

test("an erased number's verifications are deleted, and any a day after they expired", async () => {
  const w = await workspace();
  const { id } = await start(w);
  const erased = await t.app.db.transaction((tx) =>
    erasePasscodes(t.app, tx, w, ["96550000001"], 100),
  );
  assert.ok(erased >= 2);
  assert.equal((await refusal(readVerification(KEY, t.app, w, { id }))).code, "NOT_FOUND");
  t.clock.advance(31_000);
  const next = await start(w);
  t.clock.advance(24 * 3_600_000);
  await pruneOtp(t.app);
  assert.equal((await readVerification(KEY, t.app, w, { id: next.id })).status, "expired");
  t.clock.advance(3_600_001);
  await pruneOtp(t.app);
  assert.equal((await refusal(readVerification(KEY, t.app, w, { id: next.id }))).code, "NOT_FOUND");
});
