import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
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
/** Messages of customers: one after another, then so many a second, for so long. */
const RATES = LONG ? ([0, 20, 200] as const) : ([0] as const);
const SECONDS = 10;
const ALONE = LONG ? 200 : 12;
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
  const called = new Map<string, PromiseWithResolvers<number>>();
  graph.answer = (_, { to }) => {
    called.get(String(to))?.resolve(performance.now());
    return graph.accepted();
  };
  const loops = startLoops(app, [
    { ...createStartBotsWorker(app), pollMs: NEVER_MS },
    { ...createWorkFlowsWorker(app), pollMs: NEVER_MS },
    { ...createDispatchWorker(app), pollMs: NEVER_MS },
  ]);
  let customers = 96_575_000_000;
  /** Milliseconds from a new customer's message, before it is stored, to the call. */
  const ask = async (): Promise<number> => {
    const from = String(++customers);
    const answer = Promise.withResolvers<number>();
    called.set(from, answer);
    const said = desk.message(from, "hello", { occurredAt: clock.now() });
    const begun = performance.now();
    await receiveEvents(app, [said]);
    return (await answer.promise) - begun;
  };
  try {
    // The first ones make plans and connections.
    for (let n = 0; n < 5; n++) await ask();
    for (const rate of RATES) {
      const times: number[] = [];
      if (rate === 0) for (let n = 0; n < ALONE; n++) times.push(await ask());
      else {
        const asked: Promise<number>[] = [];
        const from = performance.now();
        for (let n = 0; n < rate * SECONDS; n++) {
          const early = (n * 1_000) / rate - (performance.now() - from);
          if (early > 0) await sleep(early);
          asked.push(ask());
        }
        times.push(...(await Promise.all(asked)));
      }
      times.sort((a, b) => a - b);
      const [p50 = 0, p95 = 0] = [0.5, 0.95].map((part) => times[Math.floor(times.length * part)]);
      const how = rate === 0 ? "one after another" : `${rate} a second`;
      t1.diagnostic(
        `${times.length} messages, ${how}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      );
    }
  } finally {
    await loops.stop();
  }
  // Each is answered once.
  assert.equal(graph.sent.length, called.size);
});
