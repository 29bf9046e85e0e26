import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { KEY } from "../../test/actors.ts";
import { startTestApp, TestClock, type TestApp } from "../../test/harness.ts";
import { Desk, FakeGraph } from "../../test/messaging.ts";
import { storeAudiences } from "../broadcasts/audience/store-audience.ts";
import { Shop } from "../broadcasts/record/campaign.fixture.ts";
import { sendBatch } from "../broadcasts/send/send-batch.ts";
import { sql } from "../db/sql.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { startVerification } from "../otp/verifications.ts";

/** A clock of which each look costs a millisecond, as the work between two looks does. */
class Ticking extends TestClock {
  override now(): Date {
    this.advance(1);
    return super.now();
  }
}

const MIDNIGHT = new Date("2027-01-01T00:00:00.000Z");
/** More looks than any of these roads takes before its messages are stored. */
const LOOKS = 12;

const graph = new FakeGraph();
const clock = new Ticking();
let t: TestApp;
before(async () => {
  clock.set(new Date("2026-12-31T12:00:00.000Z"));
  t = await startTestApp({ clock, overrides: { providerHttp: graph } });
});
after(() => t[Symbol.asyncDispose]());

const parts = () => ({
  t,
  graph,
  another: () => assert.fail("one process"),
  [Symbol.asyncDispose]: async () => {},
});

/** What each month says by its slots, and by the counts of its days. */
async function months(workspaceId: string): Promise<unknown[]> {
  return t.app.db.query(sql`
    select to_char(m.month, 'YYYY-MM') as month, m.slots, m.counted from (
      select month, sum(slots)::int as slots, sum(counted)::int as counted from (
        select month, used as slots, 0 as counted from usage_month where workspace_id = ${workspaceId}
        union all
        select date_trunc('month', day)::date, 0, sent + failed from usage_day where workspace_id = ${workspaceId}
      ) one group by month) m
    where m.slots <> m.counted`);
}

/** Begins the work at each of the last looks before midnight, each time in a workspace of its own. */
async function acrossMidnight(
  make: () => Promise<{ readonly workspaceId: string; readonly work: () => Promise<unknown> }>,
): Promise<void> {
  for (let looks = 1; looks <= LOOKS; looks++) {
    clock.set(new Date(MIDNIGHT.getTime() - 3_600_000));
    const { workspaceId, work } = await make();
    clock.set(new Date(MIDNIGHT.getTime() - looks));
    await work();
    assert.deepEqual(await months(workspaceId), [], `begun ${looks} looks before midnight`);
  }
}

test("a reply at the end of a month takes its slot in the month that counts it", () =>
  acrossMidnight(async () => {
    const desk = await Desk.open(parts());
    const conversationId = await desk.hears("96550000001");
    return { workspaceId: desk.workspaceId, work: () => desk.replies(conversationId) };
  }));

test("so does a message of the business's own phone", () =>
  acrossMidnight(async () => {
    const desk = await Desk.open(parts());
    const echo = {
      kind: "echo",
      accountExternalId: "1",
      externalMessageId: "echo.1",
      to: { externalId: "96550000001", phone: "96550000001" },
      occurredAt: clock.now(),
      content: { type: "text", text: "hello", attachments: [] },
    } as const;
    const work = () => receiveEvents(t.app, [{ account: desk.account, event: echo }]);
    return { workspaceId: desk.workspaceId, work };
  }));

test("so does a code by WhatsApp", () =>
  acrossMidnight(async () => {
    const { workspaceId, account } = await Desk.open(parts());
    const components = JSON.stringify([
      { type: "BODY", text: "*{{1}}* is your code." },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
    ]);
    const id = t.app.ids.next();
    await t.app.db.query(sql`
      insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
        body_variable_count, last_synced_at)
      values (${workspaceId}, ${id}, ${account.channelId}, ${id}, 'sign_in', 'en', 'AUTHENTICATION', 'APPROVED',
        ${components}::json, 1, ${clock.now()})`);
    const to = { to: "+965 5000 0001", channel: "whatsapp" } as const;
    return { workspaceId, work: () => startVerification(KEY, t.app, workspaceId, to) };
  }));

test("so does a campaign", () =>
  acrossMidnight(async () => {
    const shop = await Shop.open(parts());
    await shop.crowd(1);
    const { id } = await shop.draft();
    await shop.start(id);
    await storeAudiences(t.app);
    return { workspaceId: shop.id, work: () => sendBatch(t.app, shop.key(id)) };
  }));
