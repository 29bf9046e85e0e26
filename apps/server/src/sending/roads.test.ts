import { KEY } from "../../test/actors.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, mock, test } from "node:test";
import fc from "fast-check";
import { OPERATOR } from "../actor.ts";
import { Shop, startGround, type Ground } from "../broadcasts/record/campaign.fixture.ts";
import { cancelBroadcast } from "../broadcasts/record/change-broadcast.ts";
import type { OutboundMessage, SendOutcome } from "../channels/adapter.ts";
import { adapterFor } from "../channels/registry.ts";
import { updateCredentials } from "../channels/update-credentials.ts";
import { sql } from "../db/sql.ts";
import { createDispatcher } from "../messages/send/dispatch-replies.ts";
import { atOnce } from "../messages/send/at-once.fixture.ts";
import { sendOtp } from "../otp/send-otp.ts";
import { smsProviderFor } from "../sms/registry.ts";
import { setProvider } from "../sms/set-provider.ts";
import { testProvider } from "../sms/test-provider.ts";
import { storeChunk } from "../broadcasts/audience/store-chunk.fixture.ts";
import { sendBatch } from "../broadcasts/send/send-batch.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What an adapter or a gateway returns. "defect" means that its code throws. */
type Given = SendOutcome | "defect";

let ground: Ground;
let replies: Shop;
let campaigns: Shop;
let passcodes: string;
let answer: (message: OutboundMessage) => Promise<SendOutcome>;

before(async () => {
  ground = await startGround();
  const { app } = ground.t;
  mock.method(
    adapterFor("WHATSAPP"),
    "send",
    (_http: unknown, _account: unknown, message: OutboundMessage) => answer(message),
  );
  mock.method(
    smsProviderFor("twilio"),
    "send",
    async (
      _lines: unknown,
      _account: unknown,
      { id, to, text }: { id: string; to: string; text: string },
    ) => {
      const outcome = await answer({ id, to, content: { kind: "text", text } });
      return outcome.ok ? outcome : { ...outcome, smsCode: "REJECTED" };
    },
  );
  answer = accepted;
  replies = await Shop.open(ground);
  campaigns = await Shop.open(ground);
  passcodes = (await Shop.open(ground)).id;
  await app.db.query(sql`update workspace set sms_credits = 10000 where id = ${passcodes}`);
  const account = { accountSid: "AC1", authToken: "token-1", from: "15551234567" };
  await setProvider(OPERATOR, app, passcodes, { provider: "twilio", ...account });
  assert.ok((await testProvider(OPERATOR, app, passcodes, "96550000001")).sent);
});
after(async () => {
  mock.restoreAll();
  await ground[Symbol.asyncDispose]();
});
beforeEach(() => (answer = accepted));

let ids = 0;
const accepted = async (): Promise<SendOutcome> => ({ ok: true, externalId: `given.${++ids}` });

/** The effects of an outcome on one road, read from the database. */
interface Told {
  readonly message: "sent" | "failed" | "again" | "unknown";
  readonly code: string | null;
  /** Milliseconds until its next try. */
  readonly waitMs: number | null;
  /** The row of the consent ledger: the source of the entry, its channel and the provider's code. */
  readonly optedOut: readonly (string | null)[] | null;
  /** The reason of a channel in error. */
  readonly fault: string | null;
  /** How long the whole account waits. */
  readonly throttledMs: number | null;
}

const msFrom = (at: Date | null | undefined): number | null => {
  if (!at) return null;
  const left = at.getTime() - ground.t.clock.now().getTime();
  return left > 0 ? left : null;
};

/** The state of the channel and of the customer's consent. Traces of an earlier outcome on the channel are cleared. */
async function around(shop: Shop, phone: string) {
  const { db } = ground.t.app;
  const [channel] = await db.query<{
    status: string;
    reason: string | null;
    until: Date | null;
  }>(sql`
    select status, status_reason as reason, throttled_until as until from channel
    where workspace_id = ${shop.id}`);
  const optedOut = await ledger(shop.id, phone);
  await db.query(sql`update channel set status = 'connected', status_reason = null, throttled_until = null
    where workspace_id = ${shop.id}`);
  await db.query(sql`delete from number_pace`);
  const fault = channel?.status === "error" ? channel.reason : null;
  return { optedOut, fault, throttledMs: msFrom(channel?.until) };
}

async function ledger(workspaceId: string, phone: string): Promise<Told["optedOut"]> {
  const [entry] = await ground.t.app.db.query<{ source: string; type: string; detail: string }>(sql`
    select source, channel_type as type, detail from consent_entry
    where workspace_id = ${workspaceId} and phone = ${phone} and opted_out`);
  return entry ? [entry.source, entry.type, entry.detail] : null;
}

