import assert from "node:assert/strict";
import { mock, test } from "node:test";
import pg from "pg";
import { OPERATOR } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { createEndpoint } from "../../webhooks/create-endpoint.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { resendUnknown } from "../send/resend-unknown.ts";

/** A shop whose campaign reaches two, skips one who has no number, and is not sent yet. */
async function draftOf(ground: Ground): Promise<{ shop: Shop; id: string; people: string[] }> {
  const shop = await Shop.open(ground);
  const people = await shop.people([
    { phone: "96550000001" },
    { phone: "96550000002" },
    { phone: null },
  ]);
  return { shop, people, id: (await shop.draft({ variables: { "1": "a", "2": "b" } })).id };
}

const listen = (shop: Shop, events: readonly string[]) =>
  createEndpoint(OPERATOR, shop.app, shop.id, { url: "https://127.0.0.1/", events });

/** The moves that events report, in their order: "1: sent>delivered" of the first contact. */
async function moves(shop: Shop, people: readonly string[]): Promise<string[]> {
  const found = await shop.desk.events("broadcast.recipient");
  return found.map(({ previousStatus, status, recipient }) => {
    const { contactId, reason } = recipient as { contactId: string; reason: string | null };
    const words = `${String(previousStatus)}>${String(status)}${reason === null ? "" : ` ${reason}`}`;
    return `${people.indexOf(contactId) + 1}: ${words}`;
  });
}

async function delivered(shop: Shop, n: number): Promise<void> {
  const correlationId = shop.ground.graph.sent[n]?.biz_opaque_callback_data ?? "";
  const report = { correlationId, externalMessageId: `d.${n}`, status: "delivered" } as const;
  await receiveEvents(shop.app, [shop.desk.status(report)]);
  await shop.app.drain();
}

/** The text of a statement as the library is given it. */
const textOf = (asked: unknown): string =>
  typeof asked === "object" && asked && "text" in asked ? String(asked.text) : String(asked);

test("who names the kind gets an event of each move of each recipient, in order; who names none gets none of them", async () => {
  await using ground = await startGround();
  const { shop, id, people } = await draftOf(ground);
  const asks = await listen(shop, ["broadcast.recipient"]);
  const all = await listen(shop, []);
  await shop.start(id);
  await shop.app.drain();
  await delivered(shop, 0);
  await delivered(shop, 0);
  const seen = await moves(shop, people);
  const [reached = ""] = seen.filter((one) => one.endsWith("sent>delivered"));
  assert.deepEqual(seen.toSorted(), [
    "1: sending>sent",
    ...(reached.startsWith("1") ? ["1: sent>delivered"] : []),
    "2: sending>sent",
    ...(reached.startsWith("2") ? ["2: sent>delivered"] : []),
    "3: null>skipped no_address",
  ]);
  assert.equal(seen.at(-1), reached);
  const deliveries = await shop.app.db.query<{ endpoint: string; type: string }>(sql`
    select d.endpoint_id as endpoint, e.type from delivery d
    join event e on e.workspace_id = d.workspace_id and e.sequence = d.event_sequence
    where d.workspace_id = ${shop.id} and (e.type = 'broadcast.recipient') = (d.endpoint_id = ${asks.id})`);
  assert.equal(deliveries.filter(({ endpoint }) => endpoint === asks.id).length, seen.length);
  assert.ok(deliveries.some(({ endpoint }) => endpoint === all.id));

  // Sent again by a person: it waits, and is sent as another message.
  await shop.app.db
    .query(sql`update broadcast_recipient set status = 'failed', reason = 'OUTCOME_UNKNOWN'
    where workspace_id = ${shop.id} and contact_id = ${people[1]}`);
  await shop.app.db.query(sql`update broadcast set sent_count = sent_count - 1, failed_count = 1
    where workspace_id = ${shop.id} and id = ${id}`);
  await resendUnknown(OPERATOR, shop.app, shop.id, id);
  await shop.app.drain();
  assert.deepEqual((await moves(shop, people)).slice(seen.length), [
    "2: failed>pending",
    "2: sending>sent",
  ]);
});

test("a campaign that nobody listens to pays no statement for it, and leaves no row", async () => {
  await using ground = await startGround();
  const { shop, id } = await draftOf(ground);
  await listen(shop, []);
  await shop.start(id);
  const watched = mock.method(pg.Client.prototype, "query");
  try {
    await shop.app.drain();
    await delivered(shop, 0);
  } finally {
    watched.mock.restore();
  }
  const statements = watched.mock.calls.map(({ arguments: given }) => textOf(given[0]));
  const naming = statements.filter((text) => text.includes("broadcast_news"));
  // The look of the worker, which is made whether or not there are campaigns, is the only statement of its own.
  const own = naming.filter((text) => !text.includes("broadcast_recipient"));
  assert.ok(own.every((text) => /with taken as|pg_try_advisory_xact_lock/.test(text)));
  assert.ok(naming.length > own.length, "the moves of recipients were seen");
  const [made] = await shop.app.db.query<{ last: string | null }>(
    sql`select last_value as last from pg_sequences where sequencename = 'broadcast_news_id_seq'`,
  );
  assert.equal(made?.last, null);
});
