import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../db/sql.ts";
import { mergeContacts } from "../contacts/merge-contacts.ts";
import { receiveEvents } from "../messages/receive-events.ts";
import { broadcastBreakdown } from "./broadcast-breakdown.ts";
import { broadcastReport } from "./broadcast-report.ts";
import { broadcastTimeline } from "./broadcast-timeline.ts";
import { refusal, Shop, startGround, type Ground } from "./campaign.fixture.ts";
import { cancelBroadcast, pauseBroadcast } from "./change-broadcast.ts";
import { exportRecipients } from "./export-recipients.ts";
import { listRecipients } from "./list-recipients.ts";

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
async function text(lines: AsyncGenerator<string>): Promise<string> {
  let all = "";
  for await (const line of lines) all += line;
  return all;
}

test("recipients come by page, by status and by reason, each once, with the times of what became of them", async () => {
  const shop = await Shop.open(ground);
  const people = await shop.people([
    ...Array.from({ length: 5 }, (_, n) => ({ phone: phone(n) })),
    { phone: null },
    { phone: phone(9), optedOut: true },
  ]);
  const { id } = await shop.draft();
  ground.graph.answer = (_, body) =>
    body.to === phone(3) ? refusal(400, 131026) : ground.graph.accepted();
  await shop.start(id);
  await ground.t.app.drain();
  const sentAt = ground.t.clock.now();
  ground.t.clock.advance(60_000);
  const told = ground.graph.sent.find((one) => one.to === phone(0));
  const status = { correlationId: told?.biz_opaque_callback_data ?? "", status: "read" as const };
  await receiveEvents(shop.app, [shop.desk.status({ ...status, externalMessageId: "wamid.r" })]);

  const seen: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await listRecipients(shop.app, shop.id, id, { limit: 2, after });
    seen.push(...page.items.map((one) => one.contactId));
    if (page.next === null) break;
    after = page.next;
  }
  assert.deepEqual(seen, people.slice(0, 6));
  const ids = async (filter: Parameters<typeof listRecipients>[3]) =>
    (await listRecipients(shop.app, shop.id, id, filter)).items.map((one) => one.contactId);
  assert.deepEqual(await ids({ status: "sent" }), [people[1], people[2], people[4]]);
  assert.deepEqual(await ids({ status: "failed" }), [people[3]]);
  assert.deepEqual(await ids({ reason: "131026" }), [people[3]]);
  assert.deepEqual(await ids({ reason: "no_address", status: "skipped" }), [people[5]]);
  assert.deepEqual(await ids({ status: "pending" }), []);
  const [read] = (await listRecipients(shop.app, shop.id, id, { status: "read" })).items;
  assert.ok(read);
  const at = [read.calledAt, read.sentAt, read.readAt, read.settledAt, read.repliedAt];
  const now = ground.t.clock.now();
  assert.deepEqual(
    [read.name, read.address, ...at],
    ["Sara Ali", phone(0), sentAt, sentAt, now, now, null],
  );
  await assert.rejects(listRecipients(shop.app, shop.id, id, { after: "x" }), /after/);
  await assert.rejects(listRecipients(shop.app, shop.id, id, { limit: 0 }), /limit/);
  const other = await Shop.open(ground);
  await assert.rejects(listRecipients(shop.app, other.id, id), /BROADCAST_NOT_FOUND/);
});