/** A customer writes, and our reply is handed over with that outcome. */
async function byReply(phone: string): Promise<Told> {
  const { app } = ground.t;
  const { id } = await replies.desk.replies(await replies.desk.hears(phone));
  const dispatcher = createDispatcher(app, atOnce);
  assert.equal(await dispatcher.claim(), 1);
  await Promise.all(dispatcher.inFlight);
  const [row] = await app.db.query<{
    status: string;
    code: string | null;
    state: string | null;
    at: Date | null;
  }>(sql`
    select m.status, m.error_code as code, o.state, o.available_at as at from message m
    left join message_outbox o on o.workspace_id = m.workspace_id and o.message_id = m.id
    where m.workspace_id = ${replies.id} and m.id = ${id}`);
  assert.ok(row);
  await app.db.query(sql`delete from message_outbox where workspace_id = ${replies.id}`);
  const message =
    row.state === "waiting" ? "again" : row.state === "unknown" ? "unknown" : row.status;
  assert.ok(
    message === "again" || message === "unknown" || message === "sent" || message === "failed",
  );
  const waitMs = row.state === "waiting" ? msFrom(row.at) : null;
  return { message, code: row.code, waitMs, ...(await around(replies, phone)) };
}

/** The only contact of the shop that a campaign reaches. */
async function onlyPerson(shop: Shop, phone: string): Promise<string[]> {
  await shop.app.db.query(sql`update contact set phone = null where workspace_id = ${shop.id}`);
  return shop.people([{ phone }]);
}

/** A campaign to one contact. An outcome that does not concern the recipient stops the campaign, or makes it wait. */
async function byCampaign(phone: string): Promise<Told> {
  const { app } = ground.t;
  const [contactId = ""] = await onlyPerson(campaigns, phone);
  const { id } = await campaigns.draft();
  await campaigns.start(id);
  await storeChunk(app, campaigns.key(id));
  await sendBatch(app, campaigns.key(id));
  const [row] = await app.db.query<{
    status: string;
    reason: string | null;
    at: Date | null;
    campaign: string;
    why: string | null;
    until: Date | null;
  }>(sql`
    select r.status, r.reason, a.available_at as at, b.status as campaign, b.status_reason as why,
      b.throttled_until as until
    from broadcast b join broadcast_recipient r on r.workspace_id = b.workspace_id and r.broadcast_id = b.id
    left join broadcast_again a on a.workspace_id = b.workspace_id and a.broadcast_id = b.id
    where b.workspace_id = ${campaigns.id} and b.id = ${id} and r.contact_id = ${contactId}`);
  assert.ok(row);
  await campaigns.checkCounts(id);
  if (row.campaign !== "COMPLETED") await cancelBroadcast(OPERATOR, app, campaigns.id, id);
  const rest = await around(campaigns, phone);
  const none = { code: null, waitMs: null, ...rest };
  if (row.status === "sent") return { message: "sent", ...none };
  if (row.status === "sending") return { message: "unknown", ...none };
  if (row.status === "failed") return { message: "failed", ...none, code: row.reason };
  assert.equal(row.status, "pending");
  if (row.campaign === "PAUSED")
    return { message: "failed", ...none, code: row.why?.split(":")[0] ?? null };
  return { message: "again", ...none, waitMs: msFrom(row.at ?? row.until) };
}

async function byPasscode(phone: string): Promise<Told> {
  const { app } = ground.t;
  const input = { mobile: phone, message: "Your code is 482913", lang: "E" } as const;
  const { requestId } = await sendOtp(KEY, app, passcodes, input);
  const [row] = await app.db.query<{ status: "sent" | "failed" | "unknown"; error: string | null }>(
    sql`select status, error from otp_record where workspace_id = ${passcodes} and id = ${requestId}`,
  );
  assert.ok(row);
  const [notice] = await app.db.query<{ body: string }>(sql`
    select body from notice where workspace_id = ${passcodes} and kind = 'sms_provider.refused'`);
  await app.db.query(sql`delete from notice where workspace_id = ${passcodes}`);
  const code = row.status === "failed" ? (row.error?.split(" ")[0] ?? null) : null;
  const optedOut = await ledger(passcodes, phone);
  const fault = notice ? (/answered (\S+)\./.exec(notice.body)?.[1] ?? null) : null;
  return { message: row.status, code, waitMs: null, optedOut, fault, throttledMs: null };
}

