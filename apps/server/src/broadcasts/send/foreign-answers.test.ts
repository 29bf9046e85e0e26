import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listChannels } from "../../channels/list-channels.ts";
import { sql } from "../../db/sql.ts";
import { findMessage } from "../../messages/record/find-message.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";

let ground: Ground;
let shop: Shop;
/** The shop of the conversation with the reply: its contact must not be in the campaign. */
let other: Shop;
before(async () => {
  ground = await startGround();
  shop = await Shop.open(ground);
  other = await Shop.open(ground);
  await shop.crowd(2);
});
after(() => ground[Symbol.asyncDispose]());

const MINUTE = 60_000;
const PAGE = "<html><h1>Nothing here</h1></html>";

/**
 * Answers once in this way and then as the platform; a campaign of two and a reply, whose first calls get this
 * answer.
 */
async function answeredOnce(status: number, body: string) {
  const { t, graph } = ground;
  const strange = new Set(["96550000000", "96551000001"]);
  graph.sent.length = 0;
  // The platform of these tests lists no templates, and is asked for them each hour.
  await t.app.db.query(
    sql`update template set status = 'APPROVED' where workspace_id = ${shop.id}`,
  );
  graph.answer = (_, { to }) =>
    strange.delete(to) ? { status, headers: {}, body: Buffer.from(body) } : graph.accepted();
  const campaign = await shop.draft();
  await shop.start(campaign.id);
  const reply = await other.desk.replies(await other.desk.hears("96551000001"));
  await t.app.drain();
  t.clock.advance(MINUTE);
  await t.app.drain();
  const look = async () => {
    const channels = [shop.id, other.id].map((id) => listChannels(t.app, id));
    const states = (await Promise.all(channels)).flat().map((channel) => channel.status);
    assert.deepEqual(states, ["connected", "connected"]);
    const message = await findMessage(t.app, other.id, reply.id);
    return {
      campaign: (await shop.checkCounts(campaign.id)).status,
      recipients: (await shop.outcomes(campaign.id)).join(", "),
      reply: [message?.status, message?.errorCode, message?.providerMessageId !== null],
      calls: ["96550000000", "96551000001"].map(
        (to) => graph.sent.filter((one) => one.to === to).length,
      ),
    };
  };
  return { look };
}

for (const [status, body] of [
  [301, ""],
  [302, PAGE],
  [307, ""],
  [401, PAGE],
  [403, PAGE],
  [404, PAGE],
  [407, ""],
  [400, '{"error":{"code":1310'],
] as const)
  test(`${status} that is not the platform's word (${body.slice(0, 6)}): tried again, nobody fails, the channel goes on`, async () => {
    const { look } = await answeredOnce(status, body);
    assert.deepEqual(await look(), {
      campaign: "COMPLETED",
      recipients: "sent, sent",
      reply: ["sent", null, true],
      calls: [2, 2],
    });
  });

for (const [status, body] of [
  [200, PAGE],
  [200, ""],
  [200, '{"messages":[{"id":"wam'],
  [204, ""],
  [303, ""],
  [502, PAGE],
] as const)
  test(`${status} that says nothing (${body.slice(0, 6)}): called once, unknown after 15 minutes, the channel goes on`, async () => {
    const { look } = await answeredOnce(status, body);
    assert.partialDeepStrictEqual(await look(), {
      campaign: "RUNNING",
      recipients: "sending, sent",
      calls: [1, 1],
    });
    ground.t.clock.advance(15 * MINUTE);
    await ground.t.app.drain();
    assert.deepEqual(await look(), {
      campaign: "COMPLETED",
      recipients: "failed OUTCOME_UNKNOWN, sent",
      reply: ["failed", "OUTCOME_UNKNOWN", false],
      calls: [1, 1],
    });
  });
