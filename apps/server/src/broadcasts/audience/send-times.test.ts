import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { isTimeZone } from "../../lib/time-zone.ts";
import { createRunBroadcastsWorker } from "../../workers/run-broadcasts.ts";
import { createStoreAudiencesWorker } from "../../workers/store-audiences.ts";
import { cancelBroadcast, scheduleBroadcast } from "../record/change-broadcast.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { openDue } from "./open-due.ts";
import {
  contactZones,
  scheduledStart,
  minutesOf,
  opensAt,
  usesZones,
  type Timing,
} from "./send-times.ts";

const NONE: Timing = {
  scheduledAt: null,
  timeZone: "UTC",
  localTime: false,
  quietFrom: null,
  quietUntil: null,
};
const NIGHT: Timing = { ...NONE, timeZone: "Asia/Kuwait", quietFrom: 21 * 60, quietUntil: 8 * 60 };
const at = (text: string) => new Date(text);
const opens = (timing: Timing, zone: string, now: string) =>
  opensAt(timing, zone, at(now))?.toISOString().slice(0, 16) ?? "now";

test("quiet hours are those of the recipient's day, over midnight and over a clock change", () => {
  const table: [zone: string, now: string, wanted: string][] = [
    // Kuwait is UTC+3.
    ["", "2026-11-21T17:59:59Z", "now"],
    ["", "2026-11-21T18:00:00Z", "2026-11-22T05:00"],
    ["", "2026-11-21T21:30:00Z", "2026-11-22T05:00"],
    ["", "2026-11-22T04:59:59Z", "2026-11-22T05:00"],
    ["", "2026-11-22T05:00:00Z", "now"],
    ["Europe/London", "2026-11-21T18:00:00Z", "now"],
    ["America/New_York", "2026-11-21T12:59:00Z", "2026-11-21T13:00"],
    ["Asia/Kathmandu", "2026-11-21T15:15:00Z", "2026-11-22T02:15"],
    // Clocks go forward in the night of 29 March 2026 in Berlin: 08:00 is 06:00 UTC; the day before it was 07:00.
    ["Europe/Berlin", "2026-03-27T22:00:00Z", "2026-03-28T07:00"],
    ["Europe/Berlin", "2026-03-28T22:00:00Z", "2026-03-29T06:00"],
  ];
  // 02:30 does not exist in the night of 14 March 2027 in New York, and of 28 March in Berlin: the quiet time ends
  // at three.
  const gap = { ...NIGHT, quietUntil: 150 };
  assert.equal(opens(gap, "America/New_York", "2027-03-14T05:00:00Z"), "2027-03-14T07:00");
  assert.equal(opens(gap, "America/New_York", "2027-03-14T06:45:00Z"), "2027-03-14T07:00");
  assert.equal(opens(gap, "Europe/Berlin", "2027-03-28T00:00:00Z"), "2027-03-28T01:00");
  for (const [zone, now, wanted] of table)
    assert.equal(opens(NIGHT, zone, now), wanted, now + zone);
  const noon = { ...NIGHT, timeZone: "UTC", quietFrom: 12 * 60, quietUntil: 13 * 60 };
  assert.equal(opens(noon, "", "2026-11-21T12:10:00Z"), "2026-11-21T13:00");
  assert.equal(opens(noon, "", "2026-11-21T13:00:00Z"), "now");
  assert.equal(opens(NONE, "Asia/Tokyo", "2026-11-21T23:00:00Z"), "now");
});

