import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, graphError, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { bad, good, startReceiver, type Receiver } from "../../../test/webhook-receiver.ts";
import { OPERATOR } from "../../actor.ts";
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
