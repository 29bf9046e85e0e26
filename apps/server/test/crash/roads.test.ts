import { KEY } from "../actors.ts";
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { Shop, startGroundOn, type Ground } from "../../src/broadcasts/record/campaign.fixture.ts";
import { storeChunk } from "../../src/broadcasts/audience/store-chunk.fixture.ts";
import { sendBatch } from "../../src/broadcasts/send/send-batch.ts";
import type { Context } from "../../src/context.ts";
import { sql } from "../../src/db/sql.ts";
import { HttpFailure, type HttpRequest, type HttpResponse } from "../../src/lib/http.ts";
import { createDispatcher } from "../../src/messages/send/dispatch-replies.ts";
import { atOnce } from "../../src/messages/send/at-once.fixture.ts";
import { sendOtp } from "../../src/otp/send-otp.ts";
import { equip, Platforms } from "./campaign-kinds.ts";
import { mortal } from "./mortal.ts";
import { mulberry } from "./mulberry.ts";

/** PARLEY_CRASH_KILLS=300 kills more often, PARLEY_CRASH_SEED repeats a run. */
const KILLS = Number(process.env["PARLEY_CRASH_KILLS"] ?? 20);
const seed = Number(process.env["PARLEY_CRASH_SEED"] ?? randomInt(2 ** 31));
const random = mulberry(seed);
/** Kills after which others work on and the time for evidence passes. */
const TOGETHER = 20;
const EACH = 3;
/** A worker that takes more steps than that has done all its work. */
const STEPS = 90;
/** So many workers die at none of them: what is sent to its end is seen in every run, however the others die. */
const LIVING = 3;
const MINUTE = 60_000;

/** Providers that now and then cannot be reached, and now and then take a message and do not answer. */
class Unsteady extends Platforms {
  override async request(request: HttpRequest): Promise<HttpResponse> {
    if (!/\/(messages|Messages\.json)$/.test(request.url)) return super.request(request);
    if (random() < 0.1) throw new HttpFailure("connect", false, "refused");
    const answer = await super.request(request);
    if (random() < 0.1) throw new HttpFailure("timeout", true, "no answer");
    return answer;
  }
}

let ground: Ground<Unsteady>;
before(async () => {
  ground = await startGroundOn(new Unsteady());
});
after(() => ground[Symbol.asyncDispose]());

/** What a worker was given to send before it died. */
interface Round {
  readonly at: string;
  readonly shop: Shop;
  readonly broadcastId: string;
  readonly replies: readonly string[];
  readonly passcodes: readonly string[];
}

test(`${KILLS} kills in replies, campaigns and passcodes together: none is sent twice, none is lost`, async (t) => {
  t.diagnostic(`seed ${seed}`);
  const sums: Record<string, number> = {};
  let kills = 0;
  let begun = 0;
  while (kills < KILLS) {
    const rounds: Round[] = [];
    for (const until = Math.min(KILLS, kills + TOGETHER); kills < until;) {
      const steps = begun++ < LIVING ? Infinity : Math.floor(random() * STEPS);
      const { round, died } = await killed(steps);
      rounds.push(round);
      if (died) kills++;
      ground.t.clock.advance(1_000);
    }
    for (let turn = 0; turn < 8; turn++) {
      ground.t.clock.advance(3 * MINUTE);
      await ground.t.app.drain();
    }
    const { calls } = ground.graph;
    const perMessage = Map.groupBy(calls, (call) => call.correlation ?? call.address);
    for (const round of rounds) {
      await checkMessages(round, perMessage, sums);
      await checkPasscodes(round, perMessage, sums);
    }
    calls.length = 0;
  }
  t.diagnostic(`${kills} kills; ${JSON.stringify(sums)}`);
  // Every way for a message to end was seen.
  if (KILLS >= 20)
    for (const end of ["reply sent", "campaign sent", "passcode sent", "reply unknown"])
      assert.ok((sums[end] ?? 0) > 0, `no ${end}`);
});

let people = 10_000_000;
const phone = (): string => `9655${++people}`;

