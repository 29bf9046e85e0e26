import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

/**
 * Reasons to pause a campaign that still waits for its last answer: two are sent, the outcome of the third is
 * unknown.
 */
const REASONS: Record<string, (shop: Shop, sent: string) => Promise<unknown>> = {
  "its template is paused": ({ app, id }) =>
    app.db.query(sql`update template set status = 'PAUSED' where workspace_id = ${id}`),
  "its channel is in error": ({ app, id }) =>
    app.db.query(sql`update channel set status = 'error' where workspace_id = ${id}`),
  "the platform tells late that the account is locked": (shop, correlationId) =>
    receiveEvents(shop.app, [
      shop.desk.status({
        correlationId,
        externalMessageId: `f.${correlationId}`,
        status: "failed",
        errorCode: "131031",
        errorDetail: "locked",
        scope: "account",
      }),
    ]),
};
for (const [reason, happen] of Object.entries(REASONS))
  test(`nobody waits any more, and ${reason}: the campaign is not paused and completes when the last answer is given up`, async () => {
    const shop = await Shop.open(ground);
    await shop.crowd(3);
    ground.graph.sent.length = 0;
    ground.graph.answer = (_, { to }) =>
      to.endsWith("2")
        ? { status: 503, headers: {}, body: Buffer.from("") }
        : ground.graph.accepted();
    const { id } = await shop.draft();
    await shop.start(id);
    await ground.t.app.drain();
    assert.deepEqual(await shop.outcomes(id), ["sent", "sent", "sending"]);
    await happen(shop, ground.graph.sent[0]?.biz_opaque_callback_data ?? "");
    ground.t.clock.advance(60_000);
    await ground.t.app.drain();
    assert.equal((await shop.checkCounts(id)).status, "RUNNING");
    ground.t.clock.advance(15 * 60_000);
    await ground.t.app.drain();
    const done = await shop.checkCounts(id);
    assert.deepEqual(
      [done.status, done.statusReason, done.sentCount + done.failedCount],
      ["COMPLETED", null, 3],
    );
    const told = await shop.app.db.query(
      sql`select 1 from notice where workspace_id = ${shop.id} and kind = 'broadcast.paused'`,
    );
    assert.equal(told.length, 0);
  });

test("one recipient still waits: then the campaign is paused, with the reason", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(4);
  ground.graph.answer = () => ground.graph.accepted();
  const { id } = await shop.draft({ rateLimitPerMinute: 180 });
  await shop.start(id);
  await ground.t.app.drain();
  await REASONS["its template is paused"]?.(shop, "");
  ground.t.clock.advance(1_000);
  await ground.t.app.drain();
  const paused = await shop.checkCounts(id);
  assert.deepEqual([paused.status, paused.statusReason], ["PAUSED", "TEMPLATE_NOT_APPROVED"]);
  assert.deepEqual((await shop.outcomes(id)).toSorted(), ["pending", "pending", "sent", "sent"]);
});
