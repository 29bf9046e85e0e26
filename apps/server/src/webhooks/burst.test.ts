import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import type { TestApp } from "../../test/harness.ts";
import { bareWorkspace, emitSome, good, type Receiver } from "../../test/webhook-receiver.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { createDeliveryLanes } from "./delivery-lanes.ts";
import { LanePlaces } from "./lane-places.ts";
import type { Lane } from "./lane.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { findEndpoint } from "./list-endpoints.ts";
import { startWebhookStand, type WebhookStand } from "./webhook.fixture.ts";

let t: TestApp;
let receiver: Receiver;
let stand: WebhookStand;
before(async () => void ({ t, receiver } = stand = await startWebhookStand()));
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.calm());

test("an endpoint that dies under a hundred events has failed once, whatever was under way, and then gets one at a time", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/dies` });
  const failures = async () => (await findEndpoint(t.app, id, endpoint.id)).consecutiveFailures;
  await emitSome(t, id, 100);
  await t.app.drain();
  assert.equal(receiver.received.length, 100);
  // By now it takes sixteen at once. It answers none of them well, and all are under way before the first is refused.
  const open: ServerResponse[] = [];
  const refuse = (response: ServerResponse) => response.writeHead(500).end();
  receiver.answers.set("/dies", (response) => {
    if (open.push(response) === 16) open.forEach(refuse);
    if (open.length > 16) refuse(response);
  });
  await emitSome(t, id, 100);
  await t.app.drain();
  assert.equal(open.length, 16);
  assert.equal(await failures(), 1);
  for (const expected of [2, 3, 4]) {
    t.clock.advance(999);
    await t.app.drain();
    assert.equal(await failures(), expected - 1, "not within a second");
    t.clock.advance(1);
    await t.app.drain();
    assert.equal(await failures(), expected, "one at a time");
  }
  assert.equal((await findEndpoint(t.app, id, endpoint.id)).disabledAt, null);
  // After a 2xx it gets many at once again.
  receiver.answers.set("/dies", good);
  t.clock.advance(1_000);
  await t.app.drain();
  assert.equal(await failures(), 0);
  t.clock.advance(120_000);
  await t.app.drain();
  const states = (await listDeliveries(t.app, id, endpoint.id, { limit: 200 })).items.map(
    (one) => one.state,
  );
  assert.deepEqual(new Set(states), new Set(["delivered"]));
});

test("an answer frees its place for the next request, whether or not it is committed", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/go` });
  await emitSome(t, id, 40);
  const lanes = createDeliveryLanes(t.app);
  await lanes.turn();
  // There is no second turn, so nothing is settled: all forty are sent under the one lease.
  for (const end = performance.now() + 60_000; performance.now() < end;) {
    if (receiver.received.length >= 40) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(receiver.received.length, 40);
  assert.equal(lanes.takeSettled(), 0);
  await lanes.stop();
  assert.equal(lanes.takeSettled(), 40);
});

/** A lane that waits long for an answer (`stuck`), or not. */
const lane = (failing: boolean, stuck: boolean): Lane => ({
  head: {
    workspaceId: "",
    endpointId: "",
    url: "",
    urlSealed: null,
    secretSealed: Buffer.alloc(0),
    oldSecretSealed: null,
    oldSecretUntil: null,
    failing,
  },
  leaseUntil: new Date(),
  window: 1,
  broken: false,
  taken: 1,
  drained: false,
  stuck: () => stuck,
  settled: () => {},
  halt: () => {},
});

test("a thousand failing or hanging endpoints take no place from a healthy one", () => {
  const places = new LanePlaces();
  const free = () => {
    const { well, failing } = places.wanted(0);
    return { well, failing };
  };
  const before = free();
  for (let index = 0; index < 1_000; index++) places.enter(lane(false, true));
  assert.deepEqual(free(), before);
  for (let index = 0; index < 256; index++) places.enter(lane(true, false));
  assert.deepEqual(free(), { well: before.well, failing: 0 });
  for (let index = 0; index < 500; index++) places.enter(lane(false, false));
  assert.equal(free().well, before.well - 500);
});
