import { KEY } from "../../../test/actors.ts";
import { actorName } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../db/sql.ts";
import type { BroadcastStatus } from "../../wire/words.ts";
import { broadcastTimeline } from "./broadcast-timeline.ts";
import { Shop, startGround, type Ground } from "./campaign.fixture.ts";
import {
  cancelBroadcast,
  pauseBroadcast,
  scheduleBroadcast,
  unscheduleBroadcast,
} from "./change-broadcast.ts";
import { setPace } from "../send/set-pace.ts";
import { sendBatch } from "../send/send-batch.ts";
import { startBroadcast } from "./start-broadcast.ts";
import { storeChunk } from "../audience/store-chunk.fixture.ts";

let ground: Ground;
let shop: Shop;
before(async () => {
  ground = await startGround();
  shop = await Shop.open(ground);
});
after(() => ground[Symbol.asyncDispose]());

const STATUSES = [
  "DRAFT",
  "SCHEDULED",
  "QUEUED",
  "RUNNING",
  "PAUSED",
  "COMPLETED",
  "CANCELLED",
  "FAILED",
] as const satisfies readonly BroadcastStatus[];

const later = () => new Date(ground.t.clock.now().getTime() + 60_000);
const OPERATIONS = {
  start: (id: string) => startBroadcast(KEY, shop.app, shop.id, id),
  schedule: (id: string) => scheduleBroadcast(KEY, shop.app, shop.id, id, later()),
  unschedule: (id: string) => unscheduleBroadcast(KEY, shop.app, shop.id, id),
  pause: (id: string) => pauseBroadcast(KEY, shop.app, shop.id, id),
  cancel: (id: string) => cancelBroadcast(KEY, shop.app, shop.id, id),
  // Sets no status: its answer is the status before.
  paced: (id: string) => setPace(KEY, shop.app, shop.id, id, 4_321),
};

// Written from contract §5, Broadcast transitions, and the spec's start; in the order of STATUSES. `-`: refused.
const EXPECTED: Record<keyof typeof OPERATIONS, string> = {
  start: "QUEUED QUEUED - - RUNNING - - -",
  schedule: "SCHEDULED - - - - - - -",
  unschedule: "- DRAFT - - - - - -",
  pause: "- - - PAUSED - - - -",
  cancel: "CANCELLED CANCELLED CANCELLED CANCELLED CANCELLED - - -",
  paced: "DRAFT SCHEDULED QUEUED RUNNING PAUSED - - -",
};

async function standing(status: BroadcastStatus): Promise<string> {
  const { id } = await shop.draft({ rateLimitPerMinute: 300 });
  await shop.app.db.query(sql`update broadcast set status = ${status}
    where workspace_id = ${shop.id} and id = ${id}`);
  return id;
}

for (const [name, operate] of Object.entries(OPERATIONS))
  test(`${name}: from every status the contract's move with its event and entry, or a refusal that changes nothing`, async () => {
    const row = EXPECTED[name as keyof typeof OPERATIONS].split(" ");
    for (const [place, from] of STATUSES.entries()) {
      const id = await standing(from);
      const before = (await shop.desk.events("broadcast.status")).length;
      const to = row[place] ?? "";
      if (to === "-")
        await assert.rejects(
          operate(id),
          { code: name === "start" ? "BROADCAST_NOT_STARTABLE" : "NOT_ALLOWED_IN_STATE" },
          `${name} of ${from}`,
        );
      else assert.equal((await operate(id)).status, to, `${name} of ${from}`);
      const found = await shop.find(id);
      assert.equal(found.status, to === "-" ? from : to, `${name} of ${from}`);
      const { entries } = await broadcastTimeline(shop.app, shop.id, id);
      const told = (await shop.desk.events("broadcast.status")).slice(before);
      const entry = { kind: name, actor: actorName(KEY), from, to };
      if (to === "-") assert.deepEqual([entries, told], [[], []], `${name} of ${from}`);
      else if (name === "paced") {
        assert.deepEqual([entries.length, told], [1, []]);
        assert.partialDeepStrictEqual(entries[0], { ...entry, from: null, to: null });
      } else {
        assert.equal(entries.length, 1);
        assert.partialDeepStrictEqual(entries[0], entry);
        assert.partialDeepStrictEqual(told, [{ previousStatus: from, status: to }]);
      }
    }
  });

test("a campaign that is cancelled or paused while its audience is stored gets no further chunk", async () => {
  const own = await Shop.open(ground);
  await own.crowd(30);
  const { id } = await own.draft();
  await own.start(id);
  assert.equal(await storeChunk(own.app, own.key(id), 10), true);
  await assert.rejects(pauseBroadcast(KEY, own.app, own.id, id), {
    code: "NOT_ALLOWED_IN_STATE",
  });
  await cancelBroadcast(KEY, own.app, own.id, id);
  assert.equal(await storeChunk(own.app, own.key(id), 10), false);
  assert.equal(await sendBatch(own.app, own.key(id)), 0);
  const cancelled = await own.checkCounts(id);
  assert.deepEqual(
    [cancelled.status, cancelled.totalCount, cancelled.sentCount],
    ["CANCELLED", 10, 0],
  );
  assert.equal(ground.graph.sent.length, 0);
});
