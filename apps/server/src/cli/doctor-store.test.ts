import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { QueryTimeout } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { createEndpoint } from "../webhooks/create-endpoint.ts";
import { disableEndpoint } from "../webhooks/disable-endpoint.ts";
import { selectStanding } from "./doctor-store.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

test("doctor tells over all workspaces what waits longest and what has stopped, and nothing when all is well", async () => {
  const { app, clock } = m.t;
  const standing = () => selectStanding(app.db, clock.now());
  const well = {
    oldestReply: null,
    oldestDelivery: null,
    endpointsDisabled: 0,
    channelsInError: 0,
    inboundKept: 0,
  };
  assert.deepEqual(await standing(), well);
  const [first, second] = [await Desk.open(m), await Desk.open(m)];
  const threads = [await first.hears("96571000001"), await second.hears("96571000002")];
  const endpoint = async (desk: Desk) =>
    (
      await createEndpoint(OPERATOR, app, desk.workspaceId, {
        url: "https://93.184.216.34/",
        events: [],
      })
    ).id;
  const silent = await endpoint(first);
  await endpoint(second);
  const since = clock.now();
  await first.replies(threads[0] ?? "");
  clock.advance(60_000);
  // An event for each endpoint. That of the first one is held.
  await first.hears("96571000001");
  await disableEndpoint(OPERATOR, app, first.workspaceId, silent);
  clock.advance(60_000);
  const later = clock.now();
  await second.replies(threads[1] ?? "");
  await second.hears("96571000002");
  await app.db.query(
    sql`update channel set status = 'error' where id = ${second.account.channelId}`,
  );
  clock.advance(60_000);
  assert.deepEqual(await standing(), {
    oldestReply: since,
    oldestDelivery: later,
    endpointsDisabled: 1,
    channelsInError: 1,
    inboundKept: 0,
  });
});

test("doctor does not fail when the database is slow", async () => {
  const slowQuery = () => Promise.reject(new QueryTimeout());
  assert.equal(await selectStanding({ slowQuery }, m.t.clock.now()), null);
});
