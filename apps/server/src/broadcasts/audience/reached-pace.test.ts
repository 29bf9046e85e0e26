import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { estimateBroadcast } from "./estimate-broadcast.ts";
import { reachedIn } from "./reached-pace.ts";

test("runs that kept their pace bound nothing; of runs that did not, the fastest says what is reached", () => {
  assert.equal(reachedIn([]), null);
  // 4,000 calls at 4,800 a minute take 50 s.
  assert.equal(reachedIn([{ rate: 4_800, calls: 4_000, seconds: 52 }]), null);
  // 169 s, as measured on a machine that had too much to do.
  const slow = { rate: 4_800, calls: 4_000, seconds: 169 };
  assert.equal(Math.round(reachedIn([slow]) ?? 0), 1_420);
  const calm = { rate: 600, calls: 1_000, seconds: 101 };
  assert.equal(Math.round(reachedIn([calm, slow]) ?? 0), 1_420);
  assert.equal(
    Math.round(reachedIn([{ rate: 30_000, calls: 3_000, seconds: 60 }, slow]) ?? 0),
    3_000,
  );
});

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());

test("the estimate of a campaign holds within 30 % of what the run before took, however slow the machine is", async () => {
  const shop = await Shop.open(ground);
  await shop.people(
    Array.from({ length: 600 }, (_, n) => ({ phone: String(96_550_000_000 + n), name: "Ana" })),
  );
  const draft = (rate: number) => shop.draft({ rateLimitPerMinute: rate });
  const seconds = async (rate: number) =>
    (await estimateBroadcast(shop.app, shop.id, (await draft(rate)).id)).seconds;
  assert.equal(await seconds(4_800), 8, "nothing is known yet");
  // The test's clock moves only when it is set: the run is made at a pace that needs no time.
  const { id } = await draft(1_000_000);
  await shop.start(id);
  await ground.t.app.drain();
  /** As if the run had taken so long. */
  const took = (real: number) =>
    shop.app.db
      .query(sql`update broadcast set rate_limit_per_minute = 4800, completed_at = started_at + ${real} * interval '1 second'
      where workspace_id = ${shop.id} and id = ${id}`);
  for (const real of [8, 20, 60, 300]) {
    await took(real);
    const estimated = await seconds(4_800);
    assert.ok(
      Math.abs(estimated - real) <= 0.3 * real,
      `${estimated} s estimated, ${real} s taken`,
    );
  }
  // A pace that the machine kept is kept by the estimate.
  await took(20);
  assert.equal(await seconds(600), 61);
  // A run that somebody paused says nothing of the machine.
  await shop.app.db.query(sql`
    insert into broadcast_entry (workspace_id, broadcast_id, created_at, kind, to_status)
    select ${shop.id}, ${id}, now(), 'pause', 'PAUSED'`);
  assert.equal(await seconds(4_800), 8);
});
