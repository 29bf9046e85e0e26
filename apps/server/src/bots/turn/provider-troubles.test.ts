import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createModelEmulator, type ModelEmulator } from "@parley/emulators";
import { LONG } from "../../../test/group.ts";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { sql } from "../../db/sql.ts";
import type { StreamingHttp } from "../../lib/http.ts";
import { createProviderHttp } from "../../lib/outbound-http.ts";
import { setModel } from "../../models/set-model.ts";
import { aiDocumentExample } from "../../wire/bot.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { startBots } from "../thread/start-bots.ts";
import { createTurnRunner, runTurns, type TurnRunner } from "./run-turns.ts";

let m: Messaging;
let model: ModelEmulator;
let real: StreamingHttp;
/** What happens while a model thinks: its call has arrived, and is answered afterwards. */
let meanwhile: () => Promise<void> = () => Promise.resolve();
let app: Context;
before(async () => {
  m = await startMessaging();
  model = await createModelEmulator({ journalSize: 1 });
  model.script([{ answer: { decision: "clarify", text: "Which order do you mean?" } }]);
  real = createProviderHttp();
  const http: StreamingHttp = {
    stream: (request) => real.stream(request),
    async request(request) {
      await meanwhile();
      return real.request(request);
    },
  };
  app = { ...m.t.app, providerHttp: http };
});
after(async () => {
  await m[Symbol.asyncDispose]();
  await model.close();
});

let customers = 96_573_000_000;

/** A workspace with a live AI bot and its model. */
async function shop(name = "script"): Promise<Desk> {
  const desk = await Desk.open(m);
  const { url, key } = model;
  const given = { protocol: "openai-chat", url, key, name } as const;
  await setModel(OPERATOR, { ...app, operator: true }, desk.workspaceId, given);
  await makeLiveBot(app, desk.workspaceId, aiDocumentExample);
  return desk;
}

/** So many customers write, and are quiet; gives their conversations. */
async function write(desk: Desk, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await desk.hears(String(++customers), "where is it"));
  return ids;
}

interface Standing {
  readonly handler: string;
  readonly reason: string | null;
  readonly answers: number;
  readonly failed: number;
}

async function standing(desk: Desk, conversationId: string): Promise<Standing> {
  const [row] = await app.db.query<Standing>(sql`
    select t.handler, t.handed_reason as reason, m.answers, m.failed from bot_thread t cross join lateral (
      select count(*)::int as answers, (count(*) filter (where status = 'failed'))::int as failed from message
      where workspace_id = t.workspace_id and conversation_id = t.conversation_id and direction = 'outbound') m
    where t.workspace_id = ${desk.workspaceId} and t.conversation_id = ${conversationId}`);
  assert.ok(row, "the bot has not met the conversation");
  return row;
}

/** Ends calls that hang, until no turn is under way. */
async function cut(runner: TurnRunner): Promise<void> {
  while (runner.inFlight.size > 0) {
    model.release();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a conversation whose window closes while the model thinks goes to people, and nothing is stored that the platform would refuse", async () => {
  const desk = await shop();
  const ids = await write(desk, LONG ? 100 : 2);
  await startBots(app, 1_000);
  m.t.clock.advance(2_500);
  let closes = true;
  meanwhile = () => {
    if (closes) m.t.clock.advance(25 * 3_600_000);
    closes = false;
    return Promise.resolve();
  };
  await runTurns(app, 200);
  meanwhile = () => Promise.resolve();
  for (const id of ids) {
    const stands = await standing(desk, id);
    assert.deepEqual(stands, { handler: "person", reason: "limit_reached", answers: 0, failed: 0 });
  }
});

test("a provider that hangs holds up no other workspace: eight of its calls are under way, and the others' customers are answered", async (t) => {
  const [hung, well] = [await shop("fault:hang"), await shop()];
  /** Milliseconds until each of the well workspace's customers was answered, one after another. */
  const times = async (runner: TurnRunner): Promise<number[]> => {
    const all: number[] = [];
    for (const id of await write(well, LONG ? 300 : 5)) {
      await startBots(app, 1_000);
      m.t.clock.advance(2_500);
      const begun = performance.now();
      while ((await standing(well, id)).answers === 0) await runner.claim();
      all.push(performance.now() - begun);
    }
    return all.toSorted((a, b) => a - b);
  };
  const alone = await times(createTurnRunner(app));
  // More than there are places for turns in a process.
  await write(hung, 70);
  await startBots(app, 1_000);
  m.t.clock.advance(2_500);
  const runner = createTurnRunner(app);
  const beside = await times(runner);
  // The last answer of the well workspace is stored a moment before its turn is over.
  for (
    const end = performance.now() + 180_000;
    runner.inFlight.size > 8 && performance.now() < end;
  )
    await new Promise((resolve) => setImmediate(resolve));
  assert.ok(runner.inFlight.size <= 8, `${runner.inFlight.size} turns under way`);
  const shown = (sorted: readonly number[]) =>
    [0.5, 0.99].map((part) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)).join(", ");
  t.diagnostic(
    `p50, p99 until answered, ms: ${shown(alone)}; beside one that hangs ${shown(beside)}`,
  );
  await cut(runner);
});
