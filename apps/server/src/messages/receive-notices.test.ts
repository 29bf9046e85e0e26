import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { sql } from "../db/sql.ts";
import { receiveEvents } from "./receive-events.ts";

let m: Messaging;
before(async () => void (m = await startMessaging()));
after(() => m[Symbol.asyncDispose]());

const COUNT = 400;

test("a call full of withdrawals leaves the database to others, and all of them are taken in", async () => {
  const desk = await Desk.open(m);
  const calls = Array.from({ length: COUNT }, (_, index) => ({
    account: desk.account,
    event: {
      kind: "deleted",
      accountExternalId: "1",
      externalMessageId: `gone.${index}`,
      text: null,
      occurredAt: m.t.clock.now(),
    } as const,
  }));
  const parked = async () => {
    const [row] = await m.t.app.db.query<{ n: number }>(
      sql`select count(*)::integer as n from early_change where workspace_id = ${desk.workspaceId}`,
    );
    return row?.n ?? 0;
  };
  const taken = receiveEvents(m.t.app, calls);
  await setImmediate();
  // Asked after them, and answered before most of them were done.
  const meanwhile = await parked();
  assert.ok(meanwhile < COUNT / 4, `${meanwhile} were taken in before anybody else had a turn`);
  assert.deepEqual(await taken, { taken: COUNT, failed: 0 });
  assert.equal(await parked(), COUNT);
});
