import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import type { TestApp } from "../../test/harness.ts";
import { bareWorkspace, emitSome, type Receiver } from "../../test/webhook-receiver.ts";
import type { HttpRequest } from "../lib/http.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { createDeliverWebhooksWorker } from "../workers/deliver-webhooks.ts";
import { createDeliveryLanes } from "./delivery-lanes.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { findEndpoint } from "./list-endpoints.ts";
import { startWebhookStand, type WebhookStand } from "./webhook.fixture.ts";
import { streaming } from "../../test/streaming.ts";

let t: TestApp;
let receiver: Receiver;
let stand: WebhookStand;
before(async () => void ({ t, receiver } = stand = await startWebhookStand()));
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.calm());

test("a failing endpoint gets one delivery at a time, and a healthy one many", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/many` });
  // After each answer it may get one more at once: none is answered before so many, or five, are open.
  const events = 60;
  const open: ServerResponse[] = [];
  let answered = 0;
  receiver.answers.set("/many", (response) => {
    if (open.push(response) < Math.min(answered + 1, 5, events - answered)) return;
    answered += open.length;
    for (const one of open.splice(0)) one.writeHead(200).end();
  });
  await emitSome(t, id, events);
  await t.app.drain();
  assert.equal(receiver.received.length, events);
  assert.ok(receiver.most > 4 && receiver.most <= 16, `${receiver.most} at once`);
});

test("an endpoint that never answers delays nobody else", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/hang` });
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/quick` });
  const hanging: ServerResponse[] = [];
  receiver.answers.set("/hang", (response) => void hanging.push(response));
  await emitSome(t, id, 20);
  const lanes = createDeliveryLanes(t.app);
  const quick = () => receiver.received.filter((one) => one.path === "/quick").length;
  for (let turn = 0; turn < 6_000 && quick() < 20; turn++) {
    await lanes.turn();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(quick(), 20);
  assert.equal(hanging.length, 1);
  // The hanging receiver is dead for good: its attempt ends as a failure like any other.
  for (const response of hanging) response.destroy();
  await lanes.stop();
  const log = (await listDeliveries(t.app, id, endpoint.id)).items.flatMap(
    (delivery) => delivery.log,
  );
  assert.deepEqual(
    log.map((entry) => [entry.statusCode, entry.failure]),
    [[null, "reset"]],
  );
});

test("a stop cuts off a receiver that does not answer, and counts nothing against it", async (context) => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/mute` });
  const asked = Promise.withResolvers<void>();
  receiver.answers.set("/mute", () => asked.resolve());
  await emitSome(t, id);
  const lanes = createDeliveryLanes(t.app);
  await lanes.turn();
  await asked.promise;
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const stopped = lanes.stop();
  context.mock.timers.tick(5_000);
  context.mock.timers.reset();
  await stopped;
  const now = await findEndpoint(t.app, id, endpoint.id);
  const [delivery] = (await listDeliveries(t.app, id, endpoint.id)).items;
  assert.deepEqual(
    [now.consecutiveFailures, delivery?.state, delivery?.attempts],
    [0, "pending", 0],
  );
  receiver.answers.delete("/mute");
  await t.app.drain();
  assert.equal(receiver.received.length, 2);
});

test("two workers never call one endpoint twice for an event", async () => {
  const id = await bareWorkspace(t);
  for (let index = 0; index < 5; index++)
    await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/e${index}` });
  await emitSome(t, id, 40);
  const workers = [
    createDeliveryLanes(t.app),
    createDeliveryLanes(t.app),
    createDeliveryLanes(t.app),
  ];
  for (let turn = 0; turn < 6_000 && receiver.received.length < 200; turn++) {
    await Promise.all(workers.map((lanes) => lanes.turn()));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(workers.map((lanes) => lanes.stop()));
  assert.equal(receiver.received.length, 200);
  const keys = receiver.received.map((one) => `${one.path} ${String(one.headers["webhook-id"])}`);
  assert.equal(new Set(keys).size, 200);
});

test("when the lease of a dead worker ends, its endpoint is free and the event is sent again with the same id", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/again` });
  await emitSome(t, id);
  const called: string[] = [];
  const guardedHttp = {
    request({ headers }: HttpRequest) {
      called.push(headers?.["webhook-id"] ?? "");
      // The process is killed here: nobody gets the answer.
      return new Promise<never>(() => {});
    },
  };
  await createDeliveryLanes({ ...t.app, guardedHttp: streaming(guardedHttp) }).turn();
  assert.equal(called.length, 1);
  t.clock.advance(19_999);
  await t.app.drain();
  assert.equal(receiver.received.length, 0);
  t.clock.advance(1);
  await t.app.drain();
  assert.deepEqual(
    receiver.received.map((one) => one.headers["webhook-id"]),
    called,
  );
  assert.equal((await listDeliveries(t.app, id, endpoint.id)).items[0]?.state, "delivered");
});

test("while a receiver hangs, a new event for another endpoint does not wait for the next turn", async () => {
  const [id, other] = [await bareWorkspace(t), await bareWorkspace(t)];
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/next` });
  await createEndpoint(OPERATOR, t.app, other, { url: `${receiver.base}/never` });
  const hangs = Promise.withResolvers<ServerResponse>();
  receiver.answers.set("/never", (response) => hangs.resolve(response));
  // Turns that only settle come a minute apart. A new event must not wait for one.
  const worker = createDeliverWebhooksWorker(t.app, { gapMs: 60_000 });
  const halt = new AbortController();
  const rounds = (async () => {
    while (!halt.signal.aborted) await worker.runOnce();
  })();
  await emitSome(t, other);
  const open = await hangs.promise;
  for (let count = 0; count < 4; count++) {
    const arrived = Promise.withResolvers<void>();
    receiver.answers.set("/next", (response) => {
      response.writeHead(204).end();
      arrived.resolve();
    });
    await emitSome(t, id);
    await arrived.promise;
  }
  halt.abort();
  t.app.wake.nudge("deliveries");
  open.destroy();
  await rounds;
  await worker.stop?.();
});
