import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LONG } from "../group.ts";
import { campaignIsWhole, eventsArrived, repliesAndRecipients } from "./promises.ts";
import type { RealServer } from "./real-server.ts";
import { ReplyClient } from "./reply-client.ts";
import { eventually, Shop } from "./shop.ts";

const AUDIENCE = LONG ? 300 : 100;
const CONVERSATIONS = LONG ? 60 : 20;
/** So many replies are accepted before each stop. */
const REPLIES = LONG ? 100 : 30;
/** Without a limit of its own a server would wait 20 s for a platform that hangs. */
const STOPPED_MS = 15_000;

/** A server that is not done after 9.5 s ends with 1. Only a busy machine lets it come to that. */
async function stopped(server: RealServer): Promise<number> {
  const { code, ms } = await server.stop();
  assert.ok(ms < STOPPED_MS, `${ms} ms`);
  const isBusy = (loadavg()[0] ?? 0) > availableParallelism();
  if (isBusy && code === 1) return ms;
  assert.equal(code, 0, server.logs().slice(-1_000));
  assert.ok(ms < 10_000, `${ms} ms`);
  assert.equal(existsSync(path.join(server.dataDir, "postgres/postmaster.pid")), false);
  return ms;
}

/** SIGTERM under load, first with a platform that answers, then with one that hangs (contract §1, reliability 20). */
test("a stop under load fails no request it took, loses nothing and is over in ten seconds", async (t) => {
  await using shop = await Shop.open({
    seed: 1,
    conversations: CONVERSATIONS,
    keys: 20,
    audience: AUDIENCE,
    ratePerMinute: LONG ? 3_000 : 1_000,
  });
  const { server, meta } = shop;
  const client = new ReplyClient(shop, Math.random);
  const asking = LONG ? client.run(6, 20) : client.run(3, 50);
  try {
    const started = await shop.call(`/broadcasts/${shop.broadcastId}/start`, { method: "POST" });
    assert.equal(started.status, 201);

    await eventually("load", 180_000, async () => (client.accepted.size > REPLIES ? true : null));
    const quick = await stopped(server);
    server.launch();
    await server.ready();

    // Every call from now on is taken in and never answered.
    meta.fault({ kind: "hang", next: 100_000 });
    const before = client.accepted.size;
    await eventually("load again", 180_000, async () =>
      client.accepted.size > before + REPLIES ? true : null,
    );
    await sleep(1_500);
    const hanging = await stopped(server);
    t.diagnostic(`stopped in ${quick} ms; in ${hanging} ms while the platform hung`);
    meta.faults.clear();
    meta.release();
    server.launch();
    await server.ready();
  } finally {
    client.stop();
    await asking;
  }

  await shop.quiet();
  await shop.passTime();
  await shop.finished();
  const { replies, unknown } = await repliesAndRecipients(shop, client);
  await campaignIsWhole(shop, AUDIENCE);
  const events = await eventsArrived(shop);

  // A request that had an effect was answered: those that were cut left nothing behind.
  assert.deepEqual(client.odd, []);
  assert.equal(client.answers.get("503") ?? 0, 0);
  const stored = await server.query<{ text: string }>(
    "select text from message where source = 'api'",
  );
  const confirmed = new Set(client.accepted.values());
  assert.deepEqual(
    stored.filter(({ text }) => !confirmed.has(text)),
    [],
    "replies that were taken and not confirmed",
  );
  t.diagnostic(
    `answers ${JSON.stringify(Object.fromEntries(client.answers))}; ${replies} replies, ` +
      `${unknown} unknown outcomes, ${events.events} events, ${events.repeated} deliveries repeated`,
  );
});
