import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { Webhook } from "standardwebhooks";
import type { TestApp } from "../../test/harness.ts";
import {
  bad,
  bareWorkspace,
  emitSome,
  good,
  type Received,
  type Receiver,
} from "../../test/webhook-receiver.ts";
import { sql } from "../db/sql.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { enableEndpoint } from "./enable-endpoint.ts";
import { createSealEndpointAddressesWorker } from "../workers/seal-endpoint-addresses.ts";
import { findDelivery, listDeliveries } from "./list-deliveries.ts";
import { findEndpoint, listEndpoints } from "./list-endpoints.ts";
import { redeliver } from "./redeliver.ts";
import { RESTS_MS } from "./delivery-policy.ts";
import { RETRY_GAPS_MS } from "./retry-schedule.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { shownAddress } from "./shown-address.ts";
import { updateEndpoint } from "./update-endpoint.ts";
import { startWebhookStand, type WebhookStand } from "./webhook.fixture.ts";

let t: TestApp;
let receiver: Receiver;
let stand: WebhookStand;
before(async () => void ({ t, receiver } = stand = await startWebhookStand()));
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => stand.calm());

const notices = (workspaceId: string) =>
  t.app.db.query<{ kind: string }>(
    sql`select kind from notice where workspace_id = ${workspaceId} order by id`,
  );

/** Verifies a request as a receiver does, written from the spec alone. */
function verify(request: Received, secret: string, nowSeconds: number): boolean {
  const fields = (request.headers["x-service-signature"] as string)
    .split(",")
    .map((field) => field.split("="));
  const time = Number(fields.find(([name]) => name === "t")?.[1]);
  const digest = createHmac("sha256", secret).update(`${time}.${request.body}`).digest("hex");
  const matches = fields.some(([name, value]) => name === "v1" && value === digest);
  return matches && Math.abs(nowSeconds - time) <= 300;
}

test("an event arrives once, signed in both forms over the stored bytes", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/hook?x=1` });
  await emitSome(t, id);
  await t.app.drain();
  assert.equal(receiver.received.length, 1);
  const [request] = receiver.received;
  assert.ok(request);
  assert.equal(request.path, "/hook?x=1");
  assert.equal(request.headers["content-type"], "application/json");
  const [stored] = await t.app.db.query<{ body: string; id: string }>(
    sql`select body, id from event where workspace_id = ${id}`,
  );
  assert.equal(request.body, stored?.body);
  assert.equal(request.headers["webhook-id"], stored?.id);
  assert.ok(verify(request, endpoint.secret, t.clock.now().getTime() / 1_000));
  new Webhook(endpoint.secret).verify(request.body, request.headers as Record<string, string>);
  const [delivery] = (await listDeliveries(t.app, id, endpoint.id)).items;
  assert.equal(delivery?.state, "delivered");
  assert.deepEqual(
    delivery.log.map((entry) => [entry.number, entry.statusCode, entry.failure]),
    [[1, 204, null]],
  );
});

test("a delivery that always fails is tried nine times, at the promised gaps, and each attempt is signed anew", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/down` });
  receiver.answers.set("/down", bad);
  await emitSome(t, id);
  const times: number[] = [];
  await t.app.drain();
  for (let seen = 0; receiver.received.length > seen;) {
    seen = receiver.received.length;
    times.push(t.clock.now().getTime());
    const request = receiver.received[seen - 1];
    assert.ok(request && verify(request, endpoint.secret, t.clock.now().getTime() / 1_000));
    const [delivery] = (await listDeliveries(t.app, id, endpoint.id)).items;
    if (!delivery?.nextAttemptAt) break;
    // One millisecond before it is due, nothing is sent.
    t.clock.set(new Date(delivery.nextAttemptAt.getTime() - 1));
    await t.app.drain();
    assert.equal(receiver.received.length, seen);
    t.clock.set(delivery.nextAttemptAt);
    await t.app.drain();
  }
  assert.equal(receiver.received.length, 9);
  for (const [index, gap] of RETRY_GAPS_MS.entries()) {
    const took = (times[index + 1] ?? 0) - (times[index] ?? 0);
    assert.ok(took >= gap * 0.9 - 1 && took <= gap * 1.1 + 1, `gap ${index + 1}: ${took}`);
  }
  assert.equal(new Set(receiver.received.map((one) => one.body)).size, 1);
  assert.equal(new Set(receiver.received.map((one) => one.headers["webhook-id"])).size, 1);
  assert.equal(new Set(receiver.received.map((one) => one.headers["x-service-signature"])).size, 9);
  const [delivery] = (await listDeliveries(t.app, id, endpoint.id)).items;
  assert.equal(delivery?.state, "exhausted");
  assert.equal(delivery.nextAttemptAt, null, "no try is to come");
  assert.equal(delivery.log[8]?.answer, "broken \uFFFD here");
  assert.equal((await findEndpoint(t.app, id, endpoint.id)).consecutiveFailures, 9);
});