/** One worker sends over all three roads at once and dies after so many steps, unless it has done its work before. */
async function killed(steps: number): Promise<{ round: Round; died: boolean }> {
  const { app } = ground.t;
  const shop = await Shop.open(ground);
  await app.db.query(sql`update workspace set sms_credits = 100 where id = ${shop.id}`);
  // The gateway's test send goes through in the end.
  while (!(await isVerified(shop))) await equip(shop, "SMS", []);
  const contacts = Array.from({ length: EACH }, () => ({ phone: phone() }));
  await shop.people(contacts);
  const { id } = await shop.draft();
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(app, shop.key(id));
  const replies: string[] = [];
  for (let n = 0; n < EACH; n++)
    replies.push((await shop.desk.replies(await shop.desk.hears(phone()))).id);
  const passcodes = Array.from({ length: EACH }, phone);

  const { worker, died } = mortal(app, steps, true);
  const works = [
    sendReplies(worker),
    sendBatch(worker, shop.key(id)),
    ...passcodes.map((mobile) =>
      sendOtp(KEY, worker, shop.id, { mobile, message: "Your code is 482913", lang: "E" }),
    ),
  ];
  const end = await Promise.race([Promise.all(works), died]);
  const round = { at: `after ${steps} steps`, shop, broadcastId: id, replies, passcodes };
  return { round, died: end === "died" };
}

async function isVerified(shop: Shop): Promise<boolean> {
  const rows = await shop.app.db.query(
    sql`select 1 from sms_provider where workspace_id = ${shop.id} and verified_at is not null`,
  );
  return rows.length > 0;
}

async function sendReplies(worker: Context): Promise<void> {
  const dispatcher = createDispatcher(worker, atOnce);
  while ((await dispatcher.claim()) > 0) await Promise.all(dispatcher.inFlight);
}

type CallsOf = ReadonlyMap<string, readonly unknown[]>;

/** Each message of a reply or campaign is over; sent means taken once, unknown that nobody can tell. */
async function checkMessages(
  { at, shop, broadcastId, replies }: Round,
  calls: CallsOf,
  sums: Record<string, number>,
): Promise<void> {
  const rows = await shop.app.db.query<{
    id: string;
    status: string;
    code: string | null;
    provider: string | null;
    campaign: boolean;
  }>(sql`
    select id, status, error_code as code, provider_message_id as provider, broadcast_id is not null as campaign
    from message where workspace_id = ${shop.id} and direction = 'outbound'`);
  const ids = new Set(rows.map((row) => row.id));
  for (const id of replies) assert.ok(ids.has(id), `${at}: a reply is gone`);
  for (const { id, status, code, provider, campaign } of rows) {
    const taken = calls.get(id)?.length ?? 0;
    const word = `${at}: ${id} is ${status} ${code}, taken ${taken} times`;
    assert.ok(taken <= 1, word);
    if (status === "sent") assert.ok(taken === 1 && provider !== null, word);
    else assert.deepEqual([status, code], ["failed", "OUTCOME_UNKNOWN"], word);
    const end = `${campaign ? "campaign" : "reply"} ${status === "sent" ? "sent" : "unknown"}`;
    sums[end] = (sums[end] ?? 0) + 1;
  }
  assert.deepEqual(await shop.desk.outbox(), [], at);
  const done = await shop.checkCounts(broadcastId);
  assert.equal(done.status, "COMPLETED", at);
  assert.deepEqual([done.totalCount, done.sentCount + done.failedCount], [EACH, EACH], at);
}

/** The caller has an answer about the passcode, or its record says what is known; without a record nothing was sent. */
async function checkPasscodes(
  { at, shop, passcodes }: Round,
  calls: CallsOf,
  sums: Record<string, number>,
): Promise<void> {
  const rows = await shop.app.db.query<{ mobile: string; status: string }>(
    sql`select mobile, status from otp_record where workspace_id = ${shop.id}`,
  );
  const statuses = new Map(rows.map((row) => [row.mobile, row.status]));
  let spent = 0;
  for (const mobile of passcodes) {
    const taken = calls.get(mobile)?.length ?? 0;
    const status = statuses.get(mobile) ?? "not begun";
    const word = `${at}: the passcode is ${status}, taken ${taken} times`;
    assert.ok(taken <= 1, word);
    if (status === "sent") assert.equal(taken, 1, word);
    else if (status === "unknown") spent++;
    else {
      assert.ok(status === "failed" || status === "not begun", word);
      assert.equal(taken, 0, word);
    }
    if (status === "sent") spent++;
    sums[`passcode ${status}`] = (sums[`passcode ${status}`] ?? 0) + 1;
  }
  const [credits] = await shop.app.db.query<{ left: number }>(
    sql`select sms_credits as left from workspace where id = ${shop.id}`,
  );
  assert.equal(credits?.left, 100 - spent, `${at}: credits`);
}