test("the export is CSV that computes nothing, with or without a mark, over any number of pages", async () => {
  const shop = await Shop.open(ground);
  await shop.people([
    { phone: phone(1), name: '=HYPERLINK("http://x","y")' },
    { phone: phone(2), name: 'Mona, "the" buyer' },
    ...Array.from({ length: 1_100 }, (_, n) => ({ phone: phone(100 + n) })),
  ]);
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  const lines = (await text(exportRecipients(shop.app, shop.id, id))).split("\r\n");
  assert.equal(lines.length, 1 + 1_102 + 1);
  assert.equal(lines[0]?.startsWith("contactId,name,address,status,reason"), true);
  assert.ok(
    lines[1]?.includes(`,"'=HYPERLINK(""http://x"",""y"")",${phone(1)},sent,`),
    lines[1] ?? "",
  );
  assert.ok(lines[2]?.includes(',"Mona, ""the"" buyer",'), lines[2] ?? "");
  assert.equal(new Set(lines.slice(1, -1).map((line) => line.slice(0, 36))).size, 1_102);
  const marked = await text(
    exportRecipients(shop.app, shop.id, id, { mark: true, status: "failed" }),
  );
  assert.equal(marked, `\ufeff${lines[0]}\r\n`);
});

test("a reply belongs to the campaign before it, once, within its days; others' messages to none", async () => {
  const { shop, id } = await sentTo(6);
  assert.equal((await funnel(shop, id)).replied, 0);
  ground.t.clock.advance(60_000);
  await writes(shop, 0, "yes please");
  await writes(shop, 0, "still there?");
  await writes(shop, 77, "I never got anything");
  await writes(shop, 1, "STOP");
  // Before the send, as the platform says; told only now.
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
  // A day later the second takes none any more, the first does until its third day is over.
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

test("an opt-out by word or by the platform's signal is the last campaign's; one by hand is nobody's", async () => {
  const { shop, id, people } = await sentTo(6);
  const second = (await shop.draft()).id;
  ground.graph.answer = (_, body) =>
    body.to === phone(4) ? refusal(400, 131050) : ground.graph.accepted();
  ground.t.clock.advance(5_000);
  await writes(shop, 0, "STOP");
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
  // Whom the second could not reach any more, because they had shut us out, left after the first.
  assert.deepEqual(
    [(await funnel(shop, id)).optedOut, (await funnel(shop, second)).optedOut],
    [2, 2],
  );
  const page = await listRecipients(shop.app, shop.id, second);
  const out = page.items.filter((one) => one.optedOutAt !== null).map((one) => one.contactId);
  assert.deepEqual(out, [people[1], people[3]]);
});

test("who was merged into another still counts: reply and opt-out come under the id that is kept", async () => {
  const { shop, id, people } = await sentTo(2);
  const [keep] = await shop.people([{ phone: null, name: "Kept" }]);
  await mergeContacts(shop.app, shop.id, keep ?? "", people[0] ?? "", "cli");
  ground.t.clock.advance(5_000);
  await writes(shop, 0, "it is me");
  await writes(shop, 0, "stop");
  const { replied, optedOut } = await funnel(shop, id);
  assert.deepEqual([replied, optedOut], [1, 1]);
  assert.equal((await listRecipients(shop.app, shop.id, id)).items[0]?.name, "Kept");
});

test("the timeline tells every move with its cause and who, each halving and each wait, and counts by the minute", async () => {
  const shop = await Shop.open(ground, { messages: 7 });
  await shop.crowd(10);
  const { id } = await shop.draft({ rateLimitPerMinute: 6_000 });
  let refused = 0;
  ground.graph.answer = () => (refused++ < 3 ? refusal(400, 130429) : ground.graph.accepted());
  await shop.start(id);
  await ground.t.app.drain();
  ground.t.clock.advance(61_000);
  await ground.t.app.drain();
  await shop.app.db.query(
    sql`update workspace set limits = '{"messages": 100}' where id = ${shop.id}`,
  );
  await shop.start(id);
  await pauseBroadcast(shop.app, shop.id, id, { actor: "cli" });
  await shop.start(id);
  await ground.t.app.drain();
  const { entries, chart } = await broadcastTimeline(shop.app, shop.id, id);
  const words = entries.map((one) =>
    [one.kind, one.from, one.to, one.cause, one.actor, one.rateFrom, one.rateTo]
      .filter((part) => part !== null)
      .join(" "),
  );
  assert.deepEqual(words, [
    "start DRAFT QUEUED",
    "stored QUEUED RUNNING",
    // What the allowance still covers goes out after the pause, and is throttled.
    "halt RUNNING PAUSED MESSAGE_LIMIT_REACHED",
    "waited THROTTLED",
    "halved THROTTLED 6000 3000",
    "start PAUSED RUNNING",
    "pause RUNNING PAUSED cli",
    "start PAUSED RUNNING",
    "complete RUNNING COMPLETED",
  ]);
  assert.deepEqual(
    chart.map((one) => one.sent).reduce((sum, one) => sum + one, 0),
    10,
  );
  assert.equal(chart.length, 2);
  const hours = (await broadcastTimeline(shop.app, shop.id, id, "hour")).chart;
  assert.equal(
    hours.reduce((sum, one) => sum + one.sent, 0),
    10,
  );
});

test("the minutes add up to the counts while statuses come, repeat and are corrected", async () => {
  const { shop, id } = await sentTo(4);
  const tell = (n: number, status: "delivered" | "read" | "failed") =>
    receiveEvents(shop.app, [
      shop.desk.status({
        correlationId: ground.graph.sent[n]?.biz_opaque_callback_data ?? "",
        externalMessageId: `m.${shop.id}.${n}`,
        status,
        errorCode: status === "failed" ? "131026" : null,
      }),
    ]);
  await tell(0, "read");
  await tell(0, "delivered");
  await tell(1, "delivered");
  await tell(1, "delivered");
  ground.t.clock.advance(60_000);
  await tell(1, "read");
  await tell(2, "delivered");
  const { chart } = await broadcastTimeline(shop.app, shop.id, id);
  const sum = (part: "sent" | "delivered" | "read") =>
    chart.reduce((total, one) => total + one[part], 0);
  const now = await shop.checkCounts(id);
  assert.deepEqual(
    [sum("sent"), sum("delivered"), sum("read")],
    [now.sentCount, now.deliveredCount, now.readCount],
  );
  assert.deepEqual(
    chart.map((one) => one.delivered),
    [2, 1],
  );
});

test("by attribute and by tag: the 20 largest values, the others together, those without", async () => {
  const shop = await Shop.open(ground);
  const people = await shop.people([
    ...Array.from({ length: 3 }, (_, n) => ({ phone: phone(n), attributes: { city: "Kuwait" } })),
    ...Array.from({ length: 22 }, (_, n) => ({
      phone: phone(10 + n),
      attributes: { city: `c${String(n).padStart(2, "0")}` },
    })),
    { phone: phone(50), attributes: { city: ["a list"] } },
    { phone: null, attributes: { city: "Kuwait" } },
  ]);
  await shop.app.db.query(sql`
    update contact set tags = '{vip,new}' where workspace_id = ${shop.id} and id = ${people[0]}`);
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  ground.t.clock.advance(1_000);
  await writes(shop, 0, "thanks");
  const { values, other } = await broadcastBreakdown(shop.app, shop.id, id, "attribute.city");
  assert.equal(values.length, 20);
  assert.deepEqual(values[0], {
    value: "Kuwait",
    total: 4,
    skipped: 1,
    failed: 0,
    sent: 3,
    delivered: 0,
    read: 0,
    replied: 1,
    optedOut: 0,
  });
  const all = [...values, ...(other ? [other] : [])];
  assert.equal(
    all.reduce((sum, one) => sum + one.total, 0),
    27,
  );
  assert.equal(other?.total, 4);
  const tags = await broadcastBreakdown(shop.app, shop.id, id, "tag");
  assert.deepEqual(
    tags.values.map((one) => [one.value, one.total, one.replied]),
    [
      [null, 26, 0],
      ["new", 1, 1],
      ["vip", 1, 1],
    ],
  );
  assert.equal(tags.other, null);
  await assert.rejects(broadcastBreakdown(shop.app, shop.id, id, "name"), /by/);
  await cancelBroadcast(shop.app, shop.id, (await shop.draft()).id);
});
