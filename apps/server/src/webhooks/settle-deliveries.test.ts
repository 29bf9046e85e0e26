import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { bareWorkspace, emitSome } from "../../test/webhook-receiver.ts";
import { sql } from "../db/sql.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { findEndpoint } from "./list-endpoints.ts";
import { settleDeliveries, type AttemptResult } from "./settle-deliveries.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

interface Fixture {
  readonly id: string;
  readonly endpointId: string;
  readonly result: (sequence: number, good: boolean, number?: number) => AttemptResult;
}

async function fixture(events: number): Promise<Fixture> {
  const id = await bareWorkspace(t);
  const { id: endpointId } = await createEndpoint(OPERATOR, t.app, id, {
    url: "https://127.0.0.1:9999/",
  });
  await emitSome(t, id, events);
  return {
    id,
    endpointId,
    result: (sequence, good, number = 1) => ({
      workspaceId: id,
      endpointId,
      sequence,
      number,
      roundFailures: 0,
      attemptedAt: t.clock.now(),
      durationMs: 1,
      statusCode: good ? 200 : 500,
      failure: good ? null : "status",
      counts: !good,
      answer: null,
    }),
  };
}

const settle = (results: readonly AttemptResult[]) =>
  t.app.db.transaction((tx) => settleDeliveries(t.app, tx, results));

test("whatever succeeds or fails, in whatever batches, the count is the number of failures in a row", async () => {
  const batches = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(batches, async (outcomes) => {
      const { id, endpointId, result } = await fixture(outcomes.flat().length);
      let sequence = 0;
      let row = 0;
      let disabled = false;
      for (const batch of outcomes) {
        await settle(batch.map((good) => result(++sequence, good)));
        for (const good of batch) row = good ? 0 : row + 1;
        disabled ||= row >= 20;
        const endpoint = await findEndpoint(t.app, id, endpointId);
        assert.equal(endpoint.consecutiveFailures, row);
        assert.equal(endpoint.disabledAt !== null, disabled);
      }
    }),
    { numRuns: 25 },
  );
});

test("four senders that settle at the same time count every failure, disable once and notify once", async () => {
  const { id, endpointId, result } = await fixture(24);
  await Promise.all(
    [0, 1, 2, 3].map(async (sender) => {
      for (let turn = 0; turn < 6; turn++) await settle([result(sender * 6 + turn + 1, false)]);
    }),
  );
  const endpoint = await findEndpoint(t.app, id, endpointId);
  assert.equal(endpoint.consecutiveFailures, 24);
  const notices = await t.app.db.query<{ kind: string }>(
    sql`select kind from notice where workspace_id = ${id} order by id`,
  );
  assert.deepEqual(notices.map((notice) => notice.kind).toSorted(), [
    "endpoint.disabled",
    "endpoint.failing",
    "endpoint.failing",
  ]);
});

test("an attempt that another worker has already recorded changes nothing", async () => {
  const { id, endpointId, result } = await fixture(1);
  await settle([result(1, false)]);
  await settle([result(1, false), result(1, false)]);
  assert.equal((await findEndpoint(t.app, id, endpointId)).consecutiveFailures, 1);
  const attempts = await t.app.db.query(
    sql`select number from delivery_attempt where workspace_id = ${id}`,
  );
  assert.deepEqual(attempts, [{ number: 1 }]);
  await settle([result(1, true, 2)]);
  await settle([result(1, false, 3)]);
  assert.equal((await findEndpoint(t.app, id, endpointId)).consecutiveFailures, 0);
});

test("one batch for many endpoints settles each by its own results", async () => {
  const [a, b] = [await fixture(2), await fixture(2)];
  await settle([a.result(1, false), b.result(1, true), a.result(2, false), b.result(2, false)]);
  assert.deepEqual(
    await Promise.all(
      [a, b].map(
        async (one) => (await findEndpoint(t.app, one.id, one.endpointId)).consecutiveFailures,
      ),
    ),
    [2, 1],
  );
});