test("the twentieth failure in a row disables, after ten minutes or more: admins are told once, and the rest is held", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/dead` });
  receiver.answers.set("/dead", bad);
  await emitSome(t, id, 25);
  const begun = t.clock.now().getTime();
  await t.app.drain();
  for (const [round, rest] of RESTS_MS.entries()) {
    assert.equal(receiver.received.length, round + 1);
    assert.equal((await findEndpoint(t.app, id, endpoint.id)).disabledAt, null);
    t.clock.advance(rest - 1);
    await t.app.drain();
    assert.equal(receiver.received.length, round + 1, "it rests");
    t.clock.advance(1);
    await t.app.drain();
  }
  assert.ok(t.clock.now().getTime() - begun >= 10 * 60_000);
  assert.equal(receiver.received.length, 20);
  const disabled = await findEndpoint(t.app, id, endpoint.id);
  assert.deepEqual(disabled.disabledAt, t.clock.now());
  assert.equal(receiver.most, 1);
  const held = (await listDeliveries(t.app, id, endpoint.id, { state: "held" })).items;
  assert.ok(held.every(({ nextAttemptAt }) => nextAttemptAt === null));
  assert.equal(held.length, 25);
  assert.deepEqual(
    (await notices(id)).map((notice) => notice.kind),
    ["endpoint.failing", "endpoint.failing", "endpoint.disabled"],
  );
  // New events are held too while it is disabled, and nothing is sent.
  await emitSome(t, id);
  t.clock.advance(5 * 60 * 60 * 1_000);
  await t.app.drain();
  assert.equal(receiver.received.length, 20);

  // It is enabled by hand: all 26 go out.
  receiver.answers.delete("/dead");
  await enableEndpoint(OPERATOR, t.app, id, endpoint.id);
  await t.app.drain();
  assert.equal(receiver.received.length, 46);
  assert.equal((await findEndpoint(t.app, id, endpoint.id)).consecutiveFailures, 0);
});

test("any 2xx sets the count to zero: nineteen failures, a success and nineteen failures do not disable", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/flaky` });
  let calls = 0;
  receiver.answers.set("/flaky", (response, request) =>
    (++calls % 20 === 0 ? good : bad)(response, request),
  );
  await emitSome(t, id, 60);
  while (calls < 39) {
    await t.app.drain();
    t.clock.advance(120_000);
  }
  assert.equal(calls, 39);
  const now = await findEndpoint(t.app, id, endpoint.id);
  assert.deepEqual([now.disabledAt, now.consecutiveFailures], [null, 19]);
});

