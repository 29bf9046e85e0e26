import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { createMember } from "../workspaces/create-member.ts";
import { inviteMember } from "../workspaces/invite-member.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { updateWorkspace } from "../workspaces/update-workspace.ts";
import { countMessages } from "./count-messages.ts";
import { refundCredits, reserveCredits } from "../workspaces/credits.ts";
import { monthBounds, monthOf } from "./month.ts";
import { reserveSlots, type Reservation } from "./reserve-slots.ts";
import { percentUsed, usageSummary } from "./usage-summary.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

async function workspace(messages: number | null): Promise<string> {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  await updateWorkspace(OPERATOR, t.app, id, { limits: { messages } });
  return id;
}
async function reserve(workspaceId: string, count: number): Promise<Reservation> {
  const result = await t.app.db.transaction(async (tx) => {
    const reserved = await reserveSlots(tx, t.clock.now(), [{ workspaceId, count }]);
    await emitEvents(
      t.app,
      tx,
      [...reserved.values()].flatMap((one) => one.events),
    );
    return reserved;
  });
  return result.get(workspaceId) ?? assert.fail();
}
const percents = (events: readonly NewEvent[]) =>
  events.map((event) => (event.type === "usage.threshold" ? event.data.percent : event.type));

test("the month is the UTC calendar month, with its last instant and without the next month's first", () => {
  const last = new Date("2028-02-29T23:59:59.999Z");
  assert.equal(monthOf(last), "2028-02-01");
  assert.equal(monthOf(new Date(last.getTime() + 1)), "2028-03-01");
  assert.deepEqual(monthBounds(new Date("2026-12-31T23:00:00.000Z")), {
    start: new Date("2026-12-01T00:00:00.000Z"),
    end: new Date("2027-01-01T00:00:00.000Z"),
  });
});

test("when fewer are left than requested, exactly those are granted", async () => {
  const [id, neighbour] = [await workspace(10), await workspace(10)];
  await reserve(neighbour, 3);
  const grants = [];
  for (const count of [0, 4, 4, 4, 4]) grants.push((await reserve(id, count)).granted);
  assert.deepEqual(grants, [0, 4, 4, 2, 0]);
  const { used, limit } = await reserve(id, 0);
  assert.deepEqual([used, limit], [10, 10]);
  assert.equal((await reserve(neighbour, 0)).used, 3);
});

test("several requests of one workspace are added up, and an unknown workspace has no state at all", async () => {
  const [id, stranger] = [await workspace(5), t.app.ids.next()];
  const requests = [id, stranger, id].map((workspaceId) => ({ workspaceId, count: 3 }));
  const reserved = await t.app.db.transaction((tx) => reserveSlots(tx, t.clock.now(), requests));
  assert.deepEqual([reserved.get(id)?.granted, reserved.get(id)?.used], [5, 5]);
  assert.deepEqual(reserved.get(stranger), {
    granted: 0,
    used: 0,
    limit: 0,
    suspended: false,
    events: [],
  });
});

test("fifty transactions that each take up to seven use a limit of 100 exactly", async () => {
  const id = await workspace(100);
  const grants = await Promise.all(Array.from({ length: 50 }, (_, n) => reserve(id, (n % 7) + 1)));
  assert.equal(
    grants.reduce((sum, one) => sum + one.granted, 0),
    100,
  );
  assert.equal((await usageSummary(t.app, id)).usage.messages, 100);
});

test("transactions over several workspaces in any order do not wait for each other in a circle", async () => {
  const [a, b] = [await workspace(null), await workspace(null)];
  const take = (ids: string[]) =>
    t.app.db.transaction((tx) =>
      reserveSlots(
        tx,
        t.clock.now(),
        ids.map((workspaceId) => ({ workspaceId, count: 1 })),
      ),
    );
  await Promise.all(Array.from({ length: 30 }, (_, n) => take(n % 2 ? [a, b] : [b, a])));
  assert.equal((await usageSummary(t.app, a)).usage.messages, 30);
});

test("80 and 100 per cent are announced once each, also when one request passes both", async () => {
  const id = await workspace(10);
  const told = [];
  for (const count of [7, 1, 1, 1, 1]) told.push(percents((await reserve(id, count)).events));
  assert.deepEqual(told, [[], [80], [], [100], []]);
  assert.deepEqual(percents((await reserve(await workspace(10), 10)).events), [80, 100]);
  assert.deepEqual(percents((await reserve(await workspace(0), 1)).events), []);
  const { start, end } = monthBounds(t.clock.now());
  const [event] = (await reserve(await workspace(9), 8)).events;
  assert.deepEqual(event?.data, {
    meter: "messages",
    percent: 80,
    limit: 9,
    usage: 8,
    periodStart: start.toISOString(),
    periodEnd: end.toISOString(),
  });
});

test("allowance and thresholds start anew at the first instant of the UTC month", async () => {
  const id = await workspace(5);
  t.clock.set(new Date("2031-01-31T23:59:59.999Z"));
  assert.equal((await reserve(id, 9)).granted, 5);
  t.clock.advance(1);
  const next = await reserve(id, 4);
  assert.deepEqual([next.granted, next.used, percents(next.events)], [4, 4, [80]]);
  const { periodStart, periodEnd } = await usageSummary(t.app, id);
  assert.deepEqual(
    [periodStart, periodEnd],
    ["2031-02-01T00:00:00.000Z", "2031-03-01T00:00:00.000Z"],
  );
});