const waits = fc.option(fc.oneof(fc.nat(10_000), fc.nat(2 * DAY)), { nil: undefined });
const scope = fc.constantFrom(
  undefined,
  "recipient" as const,
  "template" as const,
  "account" as const,
);
const givens: fc.Arbitrary<Given> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ ok: true, externalId: "" } as const) },
  { weight: 1, arbitrary: fc.constant("defect" as const) },
  {
    weight: 8,
    arbitrary: fc
      .record({
        reason: fc.constantFrom(
          "rejected" as const,
          "throttled" as const,
          "unreachable" as const,
          "opted_out" as const,
          "misconfigured" as const,
          "unknown" as const,
        ),
        code: fc.constantFrom("131026", "190", "ODD"),
        retryAfterMs: waits,
        scope,
        onceMore: fc.boolean(),
      })
      .map(({ reason, code, retryAfterMs, scope: of, onceMore }) => ({
        ok: false as const,
        reason,
        code,
        detail: "said so",
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        ...(of && { scope: of }),
        ...(onceMore && reason === "rejected" && ({ onceMore: true } as const)),
      })),
  },
);

let people = 10_000_000;

/** PARLEY_ROADS_RUNS sets how many outcomes it tries; the default is 25. */
test("a reply, a campaign and a passcode judge the same outcome in the same way", async (t) => {
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(givens, async (given) => {
      answer = async () => {
        if (given === "defect") throw new TypeError("a defect of the adapter");
        return given.ok ? accepted() : given;
      };
      const phone = `9655${++people}`;
      const reply = await byReply(phone);
      assert.deepEqual(await byCampaign(phone), reply, "campaign");
      const passcode = await byPasscode(phone);
      // Nothing tries a passcode again: that is up to the caller.
      const message = reply.message === "again" ? "failed" : reply.message;
      const code =
        reply.message === "again" && given !== "defect" && !given.ok ? given.code : reply.code;
      assert.deepEqual([passcode.message, passcode.code], [message, code], "passcode");
      assert.deepEqual(passcode.optedOut?.[2], reply.optedOut?.[2], "passcode's opt-out");
      assert.equal(passcode.fault, reply.fault?.split(":")[0] ?? null, "passcode's account");
      assert.ok((reply.waitMs ?? 0) <= HOUR && (reply.throttledMs ?? 0) <= HOUR);
      seen[reply.message] = (seen[reply.message] ?? 0) + 1;
      ground.t.clock.advance(1_000);
    }),
    { numRuns: Number(process.env["PARLEY_ROADS_RUNS"] ?? 25) },
  );
  t.diagnostic(JSON.stringify(seen));
});

test("when its provider throttles a campaign for a day, replies on the channel wait for an hour", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(3);
  const conversationId = await shop.desk.hears("96551000001");
  answer = async () => ({
    ok: false,
    reason: "throttled",
    code: "130429",
    detail: "",
    retryAfterMs: DAY,
    scope: "account",
  });
  const { id } = await shop.draft();
  await shop.start(id);
  await shop.app.drain();
  answer = accepted;
  const reply = await shop.desk.replies(conversationId);
  await shop.app.drain();
  assert.deepEqual(await shop.desk.outbox(), [{ message_id: reply.id, state: "waiting" }]);
  ground.t.clock.advance(HOUR);
  await shop.app.drain();
  assert.deepEqual(await shop.desk.outbox(), []);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});

for (const [road, call] of [
  ["campaign", callByCampaign],
  ["reply", callByReply],
] as const)
  test(`a late answer to a ${road} that refuses the old credentials leaves the channel with the new ones connected`, async () => {
    const shop = await Shop.open(ground);
    const refused = {
      ok: false,
      reason: "misconfigured",
      code: "190",
      detail: "the token has ended",
    } as const;
    const called = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    answer = async () => {
      called.resolve();
      await late.promise;
      return refused;
    };
    const sending = call(shop);
    await called.promise;
    ground.t.clock.advance(1);
    const { channelId } = shop.desk.account;
    await updateCredentials(OPERATOR, shop.app, shop.id, channelId, { accessToken: "fresh" });
    late.resolve();
    await sending;
    const status = async () => {
      const [row] = await shop.app.db.query<{ status: string }>(
        sql`select status from channel where workspace_id = ${shop.id}`,
      );
      return row?.status;
    };
    assert.equal(await status(), "connected");
    // When the new credentials are refused, that counts.
    answer = async () => refused;
    await call(shop);
    assert.equal(await status(), "error");
  });

async function callByCampaign(shop: Shop): Promise<void> {
  await onlyPerson(shop, `9655${++people}`);
  const { id } = await shop.draft();
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id));
  await sendBatch(shop.app, shop.key(id));
}

async function callByReply(shop: Shop): Promise<void> {
  await shop.desk.replies(await shop.desk.hears(`9655${++people}`));
  await shop.app.drain();
}
