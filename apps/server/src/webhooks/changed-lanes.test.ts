import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { around } from "../write.ts";
import type { TestApp } from "../../test/harness.ts";
import { bareWorkspace, emitSome, good, type Receiver } from "../../test/webhook-receiver.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { createDeliveryLanes } from "./delivery-lanes.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { signatureHeaders } from "./sign.ts";
import { updateEndpoint } from "./update-endpoint.ts";
import { startWebhookStand, type WebhookStand } from "./webhook.fixture.ts";

let t: TestApp;
let receiver: Receiver;
let stand: WebhookStand;
before(async () => void ({ t, receiver } = stand = await startWebhookStand()));
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.calm());

const EVENTS = 60;
/** More requests than are under way at the third one. */
const MOST = 10;

/** Sends sixty events to an endpoint, and makes a change of it before the third one is answered. */
async function during(change: (id: string, endpointId: string) => Promise<unknown>): Promise<void> {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/first` });
  const changed = Promise.withResolvers<void>();
  const checked = Promise.withResolvers<void>();
  let third = false;
  receiver.answers.set("/first", (...answer) => {
    if (receiver.received.length < 3) return good(...answer);
    if (!third) change(id, endpoint.id).then(() => changed.resolve(), changed.reject);
    third = true;
    void checked.promise.then(() => good(...answer));
  });
  await emitSome(t, id, EVENTS);
  const lanes = createDeliveryLanes(t.app, { recheckMs: 0 });
  await lanes.turn();
  let isChanged = false;
  void changed.promise.then(() => (isChanged = true));
  while (lanes.running > 0) {
    await Promise.race([lanes.news(), ...(isChanged ? [] : [changed.promise])]);
    await lanes.turn();
    if (!isChanged) continue;
    await lanes.turn();
    checked.resolve();
  }
  await lanes.stop();
}
const to = (path: string) => receiver.received.filter((one) => one.path === path);

test("an endpoint that is disabled while its events are sent gets no more of them", async () => {
  await during((id, endpointId) => disableEndpoint(OPERATOR, t.app, id, endpointId));
  assert.ok(to("/first").length < MOST, `${to("/first").length} requests`);
});

test("an endpoint that is deleted while its events are sent gets no more of them", async () => {
  const unkept = around(
    () => Promise.resolve(),
    () => {},
  );
  await during((id, endpointId) => deleteEndpoint(OPERATOR, t.app, id, { id: endpointId }, unkept));
  assert.ok(to("/first").length < MOST, `${to("/first").length} requests`);
});

test("a new address gets the rest, each event once", async () => {
  await during((id, endpointId) =>
    updateEndpoint(OPERATOR, t.app, id, endpointId, { url: `${receiver.base}/second` }),
  );
  assert.ok(to("/first").length < MOST, `${to("/first").length} requests`);
  assert.equal(to("/second").length, EVENTS - to("/first").length);
  assert.equal(new Set(receiver.received.map((one) => one.headers["webhook-id"])).size, EVENTS);
});

test("a secret that takes over at once signs the rest", async () => {
  let secret = "";
  await during(async (id, endpointId) => {
    ({ secret } = await rotateSecret(OPERATOR, t.app, id, endpointId, { now: true }));
  });
  const fresh = receiver.received.filter(({ body, headers }) => {
    const delivery = {
      id: String(headers["webhook-id"]),
      body: Buffer.from(body),
      at: t.clock.now(),
    };
    return (
      headers["x-service-signature"] === signatureHeaders(delivery, [secret])["x-service-signature"]
    );
  });
  assert.equal(receiver.received.length, EVENTS);
  assert.ok(fresh.length > EVENTS - MOST, `${fresh.length} with the new secret`);
});
