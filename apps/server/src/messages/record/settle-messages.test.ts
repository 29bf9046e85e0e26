import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import type { MessageChange } from "../../context.ts";
import { sql } from "../../db/sql.ts";
import { findMessage } from "./find-message.ts";
import { applyReport, byTime, type Progress } from "./message-status.ts";
import { receiveEvents } from "../receive/receive-events.ts";
import { settleMessages, type Settlement } from "./settle-messages.ts";

let m: Messaging;
let desk: Desk;
before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
});
after(() => m[Symbol.asyncDispose]());

let customers = 0;
async function sentReply(on = desk) {
  const { id } = await on.replies(await on.hears(`9655200${++customers}`));
  await m.t.app.drain();
  const message = await findMessage(m.t.app, on.workspaceId, id);
  return { id, providerMessageId: message?.providerMessageId ?? "" };
}
const find = (id: string) => findMessage(m.t.app, desk.workspaceId, id);
const eventsOf = async (id: string) =>
  (await desk.events("message.status")).filter((data) => data["messageId"] === id);
const settle = (settlements: Settlement[]) =>
  m.t.app.db.transaction((tx) => settleMessages(m.t.app, tx, settlements));
const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second));

const words = ["sent", "delivered", "read", "failed"] as const;
const calls = fc.array(
  fc.array(
    fc.record({
      status: fc.constantFrom(...words),
      second: fc.integer({ min: 0, max: 3 }),
      byOurId: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  { minLength: 1, maxLength: 4 },
);

test("any callbacks in any batches: row, events and meter are what the table of moves says", async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (batches) => {
      const { id, providerMessageId } = await sentReply();
      const sentAt = (await find(id))?.sentAt ?? null;
      let row: Progress = {
        status: "sent",
        errorCode: null,
        errorMessage: null,
        sentAt,
        deliveredAt: null,
        readAt: null,
      };
      const moves: string[] = [];
      for (const batch of batches) {
        const reports = batch.map((one) => ({
          status: one.status,
          at: at(one.second),
          errorCode: one.status === "failed" ? "131026" : null,
          errorMessage: null,
        }));
        for (const one of reports.toSorted(byTime)) {
          const step = applyReport(row, one);
          if (step.moved) moves.push(`${row.status}>${step.row.status}`);
          row = step.row;
        }
        await receiveEvents(
          m.t.app,
          batch.map(({ status, second, byOurId }) =>
            desk.status({
              status,
              occurredAt: at(second),
              externalMessageId: providerMessageId,
              correlationId: byOurId ? id : null,
              errorCode: status === "failed" ? "131026" : null,
            }),
          ),
        );
      }
      const message = await find(id);
      const { status, errorCode, sentAt: sent, deliveredAt, readAt } = message ?? assert.fail();
      assert.deepEqual(
        { status, errorCode, errorMessage: null, sentAt: sent, deliveredAt, readAt },
        row,
      );
      assert.deepEqual(
        (await eventsOf(id)).map(
          (data) => `${String(data["previousStatus"])}>${String(data["status"])}`,
        ),
        moves,
      );
      const [meter] = await m.t.app.db.query<{ failed: number; counted: number }>(sql`
        select failed, (select count(*) from message
          where workspace_id = ${desk.workspaceId} and status = 'failed') as counted
        from usage_day where workspace_id = ${desk.workspaceId}`);
      assert.equal(meter?.failed, meter?.counted);
    }),
    { numRuns: 25 },
  );
});

test("a delivery between two failures keeps its time, although the message ends as failed", async () => {
  const { id, providerMessageId: externalMessageId } = await sentReply();
  const failed = { externalMessageId, status: "failed", errorCode: "131026" } as const;
  await receiveEvents(m.t.app, [desk.status({ ...failed, occurredAt: at(0) })]);
  await receiveEvents(m.t.app, [
    desk.status({ externalMessageId, status: "delivered", occurredAt: at(1) }),
    desk.status({ ...failed, occurredAt: at(2) }),
  ]);
  const message = await find(id);
  assert.deepEqual([message?.status, message?.deliveredAt], ["failed", at(1)]);
});

