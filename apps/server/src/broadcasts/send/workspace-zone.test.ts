import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { broadcastTimeline } from "../record/broadcast-timeline.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { cancelBroadcast, scheduleBroadcast } from "../record/change-broadcast.ts";
import { duplicateBroadcast } from "../record/copy-broadcast.ts";
import { openDue } from "../audience/open-due.ts";
import { sendBatch } from "./send-batch.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

/** One turn of the workers that send, and of no others. */
async function turn(shop: Shop, id: string): Promise<void> {
  await storeChunk(shop.app, shop.key(id));
  while ((await sendBatch(shop.app, shop.key(id))) > 0);
}

test("a workspace's zone is one that exists; without one it is UTC", async () => {
  const { app } = ground.t;
  const { id, timeZone } = await createWorkspace(OPERATOR, app, { name: "Plain" });
  assert.equal(timeZone, "UTC");
  for (const zone of ["Mars/Olympus", "+03:00", "", "Asia/Kuwait; drop table", "EST5EDT4"]) {
    const details = [{ path: "timeZone", message: "must be a time zone like Asia/Kuwait" }];
    const refused = { code: "VALIDATION_FAILED", facts: { details } };
    await assert.rejects(updateWorkspace(OPERATOR, app, id, { timeZone: zone }), refused, zone);
  }
  assert.equal(
    (await updateWorkspace(OPERATOR, app, id, { timeZone: "Asia/Kuwait" })).timeZone,
    "Asia/Kuwait",
  );
  assert.equal(
    (await updateWorkspace(OPERATOR, app, id, { name: "Other" })).timeZone,
    "Asia/Kuwait",
  );
  assert.equal((await findWorkspace(app, id))?.timeZone, "Asia/Kuwait");
  const named = await createWorkspace(OPERATOR, app, { name: "Named", timeZone: "Asia/Kolkata" });
  assert.equal((await findWorkspace(app, named.id))?.timeZone, "Asia/Kolkata");
});

test("a campaign without a zone has the workspace's zone of that time, and keeps it; one with a zone has its own", async () => {
  const shop = await Shop.open(ground);
  await updateWorkspace(OPERATOR, shop.app, shop.id, { timeZone: "Asia/Kuwait" });
  const plain = await shop.draft();
  const named = await shop.draft({ timeZone: "Asia/Tokyo" });
  await updateWorkspace(OPERATOR, shop.app, shop.id, { timeZone: "Europe/Paris" });
  assert.equal((await shop.find(plain.id)).timeZone, "Asia/Kuwait");
  assert.equal((await shop.find(named.id)).timeZone, "Asia/Tokyo");
  assert.equal(
    (await duplicateBroadcast(OPERATOR, shop.app, shop.id, plain.id)).timeZone,
    "Asia/Kuwait",
  );
  assert.equal((await shop.draft()).timeZone, "Europe/Paris");
});

test("quiet hours and local times count in the workspace's zone for contacts without one", async () => {
  const shop = await Shop.open(ground);
  await updateWorkspace(OPERATOR, shop.app, shop.id, { timeZone: "Asia/Kuwait" });
  await shop.crowd(1);
  const { clock } = ground.t;
  // 20:30 in Kuwait, 17:30 in UTC.
  const day = 24 * 60 * 60_000;
  const evening = Math.ceil(clock.now().getTime() / day) * day + 17.5 * 60 * 60_000;
  clock.advance(evening - clock.now().getTime());
  const { id } = await shop.draft({ quietHours: { from: 20 * 60, until: 21 * 60 } });
  await shop.start(id);
  await turn(shop, id);
  assert.deepEqual([(await shop.find(id)).status, (await shop.find(id)).sentCount], ["RUNNING", 0]);
  clock.advance(30 * 60_000);
  await turn(shop, id);
  assert.equal((await shop.find(id)).sentCount, 1);
  // Noon by each contact's clock: the first zone of the world gets there 14 hours before UTC does.
  const noon = new Date(Math.ceil(clock.now().getTime() / day + 1) * day + 9 * 60 * 60_000);
  const local = await shop.draft({ scheduledAt: noon, localTime: true });
  clock.advance(noon.getTime() - 11 * 60 * 60_000 - clock.now().getTime() - 1);
  assert.equal(await openDue(shop.app), 0);
  clock.advance(1);
  assert.equal(await openDue(shop.app), 1);
  await turn(shop, local.id);
  assert.equal((await shop.find(local.id)).sentCount, 0);
  clock.advance(11 * 60 * 60_000);
  await turn(shop, local.id);
  assert.equal((await shop.find(local.id)).sentCount, 1);
});

test("a copy of a campaign by each recipient's clock follows it too once it has a time, and starts at once without one", async () => {
  const shop = await Shop.open(ground);
  const { clock } = ground.t;
  await shop.people([{ phone: "96551110001", attributes: { timezone: "Pacific/Honolulu" } }]);
  const day = 24 * 60 * 60_000;
  const noon = new Date((Math.ceil(clock.now().getTime() / day) + 1) * day + day / 2);
  const first = await shop.draft({ scheduledAt: noon, localTime: true });
  const started = await duplicateBroadcast(OPERATOR, shop.app, shop.id, first.id);
  await shop.start(started.id);
  await turn(shop, started.id);
  assert.equal((await shop.find(started.id)).sentCount, 1);
  const { id } = await duplicateBroadcast(OPERATOR, shop.app, shop.id, first.id);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, first.id);
  await scheduleBroadcast(OPERATOR, shop.app, shop.id, id, noon);
  clock.set(noon);
  await openDue(shop.app);
  await turn(shop, id);
  // Two in the morning in Honolulu.
  assert.deepEqual(
    [(await shop.find(id)).status, await shop.outcomes(id)],
    ["RUNNING", ["pending"]],
  );
  clock.advance(10 * 60 * 60_000);
  await turn(shop, id);
  assert.deepEqual(await shop.outcomes(id), ["sent"]);
});

test("the timeline counts by the workspace's days and hours", async () => {
  const shop = await Shop.open(ground);
  // 00:00 there is 18:30 in UTC.
  await updateWorkspace(OPERATOR, shop.app, shop.id, { timeZone: "Asia/Kolkata" });
  await shop.crowd(3);
  const { clock } = ground.t;
  const day = 24 * 60 * 60_000;
  const midnight = Math.ceil(clock.now().getTime() / day) * day + 18.5 * 60 * 60_000;
  clock.advance(midnight - 10 * 60_000 - clock.now().getTime());
  const { id } = await shop.draft({ rateLimitPerMinute: 10 });
  await shop.start(id);
  await turn(shop, id);
  clock.advance(20 * 60_000);
  await turn(shop, id);
  clock.advance(20 * 60_000);
  await turn(shop, id);
  const chart = async (step: "day" | "hour") => {
    const timeline = await broadcastTimeline(shop.app, shop.id, id, step);
    assert.equal(timeline.timeZone, "Asia/Kolkata");
    return timeline.chart.map((one) => [one.at.getTime() - midnight, one.sent]);
  };
  assert.deepEqual(await chart("day"), [
    [-day, 1],
    [0, 2],
  ]);
  assert.deepEqual(await chart("hour"), [
    [-60 * 60_000, 1],
    [0, 2],
  ]);
});
