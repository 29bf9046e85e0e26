import assert from "node:assert/strict";
import { test } from "node:test";
import { Desk, startMessaging } from "../../../../test/messaging.ts";
import { OPERATOR } from "../../../actor.ts";
import {
  scheduleBroadcast,
  unscheduleBroadcast,
} from "../../../broadcasts/record/change-broadcast.ts";
import { createBroadcast } from "../../../broadcasts/record/create-broadcast.ts";
import { sql } from "../../../db/sql.ts";
import { ProgressWatch } from "./progress.ts";

test("campaigns are told when they move, also after their end, for a week; each workspace apart", async () => {
  await using m = await startMessaging();
  const { app, clock } = m.t;
  const desk = await Desk.open(m);
  const other = await Desk.open(m);
  const { workspaceId } = desk;
  const watch = new ProgressWatch(app);
  const moved = async (of = workspaceId) => (await watch.look([of])).moved.map(({ id }) => id);
  const { id } = await createBroadcast(OPERATOR, app, workspaceId, {
    name: "Offer",
    kind: "SMS",
    body: "hello",
  });
  assert.deepEqual(await moved(), [], "a draft");
  const at = new Date(clock.now().getTime() + 3_600_000);
  await scheduleBroadcast(OPERATOR, app, workspaceId, id, at);
  assert.deepEqual([await moved(), await moved()], [[id], []]);
  await unscheduleBroadcast(OPERATOR, app, workspaceId, id);
  assert.deepEqual([await moved(), await moved()], [[id], []], "it is told once more");
  await app.db
    .query(sql`update broadcast set status = 'COMPLETED', started_at = ${clock.now()}, completed_at = ${clock.now()}
    where workspace_id = ${workspaceId} and id = ${id}`);
  assert.deepEqual(await moved(), [id]);
  await app.db.query(sql`update broadcast set delivered_count = delivered_count + 1
    where workspace_id = ${workspaceId} and id = ${id}`);
  assert.deepEqual([await moved(), await moved()], [[id], []]);
  const { all } = await watch.look([workspaceId]);
  assert.deepEqual(
    all.map((one) => one.id),
    [id],
    "a new stream hears of it",
  );
  clock.advance(8 * 24 * 3_600_000);
  assert.deepEqual([await moved(), await moved()], [[id], []]);
  assert.deepEqual((await watch.look([other.workspaceId])).all, []);
});