test("a rotated secret takes over after 24 hours; until then the old one signs, and the Standard header carries both", async () => {
  const id = await bareWorkspace(t);
  const { id: endpointId, secret: old } = await createEndpoint(OPERATOR, t.app, id, {
    url: `${receiver.base}/rot`,
  });
  /** Which of these secrets signed the next delivery, in each form. */
  const signedBy = async (...secrets: string[]) => {
    await emitSome(t, id);
    await t.app.drain();
    const request = receiver.received.at(-1);
    assert.ok(request);
    assert.match(String(request.headers["x-service-signature"]), /^t=\d+,v1=[0-9a-f]{64}$/);
    const ours = secrets.filter((one) => verify(request, one, t.clock.now().getTime() / 1_000));
    const standard = secrets.filter((one) => {
      const content = `${String(request.headers["webhook-id"])}.${String(request.headers["webhook-timestamp"])}.`;
      const mac = createHmac("sha256", Buffer.from(one.slice("whsec_".length), "base64"));
      const digest = mac.update(content).update(request.body).digest("base64");
      return String(request.headers["webhook-signature"]).split(" ").includes(`v1,${digest}`);
    });
    return [ours, standard];
  };
  const day = 24 * 60 * 60 * 1_000;
  const rotated = await rotateSecret(OPERATOR, t.app, id, endpointId);
  assert.deepEqual(rotated.secretTakesOverAt, new Date(t.clock.now().getTime() + day));
  assert.deepEqual(await signedBy(old, rotated.secret), [[old], [old, rotated.secret]]);
  // It is rotated again meanwhile: the secret that never signed is dropped, and the old one goes on for a whole day.
  t.clock.advance(day / 2);
  const again = await rotateSecret(OPERATOR, t.app, id, endpointId);
  const all = [old, rotated.secret, again.secret];
  t.clock.advance(day - 1);
  assert.deepEqual(await signedBy(...all), [[old], [old, again.secret]]);
  t.clock.advance(1);
  assert.deepEqual(await signedBy(...all), [[again.secret], [again.secret]]);
  const atOnce = await rotateSecret(OPERATOR, t.app, id, endpointId, { now: true });
  assert.deepEqual(atOnce.secretTakesOverAt, t.clock.now());
  assert.deepEqual(await signedBy(again.secret, atOnce.secret), [[atOnce.secret], [atOnce.secret]]);
});

test("a redirect is a failure and is not followed; a private address that is stored is not called", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/moved` });
  receiver.answers.set("/moved", (response) =>
    response.writeHead(302, { location: `${receiver.base}/target` }).end(),
  );
  await emitSome(t, id);
  await t.app.drain();
  assert.deepEqual(
    receiver.received.map((one) => one.path),
    ["/moved"],
  );
  await t.app.db.query(
    sql`update endpoint set url = 'https://10.0.0.1/', url_sealed = null, busy_until = null where workspace_id = ${id}`,
  );
  t.clock.advance(20_000);
  await t.app.drain();
  const [delivery] = (await listDeliveries(t.app, id, endpoint.id)).items;
  assert.deepEqual(
    delivery?.log.map((entry) => [entry.statusCode, entry.failure]),
    [
      [302, "status"],
      [null, "blocked"],
    ],
  );
});

test("a test event goes only to its endpoint, whatever kinds that wants", async () => {
  const id = await bareWorkspace(t);
  await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/other` });
  const endpoint = await createEndpoint(OPERATOR, t.app, id, {
    url: `${receiver.base}/t`,
    events: ["otp.status"],
  });
  await sendTestEvent(OPERATOR, t.app, id, endpoint.id);
  await t.app.drain();
  assert.deepEqual(
    receiver.received.map((one) => [one.path, (JSON.parse(one.body) as { type: string }).type]),
    [["/t", "endpoint.test"]],
  );
});