test("a suspended or unknown workspace gets nothing, and an unlimited one gets all", async () => {
  const id = await workspace(null);
  assert.equal((await reserve(id, 1_000_000)).granted, 1_000_000);
  await updateWorkspace(OPERATOR, t.app, id, { suspended: true });
  const refused = await reserve(id, 1);
  assert.deepEqual([refused.granted, refused.suspended, refused.used], [0, true, 1_000_000]);
  assert.equal((await reserve(t.app.ids.next(), 1)).granted, 0);
});

test("the summary is that of the spec, by channel, and SMS has no ids", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A", plan: "starter" });
  // An open invitation takes a seat, one that is over does not.
  await inviteMember(OPERATOR, t.app, id, { email: "late@b.example", role: "agent" });
  t.clock.advance(8 * 86_400_000);
  await inviteMember(OPERATOR, t.app, id, { email: "b@b.example", role: "agent" });
  const neighbour = await workspace(null);
  const channelId = t.app.ids.next();
  const at = t.clock.now();
  await t.app.db.query(sql`
    insert into channel (workspace_id, id, type, name, status, external_id, secrets_sealed, created_at)
    values (${id}, ${channelId}, 'WHATSAPP', 'Shop', 'connected', '1', '\\x00', ${at}),
      (${id}, ${t.app.ids.next()}, 'WHATSAPP', 'Gone', 'disconnected', '2', '\\x00', ${at}),
      (${neighbour}, ${t.app.ids.next()}, 'WHATSAPP', 'Next door', 'connected', '3', '\\x00', ${at})`);
  const person = { email: "a@b.example", name: "A", role: "owner" } as const;
  for (const one of [id, neighbour]) await createMember(OPERATOR, t.app, one, person);
  await reserve(id, 250);
  await t.app.db.transaction((tx) =>
    countMessages(tx, [
      { workspaceId: id, channelId, at, sent: 200, received: 7 },
      { workspaceId: id, channelId: null, at, sent: 50 },
      { workspaceId: id, channelId, at, sent: -3, failed: 3 },
      { workspaceId: neighbour, channelId: null, at, sent: 9 },
      { workspaceId: id, channelId, at: new Date(at.getTime() - 40 * 86_400_000), sent: 1000 },
    ]),
  );
  const sms = { channelId: null, channelType: null, displayName: "SMS" };
  const shop = { channelId, channelType: "WHATSAPP", displayName: "Shop" };
  const byChannel = [
    { ...sms, sent: 50, received: 0, failed: 0, aiReplies: 0 },
    { ...shop, sent: 197, received: 7, failed: 3, aiReplies: 0 },
  ];
  const { start, end } = monthBounds(at);
  assert.deepEqual(await usageSummary(t.app, id), {
    plan: "starter",
    limits: { messages: 5000, seats: 5, bots: 3, channels: 5, aiReplies: 1000 },
    usage: { messages: 250, seats: 2, bots: 0, channels: 1, aiReplies: 0, failed: 3, byChannel },
    period: { total: 257, sent: 247, received: 7, failed: 3, aiReplies: 0, byChannel },
    periodStart: start.toISOString(),
    periodEnd: end.toISOString(),
    percentUsed: 5,
  });
});

test("channels that only received or only failed count, and channels without anything leave no meter", async () => {
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const at = t.clock.now();
  const [received, failed, nothing] = [t.app.ids.next(), t.app.ids.next(), t.app.ids.next()];
  await t.app.db.transaction((tx) =>
    countMessages(tx, [
      { workspaceId, channelId: received, at, received: 1 },
      { workspaceId, channelId: failed, at, failed: 1 },
      { workspaceId, channelId: nothing, at, sent: 1 },
      { workspaceId, channelId: nothing, at, sent: -1 },
    ]),
  );
  const { byChannel } = (await usageSummary(t.app, workspaceId)).period;
  assert.deepEqual(
    byChannel.map((one) => [one.channelId, one.sent, one.received, one.failed]),
    [
      [received, 0, 1, 0],
      [failed, 0, 0, 1],
    ],
  );
});

test("percentUsed is whole, rounded down, and null when unlimited", () => {
  const cases = [
    [0, 500, 0],
    [399, 500, 79],
    [499, 500, 99],
    [500, 500, 100],
    [501, 500, 100],
    [0, 0, 100],
    [7, null, null],
  ] as const;
  for (const [used, limit, percent] of cases) assert.equal(percentUsed(used, limit), percent);
});

test("credits are taken all or nothing, exactly also at the same time, and null is not limited", async () => {
  const take = (id: string, count: number) =>
    t.app.db.transaction((tx) => reserveCredits(tx, id, count));
  const { id: neighbour } = await createWorkspace(OPERATOR, t.app, { name: "N", smsCredits: 9 });
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A", smsCredits: 5 });
  const taken = await Promise.all(Array.from({ length: 10 }, () => take(id, 2)));
  assert.equal(taken.filter((one) => one.ok).length, 2);
  assert.deepEqual(await take(id, 2), { ok: false, balance: 1 });
  assert.deepEqual(await take(neighbour, 10), { ok: false, balance: 9 });
  await t.app.db.transaction((tx) => refundCredits(tx, id, 2));
  assert.deepEqual(await take(id, 3), { ok: true });
  const free = await createWorkspace(OPERATOR, t.app, { name: "B" });
  assert.deepEqual(await take(free.id, 1_000_000), { ok: true });
});
