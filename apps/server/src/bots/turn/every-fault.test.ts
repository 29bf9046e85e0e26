import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createModelEmulator, MODEL_FAULTS } from "@parley/emulators";
import { QuickClock } from "../../../test/crash/quick-clock.ts";
import { LONG } from "../../../test/group.ts";
import { startTestApp } from "../../../test/harness.ts";
import { Desk, FakeGraph, type Messaging } from "../../../test/messaging.ts";
import { streaming } from "../../../test/streaming.ts";
import { OPERATOR } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { createProviderHttp } from "../../lib/outbound-http.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { setModel } from "../../models/set-model.ts";
import { aiDocumentExample } from "../../wire/bot.ts";
import { MODEL_PROTOCOLS } from "../../wire/words.ts";
import { createDispatchWorker } from "../../workers/dispatch-messages.ts";
import { startLoops } from "../../workers/loop.ts";
import { createRunTurnsWorker, createSweepTurnsWorker } from "../../workers/run-turns.ts";
import { createHandOverStuckWorker, createStartBotsWorker } from "../../workers/start-bots.ts";
import { makeLiveBot } from "../bot.fixture.ts";

// A provider fails in every way that we know, in both protocols, while customers write and time passes as it does.

/** Customers of each fault and protocol: 2,010 in the long suite. */
const CUSTOMERS = LONG ? 67 : 1;
/** Faults that show themselves after half a minute are waited for in the long suite. */
const SLOW = new Set(["hang", "trickle"]);
const FAULTS = MODEL_FAULTS.filter((kind) => LONG || !SLOW.has(kind));
/** Customers without an answer at once: how much a machine can do is not what is asked. */
const MOST_WAITING = 24;
const LONGEST_MS = 60_000;

interface Facts {
  readonly all: number;
  readonly waiting: number;
  readonly withPerson: number;
  readonly told: number;
  readonly longest: number;
}

test(`${CUSTOMERS} customers of each fault of a provider: within a minute a person has the conversation, and the customer is told once`, async (t1) => {
  await using model = await createModelEmulator({ journalSize: 1 });
  const graph = new FakeGraph();
  const real = createProviderHttp();
  const providerHttp = streaming({
    request: (request) =>
      request.url.startsWith(model.url) ? real.request(request) : graph.request(request),
  });
  const clock = new QuickClock(Date.now(), 1);
  await using t = await startTestApp({ overrides: { clock, providerHttp } });
  const { app } = t;
  const messaging: Messaging = { t, graph, [Symbol.asyncDispose]: () => Promise.resolve() };
  const desks: Desk[] = [];
  for (const protocol of MODEL_PROTOCOLS)
    for (const fault of FAULTS) {
      const desk = await Desk.open(messaging);
      const { url, key } = model;
      const given = { protocol, url, key, name: `fault:${fault}` } as const;
      await setModel(OPERATOR, { ...app, operator: true }, desk.workspaceId, given);
      await makeLiveBot(app, desk.workspaceId, { ...aiDocumentExample, quietMs: 500 });
      desks.push(desk);
    }
  const look = async (): Promise<Facts> => {
    const [row] = await app.db.query<Facts>(sql`
      select count(*)::int as all, (count(*) filter (where said.n = 0))::int as waiting,
        (count(*) filter (where b.handler = 'person'))::int as "withPerson", (count(*) filter (where said.n = 1))::int as told,
        coalesce(max(extract(epoch from said.at - c.created_at) * 1000), 0)::int as longest
      from conversation c left join bot_thread b on b.workspace_id = c.workspace_id and b.conversation_id = c.id
      cross join lateral (select count(*) as n, min(created_at) as at from message m
        where m.workspace_id = c.workspace_id and m.conversation_id = c.id and m.direction = 'outbound') said`);
    assert.ok(row);
    return row;
  };
  const loops = startLoops(app, [
    createStartBotsWorker(app),
    createRunTurnsWorker(app),
    createSweepTurnsWorker(app),
    createHandOverStuckWorker(app),
    createDispatchWorker(app),
  ]);
  try {
    const until = async (done: (facts: Facts) => boolean) => {
      while (!done(await look())) await sleep(250);
    };
    for (let n = 0; n < CUSTOMERS; n++) {
      await until(({ waiting }) => waiting <= MOST_WAITING);
      const said = desks.map((desk) =>
        desk.message(String(96_574_000_000 + n), "what is the price?", {
          occurredAt: clock.now(),
        }),
      );
      await receiveEvents(app, said);
    }
    await until(({ waiting }) => waiting === 0);
  } finally {
    await loops.stop();
  }
  const facts = await look();
  t1.diagnostic(JSON.stringify(facts));
  const all = desks.length * CUSTOMERS;
  const { longest, ...counts } = facts;
  assert.deepEqual(counts, { all, waiting: 0, withPerson: all, told: all });
  // Only what is in the wrong language is an AI reply: it is left to members.
  const [meter] = await app.db.query<{ used: number; suggested: number }>(sql`
    select (select sum(ai_used)::int from usage_month) as used,
      (select count(*)::int from ai_turn where status in ('open', 'sent', 'suggested')) as suggested`);
  const wrong = MODEL_PROTOCOLS.length * CUSTOMERS;
  assert.deepEqual(meter, { used: wrong, suggested: wrong });
  assert.ok(longest < LONGEST_MS, `${longest} ms`);
});