test("one event is sent again by its id, or all exhausted ones since a time, each in a new round", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/re` });
  await emitSome(t, id, 2);
  await t.app.drain();
  const [newest] = (await listDeliveries(t.app, id, endpoint.id, { limit: 1 })).items;
  assert.ok(newest);
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { eventId: newest.eventId }), 1);
  await t.app.drain();
  assert.equal(receiver.received.length, 3);
  assert.equal(receiver.received[2]?.headers["webhook-id"], newest.eventId);
  assert.equal(
    (await listDeliveries(t.app, id, endpoint.id, { limit: 1 })).items[0]?.log.length,
    2,
  );

  await t.app.db.query(
    sql`update delivery set state = 'exhausted' where workspace_id = ${id} and event_sequence = 1`,
  );
  const since = new Date(t.clock.now().getTime() - 1_000);
  assert.equal(await redeliver(OPERATOR, t.app, id, endpoint.id, { since }), 1);
  await t.app.drain();
  assert.equal(receiver.received.length, 4);
  for (const eventId of [t.app.ids.next(), "nonsense"]) {
    await assert.rejects(redeliver(OPERATOR, t.app, id, endpoint.id, { eventId }), {
      code: "NOT_FOUND",
    });
  }
});

const TOKEN = "/services/T00Q7/B01x/wJalrXUtnFEMI?key=hunter2";

test("an address is stored sealed, called whole, and shown without what may be a token", async () => {
  const id = await bareWorkspace(t);
  const made = await createEndpoint(OPERATOR, t.app, id, { url: receiver.base + TOKEN });
  const shown = `${receiver.base}/services/T0…/B0…/wJ…?…`;
  assert.equal(made.url, shown);
  await emitSome(t, id);
  await t.app.drain();
  assert.equal(receiver.received[0]?.path, TOKEN);
  const [delivery] = (await listDeliveries(t.app, id, made.id)).items;
  const told = [
    await listEndpoints(t.app, id),
    await findEndpoint(t.app, id, made.id),
    await findDelivery(t.app, id, made.id, delivery?.eventId ?? ""),
    await t.app.db.query(sql`select endpoint::text from endpoint where workspace_id = ${id}`),
    await t.app.db.query(
      sql`select attempt::text from delivery_attempt attempt where workspace_id = ${id}`,
    ),
  ];
  assert.doesNotMatch(JSON.stringify(told), /T00Q7|wJalr|hunter2/);
  const other = await updateEndpoint(OPERATOR, t.app, id, made.id, {
    url: `${receiver.base}/b/s3cr3tB`,
  });
  assert.equal(other.url, `${receiver.base}/b/s3…`);
  await emitSome(t, id);
  await t.app.drain();
  assert.equal(receiver.received[1]?.path, "/b/s3cr3tB");
});

test("an address that an older version stored unsealed is called as it is, and sealed soon after a start", async () => {
  const id = await bareWorkspace(t);
  const made = await createEndpoint(OPERATOR, t.app, id, { url: receiver.base + TOKEN });
  const old = receiver.base + TOKEN;
  // From here on the app's own worker has nothing to do.
  await t.app.drain();
  await t.app.db.query(sql`
    update endpoint set url = ${old}, url_sealed = null where workspace_id = ${id} and id = ${made.id}`);
  await emitSome(t, id);
  await t.app.drain();
  assert.equal(receiver.received[0]?.path, TOKEN);
  const worker = createSealEndpointAddressesWorker(t.app);
  // Another test may have left such an endpoint too.
  assert.ok((await worker.runOnce()) >= 1);
  assert.deepEqual([await worker.runOnce(), await worker.runOnce()], [0, 0]);
  assert.equal(
    (await findEndpoint(t.app, id, made.id)).url,
    `${receiver.base}/services/T0…/B0…/wJ…?…`,
  );
  await emitSome(t, id);
  await t.app.drain();
  assert.equal(receiver.received[1]?.path, TOKEN);
});

test("an address is shown with its words, and any other part with its beginning only", () => {
  for (const [address, shown] of [
    ["https://shop.example.com/webhooks/parley", "https://shop.example.com/webhooks/parley"],
    ["https://shop.example.com:8443/", "https://shop.example.com:8443/"],
    [
      "https://hooks.example.com/api/v1/webhooks/123456789012/aBcD",
      "https://hooks.example.com/api/v1/webhooks/12…/aB…",
    ],
    ["https://h.example/hooks/catch/1234567/abcde1f/", "https://h.example/hooks/catch/12…/ab…/"],
    ["https://h.example/parley-events_2?token=abc", "https://h.example/parley-events_2?…"],
    ["https://h.example/abcdefghijklmnopqrstuvwxyzabcdef", "https://h.example/ab…"],
    ["http://[::1]:3000/x", "http://[::1]:3000/x"],
  ] as const)
    assert.equal(shownAddress(address), shown);
});
