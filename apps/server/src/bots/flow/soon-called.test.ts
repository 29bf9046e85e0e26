import assert from "node:assert/strict";
import { test } from "node:test";
import { QuickClock } from "../../../test/crash/quick-clock.ts";
import { LONG } from "../../../test/group.ts";
import { startTestApp } from "../../../test/harness.ts";
import { Desk, FakeGraph, type Messaging } from "../../../test/messaging.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { createDispatchWorker } from "../../workers/dispatch-messages.ts";
import { startLoops } from "../../workers/loop.ts";
import { createStartBotsWorker } from "../../workers/start-bots.ts";
import { createWorkFlowsWorker } from "../../workers/work-flows.ts";
import { makeLiveBot } from "../bot.fixture.ts";

const FLOW = {
  format: 1,
  kind: "flow",
  name: "Shop",
  entry: "asks",
  steps: {
    asks: { type: "ask", text: { en: "What is it?" }, into: "said", next: "asks" },
  },
};
const CUSTOMERS = LONG ? 200 : 12;
/** A loop that no nudge reaches would look after this long: the test would not end. */
const NEVER_MS = 86_400_000;

test("from a customer's message to the call with the flow's answer no loop waits for its poll", async (t1) => {
  const graph = new FakeGraph();
  const clock = new QuickClock(Date.now(), 1);
  await using t = await startTestApp({ overrides: { clock, providerHttp: graph } });
  const { app } = t;
  const messaging: Messaging = { t, graph, [Symbol.asyncDispose]: () => Promise.resolve() };
  const desk = await Desk.open(messaging);
  await makeLiveBot(app, desk.workspaceId, FLOW);
  let called = Promise.withResolvers<number>();
  graph.answer = () => {
    called.resolve(performance.now());
    return graph.accepted();
  };
  const loops = startLoops(app, [
    { ...createStartBotsWorker(app), pollMs: NEVER_MS },
    { ...createWorkFlowsWorker(app), pollMs: NEVER_MS },
    { ...createDispatchWorker(app), pollMs: NEVER_MS },
  ]);
  const times: number[] = [];
  try {
    // One after another: how long a message takes, not how many there can be. The first ones make plans and connections.
    for (let n = -5; n < CUSTOMERS; n++) {
      const from = String(96_575_000_000 + n);
      const said = desk.message(from, "hello", { occurredAt: clock.now() });
      called = Promise.withResolvers<number>();
      const begun = performance.now();
      await receiveEvents(app, [said]);
      const ms = (await called.promise) - begun;
      if (n >= 0) times.push(ms);
    }
  } finally {
    await loops.stop();
  }
  times.sort((a, b) => a - b);
  const [p50 = 0, p95 = 0] = [0.5, 0.95].map((part) => times[Math.floor(times.length * part)]);
  t1.diagnostic(`${times.length} messages: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
  assert.equal(graph.sent.length, CUSTOMERS + 5);
});
