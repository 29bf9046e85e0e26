import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { mergeContacts } from "../../contacts/identity/merge-contacts.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { broadcastReport } from "./broadcast-report.ts";
import { responseCounts } from "./funnel-store.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { repliesAfter, type ReplyPlace } from "./list-replies.ts";
import { listRecipients } from "./list-recipients.ts";
import { recipientPage } from "./report-recipient-store.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

const DAY = 86_400_000;

let ground: Ground;

before(async () => {
  ground = await startGround();
});

after(() => ground[Symbol.asyncDispose]());

beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

const phone = (n: number) => `9655${String(n).padStart(7, "0")}`;

async function sentTo(count: number): Promise<{ shop: Shop; id: string; people: string[] }> {
  const shop = await Shop.open(ground);
  const people = await shop.crowd(count);
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  return { shop, id, people };
}

const writes = (shop: Shop, n: number, text: string, at = ground.t.clock.now()) =>
  receiveEvents(shop.app, [shop.desk.message(phone(n), text, { occurredAt: at })]);

const funnel = async (shop: Shop, id: string) =>
  (await broadcastReport(shop.app, shop.id, id)).funnel;

test("a recipient who is sent to and answers during a report is in it as both or as neither", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(1);
  const { id } = await shop.draft();
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id));
  const { db } = shop.app;
  const slowQuery: typeof db.slowQuery = async (...asked) => {
    const rows = await db.slowQuery<never>(...asked);
    await shop.app.drain();
    await writes(shop, 0, "yes please");
    return rows;
  };
  const meanwhile = { db: { ...db, slowQuery } };
  const during = (await broadcastReport(meanwhile, shop.id, id)).funnel;
  assert.deepEqual([during.sent, during.replied], [0, 0]);
  const later = await funnel(shop, id);
  assert.deepEqual([later.sent, later.replied], [1, 1]);
});

test("a reply belongs to the campaign before it, once, within its days; other people's messages to none", async () => {
  const { shop, id } = await sentTo(6);
  assert.equal((await funnel(shop, id)).replied, 0);
  ground.t.clock.advance(60_000);
  await writes(shop, 0, "yes please");
  await writes(shop, 0, "still there?");
  await writes(shop, 77, "I never got anything");
  await writes(shop, 1, "STOP");
  // Before the send, by the platform's time; reported only now.
  await writes(shop, 2, "written before", new Date(ground.t.clock.now().getTime() - 3_600_000));
  assert.equal((await funnel(shop, id)).replied, 1);

  const second = (await shop.draft({ replyDays: 1 })).id;
  await shop.start(second);
  await ground.t.app.drain();
  ground.t.clock.advance(60_000);
  await writes(shop, 0, "again");
  await writes(shop, 3, "hello");
  assert.deepEqual(
    [(await funnel(shop, id)).replied, (await funnel(shop, second)).replied],
    [1, 2],
  );
  // A day later the second accepts no more replies; the first does until its third day is over.
  ground.t.clock.advance(DAY);
  await writes(shop, 4, "late");
  assert.deepEqual(
    [(await funnel(shop, id)).replied, (await funnel(shop, second)).replied],
    [2, 2],
  );
  ground.t.clock.advance(2 * DAY);
  await writes(shop, 5, "too late");
  assert.deepEqual(
    [(await funnel(shop, id)).replied, (await funnel(shop, second)).replied],
    [2, 2],
  );
});

test("a reaction is a reply, a withdrawn one is not", async () => {
  const { shop, id } = await sentTo(2);
  ground.t.clock.advance(60_000);
  const reacts = (n: number, emoji: string | null) => {
    const attachments = [{ type: "reaction", messageId: "wamid.A", ...(emoji && { emoji }) }];
    const content = { type: "reaction", text: emoji, attachments };
    const message = shop.desk.message(phone(n), "", { content, opensWindow: false });
    return receiveEvents(shop.app, [message]);
  };
  await reacts(0, null);
  assert.equal((await funnel(shop, id)).replied, 0);
  await reacts(1, "👍");
  await reacts(1, null);
  assert.equal((await funnel(shop, id)).replied, 1);
});

test("an opt-out by word or by the platform's signal is the last campaign's; one by hand belongs to none", async () => {
  const { shop, id, people } = await sentTo(6);
  const second = (await shop.draft()).id;
  ground.graph.answer = (_, body) =>
    body.to === phone(4) ? refusal(400, 131050) : ground.graph.accepted();
  ground.t.clock.advance(5_000);
  await writes(shop, 0, "STOP");
  // A contact who opted in again before the second was sent: that one did not make them leave.
  await writes(shop, 5, "STOP");
  await writes(shop, 5, "START");
  ground.t.clock.advance(5_000);
  await shop.start(second);
  await ground.t.app.drain();
  ground.t.clock.advance(5_000);
  await writes(shop, 1, "stop");
  await writes(shop, 1, "START");
  await writes(shop, 1, "stop");
  const told = ground.graph.sent.findLast((one) => one.to === phone(2));
  await receiveEvents(shop.app, [
    {
      account: shop.desk.account,
      event: {
        kind: "preference",
        accountExternalId: "1",
        customerExternalId: phone(3),
        optedOut: true,
        occurredAt: ground.t.clock.now(),
      },
    },
  ]);
  assert.ok(told);
  await shop.app.db.query(sql`
    insert into consent_entry (workspace_id, id, contact_id, opted_out, source, created_at)
    values (${shop.id}, ${shop.app.ids.next()}, ${people[2]}, true, 'dashboard', ${ground.t.clock.now()})`);
  // Contacts that the second could no longer reach, because they had blocked us, left after the first.
  assert.deepEqual(
    [(await funnel(shop, id)).optedOut, (await funnel(shop, second)).optedOut],
    [3, 2],
  );
  const page = await listRecipients(shop.app, shop.id, second);
  const out = page.items.filter((one) => one.optedOutAt !== null).map((one) => one.contactId);
  assert.deepEqual(out, [people[1], people[3]]);
});

