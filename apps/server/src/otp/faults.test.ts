import { KEY } from "../../test/actors.ts";
import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { setProvider } from "../sms/set-provider.ts";
import { testProvider } from "../sms/test-provider.ts";
import { findProvider } from "../sms/find-provider.ts";
import { sendOtp } from "./send-otp.ts";
import { sweepOtp } from "./sweep-otp.ts";
import { receiveSmsReport } from "./receive-sms-report.ts";

let t: TestApp;
let calls = 0;
const providerHttp: Context["providerHttp"] = {
  request: () => {
    calls++;
    return Promise.resolve({ status: 201, headers: {}, body: Buffer.from('{"sid":"SM1"}') });
  },
  stream: () => Promise.reject(new Error("not used")),
};
before(async () => {
  t = await startTestApp({ overrides: { providerHttp } });
});
after(() => t[Symbol.asyncDispose]());
beforeEach(() => (calls = 0));

const otp = { mobile: "96550000001", message: "Your code is 482913", lang: "E" } as const;

async function workspace(): Promise<string> {
  const id = t.app.ids.next();
  await t.app.db.query(sql`insert into workspace (id, name, plan, sms_credits, created_at)
    values (${id}, 'A', 'free', 10, ${t.clock.now()})`);
  const account = { accountSid: "AC1", authToken: "token-1", from: "15551234567" };
  await setProvider(OPERATOR, t.app, id, { provider: "twilio", ...account });
  assert.ok((await testProvider(OPERATOR, t.app, id, otp.mobile)).sent);
  calls = 0;
  return id;
}

/**
 * The app. It calls back with the number of each transaction that ended, and the callback may break the answer to it.
 */
function meddled(ended: (number: number) => Promise<void> | void): TestApp["app"] {
  const { db } = t.app;
  let number = 0;
  const other: Db = {
    ...db,
    async transaction(work) {
      const mine = ++number;
      const value = await db.transaction(work);
      await ended(mine);
      return value;
    },
  };
  return { ...t.app, db: other };
}

const stored = (id: string) =>
  t.app.db.query(sql`select o.status, o.error_code, w.sms_credits as credits
    from otp_record o join workspace w on w.id = o.workspace_id where o.workspace_id = ${id}`);

const AWAY = "Connection terminated unexpectedly";

test("the database is away for a moment after the gateway took the passcode: the answer says so, once", async () => {
  const id = await workspace();
  const app = meddled((number) => {
    if (number === 2) throw new Error(AWAY);
  });
  assert.equal((await sendOtp(KEY, app, id, otp)).sent, true);
  assert.equal(calls, 1);
  assert.deepEqual(await stored(id), [{ status: "sent", error_code: null, credits: 9 }]);
});

test("the database stays away after the gateway took the passcode: the answer says what the gateway said", async (context) => {
  const id = await workspace();
  const { db } = t.app;
  let number = 0;
  const away: Db = {
    ...db,
    async transaction(work) {
      if (++number === 1) {
        const begun = await db.transaction(work);
        // Not before: the pool would take back its own timers in vain, and the process would wait a minute for them.
        context.mock.timers.enable({ apis: ["setTimeout"] });
        return begun;
      }
      // After the last try nobody waits.
      if (number < 8) setImmediate(() => context.mock.timers.tick(60_000));
      throw new Error(AWAY);
    },
  };
  const result = await sendOtp(KEY, { ...t.app, db: away }, id, otp);
  context.mock.timers.reset();
  assert.deepEqual([result.sent, calls], [true, 1]);
  assert.equal(number, 8, "the record, and seven tries to settle it");
  // The outcome could not be stored, so it is unknown until the gateway reports.
  t.clock.advance(60_000);
  assert.equal(await sweepOtp(t.app, 10), 1);
  assert.deepEqual(await stored(id), [
    { status: "unknown", error_code: "GATEWAY_TIMEOUT", credits: 9 },
  ]);
});