test("each recipient's own time: the scheduled wall clock in the recipient's zone, then quiet hours", () => {
  // 09:00 in Kuwait.
  const nine = {
    ...NONE,
    timeZone: "Asia/Kuwait",
    localTime: true,
    scheduledAt: at("2026-11-22T06:00:00Z"),
  };
  assert.equal(scheduledStart(nine)?.toISOString(), "2026-11-21T19:00:00.000Z");
  assert.equal(
    scheduledStart({ ...nine, localTime: false })?.toISOString(),
    "2026-11-22T06:00:00.000Z",
  );
  const early = "2026-11-21T19:00:00Z";
  assert.equal(opens(nine, "Pacific/Kiritimati", early), "now");
  assert.equal(opens(nine, "Asia/Tokyo", early), "2026-11-22T00:00");
  assert.equal(opens(nine, "", early), "2026-11-22T06:00");
  assert.equal(opens(nine, "America/Los_Angeles", early), "2026-11-22T17:00");
  assert.equal(opens(nine, "America/Los_Angeles", "2026-11-22T17:00:00Z"), "now");
  // In New York half past two does not exist on 14 March 2027, and half past one comes twice on 7 November.
  const halfPastTwo = { ...nine, scheduledAt: at("2027-03-13T23:30:00Z") };
  assert.equal(opens(halfPastTwo, "America/New_York", early), "2027-03-14T07:30");
  const halfPastOne = { ...nine, scheduledAt: at("2027-11-06T22:30:00Z") };
  assert.equal(opens(halfPastOne, "America/New_York", early), "2027-11-07T05:30");
  assert.equal(opens(halfPastOne, "Australia/Lord_Howe", early), "2027-11-06T14:30");
  const seven = { ...nine, quietFrom: 21 * 60, quietUntil: 10 * 60 };
  assert.equal(opens(seven, "Asia/Tokyo", early), "2026-11-22T01:00");
  assert.deepEqual([usesZones(nine), usesZones(NIGHT), usesZones(NONE)], [true, true, false]);
});

test("names of zones and times of the day", () => {
  for (const name of ["Asia/Kuwait", "UTC", "Europe/Kyiv"]) {
    assert.ok(isTimeZone(name), name);
    assert.ok(contactZones().includes(name), name);
  }
  for (const name of ["", "+03:00", "Mars/Base", "Asia/Kuwait; drop"])
    assert.ok(!isTimeZone(name), name);
  assert.deepEqual(["00:00", "21:30", "23:59", "24:00", "9:00", "21:60", ""].map(minutesOf), [
    0,
    1_290,
    1_439,
    null,
    null,
    null,
    null,
  ]);
});

test("a contact may live in every zone that the database knows, under any of its names", async () => {
  const rows = await ground.t.app.db.query<{ name: string }>(sql`
    select name from pg_timezone_names where name !~ '^(posix|right)/' order by name`);
  assert.ok(rows.length > 500);
  const known = new Set(contactZones());
  const missing = rows.filter(({ name }) => isTimeZone(name) && !known.has(name));
  assert.deepEqual(missing, []);
});

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());
beforeEach(() => {
  ground.graph.sent.length = 0;
});

/** Only campaigns: the hourly sync would find that the platform has no such template. */
async function work(): Promise<void> {
  const storing = createStoreAudiencesWorker(ground.t.app);
  const sending = createRunBroadcastsWorker(ground.t.app);
  while ((await storing.runOnce()) + (await sending.runOnce()) > 0);
}

/** Advances to this time of the next day, UTC. */
function goTo(hour: number): Date {
  const { clock } = ground.t;
  const next = new Date(clock.now());
  next.setUTCDate(next.getUTCDate() + 1);
  next.setUTCHours(hour, 0, 0, 0);
  clock.advance(next.getTime() - clock.now().getTime());
  return clock.now();
}
const HOUR = 60 * 60_000;
const zoned = (zones: readonly (string | number)[]) =>
  zones.map((timezone, n) => ({ phone: `9657${String(1_000_000 + n)}`, attributes: { timezone } }));

