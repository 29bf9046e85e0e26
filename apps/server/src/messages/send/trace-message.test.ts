import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, graphError, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { bad, good, startReceiver, type Receiver } from "../../../test/webhook-receiver.ts";
import { OPERATOR } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { createEndpoint } from "../../webhooks/create-endpoint.ts";
import { traceMessage } from "./trace-message.ts";

let m: Messaging;
let receiver: Receiver;
before(async () => {
  [m, receiver] = await Promise.all([startMessaging(), startReceiver()]);
});
after(async () => {
  receiver.close();
  await m[Symbol.asyncDispose]();
});

test("a message's trace shows its acceptance, its wait, the platform's answer and each delivery of its events", async () => {
  const desk = await Desk.open(m);
  const endpoint = await createEndpoint(OPERATOR, m.t.app, desk.workspaceId, {
    url: `${receiver.base}/hook`,
    events: ["message.created"],
  });
  const { id } = await desk.replies(await desk.hears("96551000001"), "a secret of the customer");
  const steps = async () => {
    const trace = await traceMessage(m.t.app, desk.workspaceId, id);
    assert.ok(!JSON.stringify(trace).includes("secret"));
    return trace.steps;
  };
  const names = async () => (await steps()).map(({ step }) => step);
  assert.deepEqual((await names()).toSorted(), [
    "accepted",
    "event message.created",
    "event message.created pending",
    "waits for its next try",
  ]);

  receiver.answers.set("/hook", bad);
  await m.t.app.drain();
  assert.deepEqual((await names()).toSorted(), [
    "accepted",
    "event message.created",
    "event message.created pending",
    "sent",
  ]);
  const [failed] = (await steps()).filter(({ step }) => step.endsWith("pending"));
  assert.equal(failed?.detail, `endpoint ${endpoint.id}, 1 attempts, status`);

  receiver.answers.set("/hook", good);
  m.t.clock.advance(10 * 60_000);
  await m.t.app.drain();
  const [delivered] = (await steps()).filter(({ step }) => step.endsWith("delivered"));
  assert.equal(delivered?.detail, `endpoint ${endpoint.id}, 2 attempts, 204`);
});

test("a refused message's trace names the code; another workspace has no such message", async () => {
  const desk = await Desk.open(m);
  m.graph.answer = () => graphError(400, 131047);
  const { id } = await desk.replies(await desk.hears("96551000002"));
  await m.t.app.drain();
  const { steps, status } = await traceMessage(m.t.app, desk.workspaceId, id);
  assert.equal(status, "failed");
  assert.match(steps.find(({ step }) => step === "failed")?.detail ?? "", /^131047/);
  const other = await Desk.open(m);
  await assert.rejects(traceMessage(m.t.app, other.workspaceId, id), { code: "NOT_FOUND" });
});

test("a waiting message's trace says what holds it back: others of its conversation, or a throttled channel", async () => {
  const desk = await Desk.open(m);
  const thread = await desk.hears("96551000003");
  const ids = [];
  for (let n = 0; n < 3; n++) ids.push((await desk.replies(thread)).id);
  const waits = async (id = "") =>
    (await traceMessage(m.t.app, desk.workspaceId, id)).steps
      .filter(({ step }) => step.startsWith("waits"))
      .map(({ step, detail }) => `${step}: ${detail}`);
  assert.deepEqual(await waits(ids[0]), ["waits for its next try: 0 tries so far"]);
  const behind = "waits behind others of its conversation";
  assert.deepEqual(await waits(ids[1]), [
    `${behind}: 1 ahead, the next is ${ids[0]}; 0 tries so far`,
  ]);
  assert.deepEqual(await waits(ids[2]), [
    `${behind}: 2 ahead, the next is ${ids[0]}; 0 tries so far`,
  ]);
  // One whose outcome is unknown holds nothing back.
  await m.t.app.db.query(sql`update message_outbox set state = 'unknown', unknown_until = now()
    where workspace_id = ${desk.workspaceId} and message_id = ${ids[0]}`);
  assert.deepEqual(await waits(ids[1]), ["waits for its next try: 0 tries so far"]);
  const until = new Date(m.t.clock.now().getTime() + 60_000);
  await m.t.app.db.query(
    sql`update channel set throttled_until = ${until} where id = ${desk.account.channelId}`,
  );
  assert.deepEqual(await waits(ids[1]), [
    "waits until the platform takes calls of its channel again: 0 tries so far",
  ]);
});
