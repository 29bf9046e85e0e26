import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { mergeContacts } from "../../contacts/identity/merge-contacts.ts";
import { sql } from "../../db/sql.ts";
import { beginBatch } from "../send/begin-batch.ts";
import {
  callsByAddress,
  refusal,
  Shop,
  startGround,
  type Ground,
} from "../record/campaign.fixture.ts";
import { cancelBroadcast, pauseBroadcast } from "../record/change-broadcast.ts";
import { eraseRecipients } from "./erase-recipients.ts";
import { listRecipients } from "../report/list-recipients.ts";
import type { SendPlan } from "../send/plan-sending.ts";
import { resendUnknown } from "../send/resend-unknown.ts";
import { sendBatch } from "../send/send-batch.ts";
import { storeChunk } from "./store-chunk.fixture.ts";
import { intendCalls } from "../send/flight-store.ts";
import { sweepRecipients } from "../send/sweep-recipients.ts";

let ground: Ground;
let shop: Shop;
before(async () => void (ground = await startGround()));
after(() => ground[Symbol.asyncDispose]());
beforeEach(async () => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
  shop = await Shop.open(ground);
});

const MINUTE = 60_000;
const NIL = "00000000-0000-0000-0000-000000000000";
/** The limit for one recipient: this recipient is tried later, the others go on. */
const later = () => refusal(400, 131056);

/** A started campaign with its audience stored, which no worker has seen yet. */
async function stored(more: Parameters<Shop["draft"]>[0] = {}): Promise<string> {
  const { id } = await shop.draft(more);
  await shop.start(id);
  while ((await shop.find(id)).status === "QUEUED") await storeChunk(shop.app, shop.key(id));
  return id;
}

/** What is stored beside the recipients: cursors, recipients waiting behind them, batches in progress. */
async function beside(id: string): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const table of [sql`broadcast_cursor`, sql`broadcast_again`, sql`broadcast_flight`]) {
    const rows = await shop.app.db.query(sql`
      select 1 from ${table} where workspace_id = ${shop.id} and broadcast_id = ${id}`);
    counts.push(rows.length);
  }
  return counts;
}

async function pageOf(id: string, status: "pending" | "sending"): Promise<string[]> {
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await listRecipients(shop.app, shop.id, id, { status, limit: 2, after });
    seen.push(...page.items.map((one) => one.contactId));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return seen;
}

const batch = (id: string, limit: number) => sendBatch(shop.app, shop.key(id), limit);
const calledOnce = (times: number) =>
  assert.deepEqual(
    [...callsByAddress(ground.graph.sent).values()],
    Array.from({ length: times }, () => 1),
  );

test("no index of recipients contains a column that changes on the way from waiting to read", async () => {
  const columns = await shop.app.db.query<{ name: string }>(sql`
    select distinct a.attname as name from pg_index i
    join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
      and d.refclassid = 'pg_class'::regclass and d.refobjid = i.indrelid and d.refobjsubid > 0
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
    where i.indrelid = 'broadcast_recipient'::regclass order by 1`);
  // Reason and trouble are null on that way, and holds_address is true.
  assert.deepEqual(
    columns.map((column) => column.name),
    [
      "address",
      "broadcast_id",
      "contact_id",
      "holds_address",
      "reason",
      "trouble",
      "workspace_id",
      "zone",
    ],
  );
});

test("a recipient put back behind the cursor is claimed again before those beyond it, once, and in the order of contacts", async () => {
  const people = await shop.crowd(6);
  const id = await stored();
  ground.graph.answer = (_, { to }) =>
    to.endsWith("0") || to.endsWith("1") ? later() : ground.graph.accepted();
  assert.equal(await batch(id, 3), 3);
  assert.deepEqual(await shop.outcomes(id), [
    "pending",
    "pending",
    "sent",
    "pending",
    "pending",
    "pending",
  ]);
  assert.deepEqual(await beside(id), [1, 2, 0]);
  assert.deepEqual(
    await pageOf(id, "pending"),
    people.filter((_, n) => n !== 2),
  );
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
  ground.t.clock.advance(MINUTE);
  assert.equal(await batch(id, 3), 3);
  assert.deepEqual(
    ground.graph.sent.map(({ to }) => to.at(-1)),
    ["0", "1", "3"],
  );
  assert.equal(await batch(id, 3), 2);
  calledOnce(5);
  assert.equal(await batch(id, 3), 1);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  assert.deepEqual(await beside(id), [1, 0, 0]);
});