test("a read without a delivery sets both, with the platform's time", async () => {
  const { id, providerMessageId } = await sentReply();
  const report = {
    externalMessageId: providerMessageId,
    status: "read",
    occurredAt: at(7),
  } as const;
  await receiveEvents(m.t.app, [desk.status(report)]);
  const message = await find(id);
  assert.deepEqual([message?.readAt, message?.deliveredAt], [at(7), at(7)]);
  const [event] = await eventsOf(id);
  const told = event?.["contact"] as Record<string, unknown> | undefined;
  assert.deepEqual([told?.["id"], told?.["name"]], [message?.contactId, "Mona"]);
  assert.deepEqual(event, {
    messageId: id,
    conversationId: message?.conversationId,
    contactId: message?.contactId,
    contact: told,
    channelId: desk.account.channelId,
    channelType: "WHATSAPP",
    previousStatus: "sent",
    status: "read",
    errorCode: null,
    errorMessage: null,
    occurredAt: at(7).toISOString(),
  });
});

test("twenty copies of one callback at once give one event", async () => {
  const { id, providerMessageId } = await sentReply();
  const copy = desk.status({ externalMessageId: providerMessageId, status: "delivered" });
  await Promise.all(Array.from({ length: 20 }, () => receiveEvents(m.t.app, [copy])));
  assert.equal((await eventsOf(id)).length, 1);
});

test("our id or the platform's id from another workspace moves nothing", async () => {
  const { id, providerMessageId } = await sentReply();
  const other = await Desk.open(m);
  await receiveEvents(m.t.app, [
    other.status({ correlationId: id, externalMessageId: providerMessageId, status: "read" }),
  ]);
  assert.equal((await find(id))?.status, "sent");
});

test("followers hear each move with its campaign and scope, in the same transaction", async () => {
  const heard: MessageChange[] = [];
  const context = {
    ...m.t.app,
    settlementFollowers: [
      async (_: unknown, __: unknown, changes: readonly MessageChange[]) => {
        heard.push(...changes);
        return [];
      },
    ],
  };
  const { id } = await sentReply();
  const base = { workspaceId: desk.workspaceId, messageId: id, providerMessageId: null };
  const failure = {
    ...base,
    channelId: desk.account.channelId,
    status: "failed",
    at: at(1),
    errorCode: "131048",
    errorMessage: "spam",
    scope: "account",
  } as const;
  await m.t.app.db.transaction((tx) => settleMessages(context, tx, [failure, failure]));
  assert.deepEqual(heard, [
    {
      workspaceId: desk.workspaceId,
      messageId: id,
      broadcastId: null,
      recipientId: null,
      from: "sent",
      to: "failed",
      errorCode: "131048",
      errorMessage: "spam",
      at: at(1),
      scope: "account",
    },
  ]);
});

test("a report about an unknown message waits a day for it, and is then deleted", async () => {
  const unknown = desk.status({ externalMessageId: "wamid.later", status: "delivered" });
  await receiveEvents(m.t.app, [unknown, unknown]);
  const parked = () =>
    m.t.app.db.query(
      sql`select status from early_status where provider_message_id = 'wamid.later'`,
    );
  assert.deepEqual(await parked(), [{ status: "delivered" }]);
  m.t.clock.advance(24 * 3_600_000);
  await m.t.app.drain();
  assert.equal((await parked()).length, 1);
  m.t.clock.advance(1);
  await m.t.app.drain();
  assert.deepEqual(await parked(), []);
});

test("the sweep applies a report that was parked while another transaction stored the id of its message", async () => {
  const { id, providerMessageId } = await sentReply();
  await m.t.app.db.query(sql`
    insert into early_status (workspace_id, channel_id, provider_message_id, status, occurred_at, received_at)
    values (${desk.workspaceId}, ${desk.account.channelId}, ${providerMessageId}, 'read', ${at(1)}, ${m.t.clock.now()})`);
  await m.t.app.drain();
  assert.equal((await find(id))?.status, "read");
});

test("a platform's id that one message has is not given to another", async () => {
  const first = await sentReply();
  const second = await sentReply();
  await m.t.app.db.query(sql`
    update message set provider_message_id = null where workspace_id = ${desk.workspaceId} and id = ${second.id}`);
  const claim = {
    workspaceId: desk.workspaceId,
    messageId: second.id,
    channelId: desk.account.channelId,
    providerMessageId: first.providerMessageId,
    status: "delivered",
    at: at(1),
    errorCode: null,
    errorMessage: null,
  } as const;
  await settle([claim]);
  const [a, b] = [await find(first.id), await find(second.id)];
  assert.deepEqual(
    [a?.providerMessageId, a?.status, b?.providerMessageId, b?.status],
    [first.providerMessageId, "sent", null, "delivered"],
  );
});