/** A receipt that names only the gateway's id. */
const unnamed = (status: "delivered" | "failed") => ({
  externalMessageId: "SM1",
  correlationId: null,
  status,
  occurredAt: null,
  errorCode: status === "failed" ? "30005" : null,
  errorDetail: null,
  smsCode: status === "failed" ? ("UNREACHABLE_NUMBER" as const) : null,
});

for (const [status, error_code] of [
  ["delivered", null],
  ["failed", "UNREACHABLE_NUMBER"],
] as const)
  test(`a receipt that comes before the gateway's answer and names only the gateway's id counts: ${status}`, async () => {
    const id = await workspace();
    const account = await findProvider(t.app, id);
    const place = { workspaceId: id, providerId: account?.id ?? "" };
    const app = meddled(async (number) => {
      if (number === 1)
        await receiveSmsReport(t.app, place, { receipts: [unnamed(status)], inbound: [] });
    });
    const result = await sendOtp(KEY, app, id, otp);
    assert.deepEqual([result.sent, result.errorCode ?? null], [status !== "failed", error_code]);
    assert.deepEqual(await stored(id), [{ status, error_code, credits: 9 }]);
    assert.deepEqual(
      await t.app.db.query(sql`select body::json #>> '{data,previousStatus}' as "from",
          body::json #>> '{data,status}' as "to" from event
        where workspace_id = ${id} and type = 'otp.status' order by sequence`),
      [
        { from: null, to: "sent" },
        { from: "sent", to: status },
      ],
    );
  });

test("a receipt that comes while the answer is being stored counts too", async () => {
  const id = await workspace();
  const account = await findProvider(t.app, id);
  const place = { workspaceId: id, providerId: account?.id ?? "" };
  const { db } = t.app;
  let number = 0;
  let report: Promise<void> | undefined;
  const busy: Db = {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const value = await work(tx);
        if (++number !== 2) return value;
        // The answer is written and not committed.
        report = receiveSmsReport(t.app, place, { receipts: [unnamed("delivered")], inbound: [] });
        const waiting = sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        while ((await db.query(waiting)).length === 0);
        return value;
      }),
  };
  await sendOtp(KEY, { ...t.app, db: busy }, id, otp);
  await report;
  assert.deepEqual(await stored(id), [{ status: "delivered", error_code: null, credits: 9 }]);
});

test("a second report about a passcode waits for the first, and moves on from its status", async () => {
  const id = await workspace();
  const { requestId } = await sendOtp(KEY, t.app, id, otp);
  const account = await findProvider(t.app, id);
  const failed = {
    externalMessageId: "SM1",
    correlationId: requestId,
    status: "failed",
    occurredAt: null,
    errorCode: "30005",
    errorDetail: null,
    smsCode: "UNREACHABLE_NUMBER",
  } as const;
  const told = await t.app.db.transaction(async (tx) => {
    await tx.query(sql`update otp_record set status = 'delivered' where id = ${requestId}`);
    const report = receiveSmsReport(
      t.app,
      { workspaceId: id, providerId: account?.id ?? "" },
      { receipts: [failed], inbound: [] },
    );
    const waiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await t.app.db.query(waiting)).length === 0);
    return { report };
  });
  await told.report;
  assert.deepEqual(await stored(id), [{ status: "delivered", error_code: null, credits: 9 }]);
});

test("a process that was paused between the record and the call sends no passcode minutes late", async () => {
  const id = await workspace();
  const app = meddled(async (number) => {
    if (number !== 1) return;
    t.clock.advance(60_000);
    assert.equal(await sweepOtp(t.app, 10), 1);
  });
  const result = await sendOtp(KEY, app, id, otp);
  assert.deepEqual([result.sent, result.errorCode, calls], [false, "GATEWAY_UNAVAILABLE", 0]);
  assert.deepEqual(await stored(id), [
    { status: "failed", error_code: "GATEWAY_UNAVAILABLE", credits: 10 },
  ]);
});