test("a merged recipient still counts: reply and opt-out come under the kept id", async () => {
  const { shop, id, people } = await sentTo(2);
  const [keep] = await shop.people([{ phone: null, name: "Kept" }]);
  await mergeContacts(OPERATOR, shop.app, shop.id, keep ?? "", people[0] ?? "");
  ground.t.clock.advance(5_000);
  await writes(shop, 0, "it is me");
  await writes(shop, 0, "stop");
  const { replied, optedOut } = await funnel(shop, id);
  assert.deepEqual([replied, optedOut], [1, 1]);
  assert.equal((await listRecipients(shop.app, shop.id, id)).items[0]?.name, "Kept");
});

test("a recipient who opted out and was merged afterwards still counts, once", async () => {
  const { shop, id, people } = await sentTo(2);
  const [keep] = await shop.people([{ phone: null, name: "Kept" }]);
  ground.t.clock.advance(5_000);
  await writes(shop, 0, "stop");
  await mergeContacts(OPERATOR, shop.app, shop.id, keep ?? "", people[0] ?? "");
  assert.equal((await funnel(shop, id)).optedOut, 1);
  assert.ok((await listRecipients(shop.app, shop.id, id)).items[0]?.optedOutAt);
  await writes(shop, 0, "start");
  await writes(shop, 0, "stop");
  assert.equal((await funnel(shop, id)).optedOut, 1);
});

test("the answer to a message that failed after all is not a reply, neither in the funnel nor in the list", async () => {
  const { shop, id } = await sentTo(2);
  const [first] = ground.graph.sent;
  ground.t.clock.advance(5_000);
  await writes(shop, 0, "where are you?");
  await writes(shop, 1, "yes please");
  const told = {
    correlationId: first?.biz_opaque_callback_data ?? "",
    externalMessageId: "late.1",
  };
  const failed = { ...told, status: "failed", errorCode: "131049", scope: "recipient" } as const;
  await receiveEvents(shop.app, [shop.desk.status({ ...failed, errorDetail: "held back" })]);
  const { items } = await listRecipients(shop.app, shop.id, id);
  assert.deepEqual(
    items.map((one) => [one.status, one.repliedAt !== null]),
    [
      ["failed", false],
      ["sent", true],
    ],
  );
  assert.equal((await funnel(shop, id)).replied, 1);
});

test("for an opt-out of an old campaign the campaigns since then are not searched", async () => {
  const { shop, id } = await sentTo(2);
  const key = { workspaceId: shop.id, id };
  ground.t.clock.advance(5_000);
  await writes(shop, 0, "stop");
  await shop.app.db.query(sql`
    with later as (
      insert into broadcast (workspace_id, id, name, channel_id, channel_type, kind, status, body,
        rate_limit_per_minute, started_at, completed_at, created_at)
      select workspace_id, gen_random_uuid(), name, channel_id, channel_type, kind, 'COMPLETED', body,
        rate_limit_per_minute, started_at + n * interval '1 day', completed_at + n * interval '1 day', created_at
      from broadcast, generate_series(1, 300) n where workspace_id = ${shop.id} and id = ${id}
      returning id, started_at
    )
    insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, address, status, called_at)
    select r.workspace_id, l.id, r.contact_id, r.address, 'sent', l.started_at from later l, broadcast_recipient r
    where r.workspace_id = ${shop.id} and r.broadcast_id = ${id}`);
  await shop.app.db.query(sql`analyze broadcast`);
  assert.equal((await funnel(shop, id)).optedOut, 1);
  for (const asked of [responseCounts(key), recipientPage(key, {}, null, 10)]) {
    const [read] = await shop.app.db.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
      sql`explain (analyze, buffers, format json) ${asked}`,
    );
    const pages = read?.["QUERY PLAN"][0].Plan["Shared Hit Blocks"];
    assert.ok(pages !== undefined && pages < 100, `${pages} pages`);
  }
});

test("replies are read on by their place: each once, also those of one moment, and new ones move nobody", async () => {
  const { shop, id } = await sentTo(5);
  ground.t.clock.advance(5_000);
  for (const n of [0, 1, 2]) await writes(shop, n, `answer ${n}`);
  ground.t.clock.advance(1_000);
  await writes(shop, 3, "answer 3");
  const texts: (string | null)[] = [];
  let after: ReplyPlace | null = null;
  do {
    const page: Awaited<ReturnType<typeof repliesAfter>> = await repliesAfter(
      shop.app,
      shop.id,
      id,
      after,
      2,
    );
    texts.push(...page.items.map(({ text }) => text));
    ground.t.clock.advance(1_000);
    if (after === null) await writes(shop, 4, "new");
    after = page.next;
  } while (after !== null);
  assert.deepEqual(texts, ["answer 3", "answer 0", "answer 1", "answer 2"]);
});
