import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { enableEndpoint } from "./enable-endpoint.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { findEndpoint, listEndpoints, workspaceOfEndpoint } from "./list-endpoints.ts";
import { redeliver } from "./redeliver.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { updateEndpoint } from "./update-endpoint.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

async function workspace(): Promise<string> {
  const id = t.app.ids.next();
  await t.app.db.query(
    sql`insert into workspace (id, name, plan, created_at) values (${id}, 'A', 'free', ${t.clock.now()})`,
  );
  return id;
}

const url = "https://127.0.0.1:9999/hook";
const fault = (path: string) => (error: unknown) =>
  error instanceof AppError && error.facts.details?.[0]?.path === path;

test("an endpoint is added with its secret, listed without it, and the secret is sealed", async () => {
  const id = await workspace();
  const made = await createEndpoint(OPERATOR, t.app, id, {
    url,
    events: ["otp.status", "otp.status"],
  });
  assert.match(made.secret, /^whsec_/);
  assert.deepEqual(made.events, ["otp.status"]);
  const { secret, ...rest } = made;
  assert.deepEqual(await listEndpoints(t.app, id), [rest]);
  assert.equal(await workspaceOfEndpoint(t.app, made.id), id);
  const [row] = await t.app.db.query<{ sealed: Buffer }>(
    sql`select secret_sealed as sealed from endpoint where id = ${made.id}`,
  );
  assert.ok(row && !row.sealed.includes(secret.slice(6)));
  assert.equal(t.app.sealer.open(row.sealed, `endpoint:${id}:${made.id}`), secret);
  assert.throws(() => t.app.sealer.open(row.sealed, `endpoint:${id}:${id}`));
});

test("the error names an address that is not public https, an unknown kind or an unknown workspace", async () => {
  const id = await workspace();
  const refused = [
    "http://example.com/",
    "https://10.0.0.1/",
    "https://u:p@127.0.0.1/",
    "ftp://a.b/",
    "",
    "x",
  ];
  for (const bad of refused) {
    await assert.rejects(createEndpoint(OPERATOR, t.app, id, { url: bad }), fault("url"), bad);
  }
  // The message names the setting that admits the address, and says where to set it.
  await assert.rejects(
    createEndpoint(OPERATOR, t.app, id, { url: "https://10.0.0.1/" }),
    /PARLEY_OUTBOUND_ALLOW .* the server and the command line/,
  );
  await assert.rejects(
    createEndpoint(OPERATOR, t.app, id, { url, events: ["message.nope"] }),
    fault("events"),
  );
  await assert.rejects(createEndpoint(OPERATOR, t.app, t.app.ids.next(), { url }), {
    code: "NOT_FOUND",
  });
  assert.deepEqual(await listEndpoints(t.app, id), []);
});

test("an update changes what it names and checks a new address like the first", async () => {
  const id = await workspace();
  const { id: endpointId } = await createEndpoint(OPERATOR, t.app, id, { url });
  const changed = await updateEndpoint(OPERATOR, t.app, id, endpointId, {
    events: ["message.status"],
  });
  assert.deepEqual([changed.url, changed.events], [url, ["message.status"]]);
  await assert.rejects(
    updateEndpoint(OPERATOR, t.app, id, endpointId, { url: "https://10.1.1.1/" }),
    fault("url"),
  );
  const moved = await updateEndpoint(OPERATOR, t.app, id, endpointId, {
    url: `${url}2`,
    events: [],
  });
  assert.deepEqual([moved.url, moved.events], [`${url}2`, []]);
});

test("another workspace's endpoint, an unknown one and nonsense are not found, for every operation", async () => {
  const id = await workspace();
  const { id: foreign } = await createEndpoint(OPERATOR, t.app, await workspace(), { url });
  const operations = [
    (endpointId: string) => findEndpoint(t.app, id, endpointId),
    (endpointId: string) => updateEndpoint(OPERATOR, t.app, id, endpointId, { events: [] }),
    (endpointId: string) => enableEndpoint(OPERATOR, t.app, id, endpointId),
    (endpointId: string) => disableEndpoint(OPERATOR, t.app, id, endpointId),
    (endpointId: string) => rotateSecret(OPERATOR, t.app, id, endpointId),
    (endpointId: string) => sendTestEvent(OPERATOR, t.app, id, endpointId),
    async (endpointId: string) => (await listDeliveries(t.app, id, endpointId)).items,
    (endpointId: string) => redeliver(OPERATOR, t.app, id, endpointId, { since: t.clock.now() }),
  ];
  for (const operation of operations) {
    for (const endpointId of [foreign, t.app.ids.next(), "nonsense"]) {
      await assert.rejects(operation(endpointId), { code: "NOT_FOUND" });
    }
  }
});

test("while disabled by hand, new events are held and sending again is refused; enabling sends them", async () => {
  const id = await workspace();
  const { id: endpointId } = await createEndpoint(OPERATOR, t.app, id, { url });
  assert.equal((await sendTestEvent(OPERATOR, t.app, id, endpointId)).state, "pending");
  const disabled = await disableEndpoint(OPERATOR, t.app, id, endpointId);
  assert.equal(disabled.disabledReason, "disabled by hand");
  t.clock.advance(1_000);
  assert.deepEqual(await disableEndpoint(OPERATOR, t.app, id, endpointId), disabled);
  const { eventId, state } = await sendTestEvent(OPERATOR, t.app, id, endpointId);
  assert.deepEqual(
    [(await listDeliveries(t.app, id, endpointId)).items[0]?.eventId, state],
    [eventId, "held"],
  );
  const states = async () =>
    (await listDeliveries(t.app, id, endpointId)).items.map((delivery) => delivery.state);
  // The event of its own disabling is for others.
  assert.deepEqual(await states(), ["held", "held"]);
  await assert.rejects(redeliver(OPERATOR, t.app, id, endpointId, { since: new Date(0) }), {
    code: "NOT_ALLOWED_IN_STATE",
  });
  assert.equal((await enableEndpoint(OPERATOR, t.app, id, endpointId)).disabledAt, null);
  assert.deepEqual(await states(), ["pending", "pending"]);
  await assert.rejects(listDeliveries(t.app, id, endpointId, { state: "odd" }), fault("state"));
  for (const limit of [0, 201])
    await assert.rejects(listDeliveries(t.app, id, endpointId, { limit }), fault("limit"));
});

test("a workspace has at most 500 endpoints, however many are added at once", async () => {
  const id = await workspace();
  const ids = Array.from({ length: 498 }, () => t.app.ids.next());
  await t.app.db
    .query(sql`insert into endpoint (workspace_id, id, url, url_sealed, events, secret_sealed, created_at)
    select ${id}, u.id, ${url}, ''::bytea, '{}', ''::bytea, ${t.clock.now()} from unnest(${ids}::uuid[]) as u (id)`);
  const added = await Promise.allSettled(
    Array.from({ length: 8 }, () => createEndpoint(OPERATOR, t.app, id, { url })),
  );
  const refused = added.flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  assert.equal(refused.length, 6);
  assert.ok(refused.every(fault("url")));
  assert.equal((await listEndpoints(t.app, id)).length, 500);
});