test("each time zone has its cursor: a closed zone loses nobody, and a returned recipient waits in its own zone", async () => {
  const zones = ["Asia/Kuwait", "", "America/New_York", "Asia/Kuwait", "", "America/New_York"];
  await shop.people(
    zones.map((timezone, n) => ({
      phone: `9659${n}`,
      attributes: timezone === "" ? {} : { timezone },
    })),
  );
  // Noon in Kuwait, four in the morning in New York.
  ground.t.clock.advance(Date.UTC(2027, 0, 12, 9) - ground.t.clock.now().getTime());
  const quietHours = { from: 21 * 60, until: 8 * 60 };
  const id = await stored({ timeZone: "UTC", quietHours });
  ground.graph.answer = (_, { to }) => (to === "96590" ? later() : ground.graph.accepted());
  while ((await batch(id, 2)) > 0);
  assert.deepEqual(await shop.outcomes(id), [
    "pending",
    "sent",
    "pending",
    "sent",
    "sent",
    "pending",
  ]);
  assert.equal((await pageOf(id, "pending")).length, 3);
  assert.deepEqual(await beside(id), [2, 1, 0]);
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
  ground.t.clock.advance(5 * 60 * MINUTE);
  for (let n = 0; n < 8; n++) await batch(id, 2);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  calledOnce(3);
  assert.deepEqual(await beside(id), [3, 0, 0]);
});

test("recipients that the allowance no longer covers wait behind the cursor, and the resumed campaign claims them", async () => {
  const small = await Shop.open(ground, { messages: 2 });
  shop = small;
  await small.crowd(5);
  const id = await stored();
  await batch(id, 4);
  assert.equal((await small.checkCounts(id)).status, "PAUSED");
  assert.deepEqual(await small.outcomes(id), ["sent", "sent", "pending", "pending", "pending"]);
  assert.deepEqual(await beside(id), [1, 2, 0]);
  assert.equal((await pageOf(id, "pending")).length, 3);
  await shop.app.db.query(sql`
    update workspace set limits = '{"messages": 100}' where id = ${small.id}`);
  await small.start(id);
  for (let n = 0; n < 4; n++) await batch(id, 4);
  assert.deepEqual(new Set(await small.outcomes(id)), new Set(["sent"]));
  calledOnce(5);
});

test("a batch of a dead worker is found by its flight: listed as sending, given up after 15 minutes, and can be reopened", async () => {
  const people = await shop.crowd(3);
  const id = await stored();
  const plan: SendPlan = {
    fill: () => ({ outbound: { kind: "text", text: "Hi" }, text: "Hi", template: null }),
    channelType: "WHATSAPP",
    secretsSince: null,
    send: () => assert.fail("it died before"),
  };
  const begun = await beginBatch(shop.app, shop.key(id), plan, 2);
  assert.ok(begun.kind === "begun");
  assert.ok(await intendCalls(shop.app.db, shop.key(id), begun.flightId, 2));
  assert.deepEqual(await beside(id), [1, 0, 1]);
  assert.deepEqual(await pageOf(id, "sending"), people.slice(0, 2));
  assert.equal(await batch(id, 2), 1);
  await sweepRecipients(shop.app);
  assert.deepEqual(await beside(id), [1, 0, 1]);
  ground.t.clock.advance(15 * MINUTE);
  await sweepRecipients(shop.app);
  assert.deepEqual(await beside(id), [1, 0, 0]);
  const unknown = "failed OUTCOME_UNKNOWN";
  assert.deepEqual(await shop.outcomes(id), [unknown, unknown, "sent"]);
  await batch(id, 2);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  // Reopened behind a cursor that stands at the end.
  assert.equal(await resendUnknown(OPERATOR, shop.app, shop.id, id), 2);
  assert.deepEqual(await pageOf(id, "pending"), people.slice(0, 2));
  assert.equal(await batch(id, 2), 2);
  assert.equal(await batch(id, 2), 1);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  assert.deepEqual(await beside(id), [1, 0, 0]);
  calledOnce(3);
});

test("a recipient who is merged, erased or cancelled behind the cursor no longer waits there", async () => {
  const [kept = "", merged = "", gone = ""] = await shop.crowd(4);
  const id = await stored();
  ground.graph.answer = () => later();
  await batch(id, 4);
  assert.deepEqual(await beside(id), [1, 4, 0]);
  await pauseBroadcast(OPERATOR, shop.app, shop.id, id);
  await mergeContacts(OPERATOR, shop.app, shop.id, kept, merged);
  const person = { workspaceId: shop.id, contactIds: [gone] };
  await shop.app.db.transaction((tx) => eraseRecipients(shop.app, tx, person, NIL));
  assert.equal((await shop.outcomes(id))[2], "skipped erased");
  assert.equal((await beside(id))[1], 3);
  assert.equal((await pageOf(id, "pending")).length, 3);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, id);
  await sweepRecipients(shop.app);
  assert.deepEqual(await beside(id), [1, 0, 0]);
  const { failedCount, skippedCount } = await shop.checkCounts(id);
  assert.deepEqual([failedCount, skippedCount], [3, 1]);
});
