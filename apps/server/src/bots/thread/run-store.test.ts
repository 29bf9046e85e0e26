import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { sql } from "../../db/sql.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { claimRuns } from "./run-store.ts";
import { startBots } from "./start-bots.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

test("of each workspace as many runs are claimed as it has places, the longest waiting first, and no other row is written", async () => {
  const { app, clock } = m.t;
  const [busy, other] = [await Desk.open(m), await Desk.open(m)];
  for (const { workspaceId } of [busy, other]) await makeLiveBot(app, workspaceId);
  for (let n = 1; n <= 5; n++) {
    await busy.hears(`9657490000${n}`, "where is it?");
    await startBots(app, 10);
    clock.advance(10);
  }
  await other.hears("96574900009", "where is it?");
  await startBots(app, 10);
  clock.advance(5_000);
  const rows = () =>
    app.db.query<{ id: string; row: string }>(sql`
      select id, xmin::text as row from bot_run where workspace_id = ${busy.workspaceId} order by due_at`);
  const before = await rows();
  const claim = (left: ReadonlyMap<string, number>) => {
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + 60_000);
    const places = { left, perKey: 2 };
    const processId = app.life.id;
    return claimRuns(app.db, { kind: "ai", processId, now, leaseUntil, limit: 10, places });
  };
  const claimed = await claim(new Map());
  const ours = claimed.filter(({ workspaceId }) => workspaceId === busy.workspaceId);
  const oldest = before.slice(0, 2).map(({ id }) => id);
  assert.deepEqual([claimed.length, new Set(ours.map(({ id }) => id))], [3, new Set(oldest)]);
  assert.deepEqual(await claim(new Map([[busy.workspaceId, 0]])), []);
  assert.deepEqual((await rows()).slice(2), before.slice(2));
  const [next] = await claim(new Map([[busy.workspaceId, 1]]));
  assert.equal(next?.id, before[2]?.id);
});
