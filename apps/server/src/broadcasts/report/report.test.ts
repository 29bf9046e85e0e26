import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { broadcastBreakdown } from "./broadcast-breakdown.ts";
import { broadcastReport } from "./broadcast-report.ts";
import { refusal, Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { cancelBroadcast } from "../record/change-broadcast.ts";
import { exportRecipients } from "./export-recipients.ts";
import { listRecipients } from "./list-recipients.ts";

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

const writes = (shop: Shop, n: number, text: string, at = ground.t.clock.now()) =>
  receiveEvents(shop.app, [shop.desk.message(phone(n), text, { occurredAt: at })]);

async function text(lines: AsyncGenerator<string>): Promise<string> {
  let all = "";
  for await (const line of lines) all += line;
  return all;
}

test("recipients come by page, by status and by reason, each once, with their times", async () => {
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
  assert.deepEqual(await ids({ status: ["skipped", "failed"] }), [people[3], people[5]]);
  assert.deepEqual(await ids({ status: ["failed", "pending", "sending"], limit: 1 }), [people[3]]);
  assert.deepEqual(await ids({ status: ["sent", "failed"] }), people.slice(1, 5));
  assert.deepEqual(await ids({ status: ["read", "failed"], reason: "131026" }), [people[3]]);
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

test("the export is CSV without formulas, with or without a mark, over any number of pages", async () => {
  const shop = await Shop.open(ground);
  await shop.people([
    { phone: phone(1), name: '=HYPERLINK("http://x","y")' },
    { phone: phone(2), name: 'Mona, "the" buyer' },
    ...Array.from({ length: 1_100 }, (_, n) => ({ phone: phone(100 + n) })),
  ]);
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  const lines = (await text(exportRecipients(OPERATOR, shop.app, shop.id, id))).split("\r\n");
  assert.equal(lines.length, 1 + 1_102 + 1);
  assert.equal(lines[0]?.startsWith("contactId,name,address,status,reason"), true);
  assert.ok(
    lines[1]?.includes(`,"'=HYPERLINK(""http://x"",""y"")",${phone(1)},sent,`),
    lines[1] ?? "",
  );
  assert.ok(lines[2]?.includes(',"Mona, ""the"" buyer",'), lines[2] ?? "");
  const times = lines[1]?.split(",").filter((cell) => cell.startsWith("20")) ?? [];
  assert.ok(times.length > 0);
  for (const time of times) assert.equal(new Date(time).toISOString(), time);
  assert.equal(new Set(lines.slice(1, -1).map((line) => line.slice(0, 36))).size, 1_102);
  const marked = await text(
    exportRecipients(OPERATOR, shop.app, shop.id, id, { mark: true, status: "failed" }),
  );
  assert.equal(marked, `\ufeff${lines[0]}\r\n`);
});

test("by attribute and by tag: the 20 most frequent values, all others together, those without one", async () => {
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
  const reports = [1, 2].map((n) => {
    const message = ground.graph.sent.find((one) => one.to === phone(n));
    const correlationId = message?.biz_opaque_callback_data ?? "";
    const status = n === 1 ? "delivered" : "read";
    return shop.desk.status({ correlationId, externalMessageId: `y.${correlationId}`, status });
  });
  await receiveEvents(shop.app, reports);
  const { values, other } = await broadcastBreakdown(shop.app, shop.id, id, "attribute.city");
  assert.equal(values.length, 20);
  assert.deepEqual(values[0], {
    value: "Kuwait",
    total: 4,
    skipped: 1,
    failed: 0,
    sent: 3,
    delivered: 2,
    read: 1,
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
  await cancelBroadcast(OPERATOR, shop.app, shop.id, (await shop.draft()).id);
});

test("a report is of one instant: a recipient who is sent to meanwhile is counted once", async () => {
  const shop = await Shop.open(ground);
  await shop.people(Array.from({ length: 3 }, (_, n) => ({ phone: phone(n) })));
  const { id } = await shop.draft();
  await shop.start(id);
  const { db } = shop.app;
  const slowQuery: typeof db.slowQuery = async (query, timeout) => {
    await ground.t.app.drain();
    return db.slowQuery(query, timeout);
  };
  const meanwhile = { db: { ...db, slowQuery } };
  const { broadcast, pendingCount, sendingCount } = await broadcastReport(meanwhile, shop.id, id);
  const { totalCount, sentCount, failedCount, skippedCount } = broadcast;
  const settled = [sentCount, failedCount, skippedCount];
  assert.deepEqual([totalCount, pendingCount, sendingCount, ...settled], [3, 0, 0, 3, 0, 0]);
});