test("recipients in their quiet hours wait, others get the message, and the campaign neither completes nor spins", async () => {
  const shop = await Shop.open(ground);
  await shop.people(
    zoned(["Asia/Tokyo", "Europe/London", "America/New_York", "no/zone", 7, "Asia/Tokyo"]),
  );
  goTo(14);
  const { id } = await shop.draft({
    timeZone: "Asia/Kuwait",
    quietHours: { from: 21 * 60, until: 8 * 60 },
  });
  await shop.start(id);
  await work();
  // 23:00 in Tokyo, 17:00 in Kuwait.
  assert.deepEqual(await shop.outcomes(id), ["pending", "sent", "sent", "sent", "sent", "pending"]);
  assert.equal((await shop.checkCounts(id)).status, "RUNNING");
  const parked = async () => {
    const [row] = await shop.app.db.query<{ until: Date | null }>(
      sql`select throttled_until as until from broadcast where workspace_id = ${shop.id} and id = ${id}`,
    );
    return row?.until?.toISOString().slice(11, 16);
  };
  // 08:00 in Tokyo.
  assert.equal(await parked(), "23:00");
  ground.t.clock.advance(9 * HOUR - 1_000);
  await work();
  assert.equal(ground.graph.sent.length, 4);
  ground.t.clock.advance(1_000);
  await work();
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
  assert.equal(ground.graph.sent.length, 6);
});

test("scheduled for nine o'clock of each recipient: opened for the first zone, then sent zone by zone", async () => {
  const shop = await Shop.open(ground);
  await shop.people(zoned(["Asia/Tokyo", "none", "America/New_York"]));
  const midnight = goTo(0);
  const nineInKuwait = new Date(midnight.getTime() + 30 * HOUR);
  const { id } = await shop.draft({
    timeZone: "Asia/Kuwait",
    localTime: true,
    scheduledAt: nineInKuwait,
  });
  const waits = async (hours: number) => {
    ground.t.clock.advance(hours * HOUR);
    await work();
    return (await shop.outcomes(id)).join(" ");
  };
  assert.equal(await waits(18), "");
  assert.equal(await waits(1), "pending pending pending");
  assert.equal(await waits(5), "sent pending pending");
  assert.equal(await waits(5), "sent pending pending");
  assert.equal(await waits(1), "sent sent pending");
  assert.equal((await shop.checkCounts(id)).status, "RUNNING");
  assert.equal(await waits(8), "sent sent sent");
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});

test("a time that came while no process ran still counts within six hours; later the campaign is a draft again and the admins are told", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(2);
  const inAnHour = () => new Date(ground.t.clock.now().getTime() + HOUR);
  const soon = await shop.draft({ scheduledAt: inAnHour() });
  ground.t.clock.advance(7 * HOUR);
  await openDue(shop.app);
  assert.equal((await shop.find(soon.id)).status, "QUEUED");
  await cancelBroadcast(OPERATOR, shop.app, shop.id, soon.id);
  const scheduledAt = inAnHour();
  const late = await shop.draft({ scheduledAt });
  ground.t.clock.advance(7 * HOUR + 1);
  await openDue(shop.app);
  const missed = await shop.find(late.id);
  assert.deepEqual([missed.status, missed.scheduledAt], ["DRAFT", null]);
  assert.equal(missed.statusReason, `SCHEDULE_MISSED: it was due at ${scheduledAt.toISOString()}`);
  const [notice] = await shop.app.db.query<{ subject: string }>(
    sql`select subject from notice where workspace_id = ${shop.id} and kind = 'broadcast.missed'`,
  );
  assert.equal(notice?.subject, "Campaign News was not started");
  await scheduleBroadcast(OPERATOR, shop.app, shop.id, late.id, inAnHour());
  ground.t.clock.advance(HOUR);
  await work();
  assert.deepEqual([(await shop.find(late.id)).status, ground.graph.sent.length], ["COMPLETED", 2]);
});

test("invalid zones and quiet hours are refused by name", async () => {
  const shop = await Shop.open(ground);
  const refused = (more: Parameters<Shop["draft"]>[0], path: string) =>
    assert.rejects(shop.draft(more), (error: { facts: { details: { path: string }[] } }) => {
      assert.deepEqual(
        error.facts.details.map((one) => one.path),
        [path],
      );
      return true;
    });
  await refused({ timeZone: "Mars/Base" }, "timeZone");
  await refused({ quietHours: { from: 60, until: 60 } }, "quietHours");
  await refused({ quietHours: { from: 1_440, until: 60 } }, "quietHours");
});
