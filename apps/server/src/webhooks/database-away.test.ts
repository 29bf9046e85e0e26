import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestApp } from "../../test/harness.ts";
import { bareWorkspace, emitSome, type Receiver } from "../../test/webhook-receiver.ts";
import type { Db, Tx } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { createDeliveryLanes, type DeliveryLanes } from "./delivery-lanes.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { startWebhookStand, type WebhookStand } from "./webhook.fixture.ts";

let t: TestApp;
let receiver: Receiver;
let stand: WebhookStand;
before(async () => void ({ t, receiver } = stand = await startWebhookStand()));
after(() => stand[Symbol.asyncDispose]());

/** The database, where `say` may answer some statements of a transaction itself. */
function meddled(say: (tx: Tx, statement: Sql) => Promise<unknown> | null): Db {
  const { db } = t.app;
  const query =
    (tx: Tx) =>
    <Row extends object>(statement: Sql): Promise<Row[]> => {
      // Called at once, or the commit would overtake it.
      const said = say(tx, statement);
      return said === null ? tx.query<Row>(statement) : said.then(() => []);
    };
  return {
    ...db,
    transaction: (work) => db.transaction((tx) => work({ ...tx, query: query(tx) })),
  };
}

const mentions = (statement: Sql, word: string) =>
  statement.values.some((value) => Array.isArray(value) && value.includes(word));

/** Takes turns until no lane runs. A failed turn is tried again, as the worker's loop does. */
async function toTheEnd(lanes: DeliveryLanes): Promise<number> {
  let failed = 0;
  for (let running = true; running; running = lanes.running > 0) {
    await lanes.turn().catch(() => failed++);
    await lanes.news();
  }
  return failed;
}

test("answers that came while the database was away are recorded once it is back, and nothing is sent twice", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/away` });
  await emitSome(t, id, 30);
  let away = 3;
  const db = meddled((_tx, { text }) => {
    if (text.includes("delivery_attempt") && away-- > 0)
      return Promise.reject(new Error("connection lost"));
    return null;
  });
  const failed = await toTheEnd(createDeliveryLanes({ ...t.app, db }));
  assert.equal(failed, 3);
  const log = (await listDeliveries(t.app, id, endpoint.id)).items;
  assert.deepEqual(
    new Set(log.map((one) => `${one.state} ${one.attempts}`)),
    new Set(["delivered 1"]),
  );
  assert.equal(receiver.received.length, 30);
});

test("an attempt that the database refuses fails alone: the others are recorded", async () => {
  const id = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, id, { url: `${receiver.base}/poison` });
  receiver.answers.set("/poison", (response, { body }) =>
    response.writeHead(200).end(body.includes('"sequence":7,') ? "poison" : "fine"),
  );
  await emitSome(t, id, 20);
  const db = meddled((tx, statement) =>
    mentions(statement, "poison") ? tx.query(sql`select 1 / 0`) : null,
  );
  const lanes = createDeliveryLanes({ ...t.app, db });
  await lanes.turn();
  const came = () => receiver.received.filter((one) => one.path === "/poison").length;
  while (came() < 20) await new Promise((resolve) => setImmediate(resolve));
  await lanes.stop();
  const log = (await listDeliveries(t.app, id, endpoint.id)).items;
  const open = log.filter((one) => one.state !== "delivered").map((one) => one.sequence);
  assert.deepEqual(open, [7]);
});
