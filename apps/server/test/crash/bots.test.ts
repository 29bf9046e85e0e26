import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "vite";
import {
  createModelEmulator,
  createWhatsAppEmulator,
  type ModelEmulator,
  type WhatsAppEmulator,
} from "@parley/emulators";
import { OPERATOR } from "../../src/actor.ts";
import { makeLiveBot } from "../../src/bots/bot.fixture.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { sql } from "../../src/db/sql.ts";
import { receiveEvents } from "../../src/messages/receive/receive-events.ts";
import { setModel } from "../../src/models/set-model.ts";
import { aiDocumentExample } from "../../src/wire/bot.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { updateWorkspace } from "../../src/workspaces/update-workspace.ts";
import { LONG } from "../group.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { BARE } from "../process/launch.ts";
import type { WorkerOrders } from "./bot-worker.ts";
import type { Step } from "./mortal.ts";
import { mulberry } from "./mulberry.ts";
import { QuickClock } from "./quick-clock.ts";

/** PARLEY_CRASH_KILLS=300 kills more or less often, PARLEY_CRASH_SEED repeats a run. */
const KILLS = Number(process.env["PARLEY_CRASH_KILLS"] ?? (LONG ? 300 : 3));
const seed = Number(process.env["PARLEY_CRASH_SEED"] ?? randomInt(2 ** 31));
const random = mulberry(seed);
const WORKERS = 3;
/** Between two customers, and between two looks at the meter. */
const PACE_MS = LONG ? 600 : 300;
/** Customers who wait for an answer at once, at most: what is measured is not how much a machine can do. */
const MOST_WAITING = 12;
/** In the short suite a lease of a minute ends after half of it. */
const SPEED = LONG ? 1 : 2;
const clock = new QuickClock(Date.now(), SPEED);
const masterKey = randomBytes(32);
const folder = mkdtempSync(path.join(tmpdir(), "parley-bots-"));
/** A line for each death. */
const deaths = path.join(folder, "deaths");

/**
 * The program of a worker in one file: of 1.5 s of processor time to read a thousand files and their types 0.3 s are left,
 * and every kill needs a new worker.
 */
async function bundleWorker(): Promise<string> {
  await build({
    root: import.meta.dirname,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "error",
    ssr: { noExternal: true, external: ["pg-native"] },
    plugins: [
      {
        name: "folders of the sources",
        transform: (code, id) =>
          code.replaceAll("import.meta.dirname", JSON.stringify(path.dirname(id))),
      },
    ],
    build: {
      ssr: path.join(import.meta.dirname, "bot-worker.ts"),
      outDir: folder,
      target: "node20",
      minify: false,
      rolldownOptions: { output: { format: "es", entryFileNames: "worker.mjs" } },
    },
  });
  return path.join(folder, "worker.mjs");
}

let program: string;
let t: TestApp;
let model: ModelEmulator;
let meta: WhatsAppEmulator;
before(async () => {
  program = await bundleWorker();
  model = await createModelEmulator({ journalSize: 1 });
  model.script([
    { when: "weather", answer: { decision: "hand_over" } },
    { answer: { decision: "clarify", text: "Which order do you mean?" } },
  ]);
  meta = await createWhatsAppEmulator({
    magic: false,
    limits: { messagesPerSecond: null, pairIntervalMs: null },
  });
  t = await startTestApp({ masterKey, overrides: { clock } });
});
after(async () => {
  await t[Symbol.asyncDispose]();
  await Promise.all([model.close(), meta.close()]);
  rmSync(folder, { recursive: true, force: true });
});

let numbers = 0;

/** A workspace with a live AI bot, and its customers. */
async function shop(aiReplies: number | null) {
  const { app } = t;
  const { id: workspaceId } = await createWorkspace(OPERATOR, app, { name: "A", plan: "business" });
  await updateWorkspace(OPERATOR, app, workspaceId, { limits: { aiReplies } });
  const account = {
    phoneNumberId: `10654035224292${++numbers}`,
    wabaId: "102290129340398",
    accessToken: "token",
    appSecret: "secret",
  };
  meta.addNumber(account);
  const { id: channelId } = await connectChannel(OPERATOR, app, workspaceId, {
    type: "WHATSAPP",
    name: "Shop",
    ...account,
    verifyToken: "verify",
    apiUrl: meta.apiUrl,
  });
  const { url, key } = model;
  const given = { protocol: "openai-chat", url, key, name: "script" } as const;
  await setModel(OPERATOR, { ...app, operator: true }, workspaceId, given);
  await makeLiveBot(app, workspaceId, { ...aiDocumentExample, quietMs: 500 });
  let customers = 96_572_000_000;
  const write = async (text: string) => {
    const from = String(++customers);
    const account = { workspaceId, channelId, channelType: "WHATSAPP" } as const;
    const content = { type: "text", text, attachments: [] } as const;
    const event = {
      kind: "message",
      accountExternalId: "1",
      externalMessageId: `in.${workspaceId}.${from}`,
      from: { externalId: from, phone: from, name: "Mona" },
      occurredAt: clock.now(),
      content,
      opensWindow: true,
    } as const;
    await receiveEvents(app, [{ account, event }]);
  };
  return { workspaceId, write, written: () => customers - 96_572_000_000 };
}
type Shop = Awaited<ReturnType<typeof shop>>;

/** When workers began and ceased to work, by the clock of the test, in order. */
const changes: { readonly at: number; readonly by: 1 | -1 }[] = [];

/** For how long of a time at least one worker worked: the machine may take a minute to start one. */
function workedBetween(from: number, to: number): number {
  let working = 0;
  let since = from;
  let sum = 0;
  for (const { at, by } of [...changes, { at: to, by: 1 as const }]) {
    const until = Math.min(Math.max(at, from), to);
    if (working > 0) sum += until - since;
    since = until;
    working += by;
  }
  return sum;
}

/** One worker in a process of its own. Resolves at its end. */
async function worker(
  steps: number | null,
  over: AbortSignal,
  atCommits = false,
): Promise<boolean> {
  const child = fork(program, { env: BARE, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit");
  const { since, speed } = clock;
  const config = { ...t.app.config, databaseUrl: t.databaseUrl };
  const key = masterKey.toString("base64");
  const orders: WorkerOrders = { config, masterKey: key, since, speed, steps, atCommits, deaths };
  child.send(orders);
  let works = false;
  child.once("message", () => {
    works = true;
    changes.push({ at: +clock.now(), by: 1 });
  });
  const stop = () => child.kill("SIGKILL");
  over.addEventListener("abort", stop);
  await ended;
  if (!works && !over.aborted) throw new Error("a worker did not start");
  if (works) changes.push({ at: +clock.now(), by: -1 });
  over.removeEventListener("abort", stop);
  return !over.aborted;
}

/** Workers that are killed at random steps, each followed by another, until so many are dead. */
async function storm(kills: number): Promise<void> {
  let dead = 0;
  const over = new AbortController();
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      while (dead < kills) {
        // Half of them at a commit of a run or a turn, the others anywhere.
        const atCommits = random() < 0.5;
        const steps = Math.floor(atCommits ? random() * 25 : 20 + random() * 300);
        if (await worker(steps, over.signal, atCommits)) dead++;
        if (dead >= kills) over.abort();
      }
    }),
  );
}

/** How many workers died at what, and at how many different transactions the commits were. */
function deathsByKind() {
  const kinds: Record<string, number> = {};
  const commits = new Set<string>();
  for (const line of readFileSync(deaths, "utf8").trim().split("\n")) {
    const { kind, tables } = JSON.parse(line) as Step;
    const own = tables.includes("bot_run") || tables.includes("ai_turn");
    const name = kind.endsWith("commit") && own ? `${kind} of a run or turn` : kind;
    kinds[name] = (kinds[name] ?? 0) + 1;
    if (name !== kind) commits.add(`${kind} ${tables.join(" ")}`);
  }
  return { ...kinds, different: commits.size };
}

interface Facts {
  readonly all: number;
  readonly open: number;
  readonly doubled: number;
  readonly longest: number;
  readonly turns: number;
  readonly used: number;
  readonly sent: number;
}

/** What every customer got so far, in one look. `open`: nobody answered yet. `longest`: milliseconds until someone did. */
async function look({ workspaceId }: Shop): Promise<Facts> {
  const [row] = await t.app.db.query<Facts>(sql`
    with talk as (select c.id, c.created_at, b.handler,
        (select min(created_at) from message m where m.workspace_id = c.workspace_id and m.conversation_id = c.id
          and direction = 'outbound') as answered,
        (select count(*) from message m where m.workspace_id = c.workspace_id and m.conversation_id = c.id
          and direction = 'outbound') as answers
      from conversation c left join bot_thread b on b.workspace_id = c.workspace_id and b.conversation_id = c.id
      where c.workspace_id = ${workspaceId})
    select count(*)::int as all, (count(*) filter (where answered is null))::int as open,
      (count(*) filter (where answers > 1))::int as doubled,
      coalesce(max(extract(epoch from answered - created_at) * 1000), 0)::int as longest,
      (select count(*)::int from ai_turn where workspace_id = ${workspaceId}
        and status in ('open', 'sent', 'suggested')) as turns,
      (select count(*)::int from ai_turn where workspace_id = ${workspaceId} and status = 'sent') as sent,
      coalesce((select sum(ai_used)::int from usage_month where workspace_id = ${workspaceId}), 0) as used
    from talk`);
  assert.ok(row);
  return row;
}

/** Looks again and again, until told to end: the meter equals the rows at every look. Gives how many looks there were. */
async function watch(one: Shop, over: AbortSignal): Promise<number> {
  let looks = 0;
  for (; !over.aborted; looks++) {
    const { turns, used } = await look(one);
    assert.equal(used, turns, "the meter and the turns differ");
    await sleep(PACE_MS);
  }
  return looks;
}

/** Kills workers while customers write, then lets three work in peace until everybody has an answer. */
async function through(t1: TestContext, one: Shop, kills: number, writing: () => Promise<void>) {
  const stormed = new AbortController();
  const watched = watch(one, stormed.signal);
  watched.catch(() => {});
  const customers = (async () => {
    while (!stormed.signal.aborted) {
      if ((await look(one)).open < MOST_WAITING) await writing();
      await sleep(PACE_MS);
    }
  })();
  try {
    await storm(kills);
  } finally {
    stormed.abort();
  }
  await customers;
  const looks = await watched;
  const over = new AbortController();
  const peace = Array.from({ length: WORKERS }, () => worker(null, over.signal));
  try {
    const deadline = performance.now() + 600_000;
    for (let { open } = await look(one); open > 0; { open } = await look(one)) {
      assert.ok(performance.now() < deadline, `${open} customers without an answer`);
      await sleep(250);
    }
    // What is in the outbox is sent.
    const waiting = () =>
      t.app.db.query(
        sql`select 1 from message_outbox where workspace_id = ${one.workspaceId} and state <> 'unknown'`,
      );
    while ((await waiting()).length > 0) await sleep(250);
  } finally {
    over.abort();
    await Promise.all(peace);
  }
  const facts = await look(one);
  t1.diagnostic(`seed ${seed}, ${kills} kills, ${looks} looks: ${JSON.stringify(facts)}`);
  assert.equal(facts.all, one.written());
  assert.equal(facts.doubled, 0, "customers with two answers");
  assert.deepEqual(meta.ledger.repeated(), [], "messages that the platform got twice");
  assert.equal(facts.used, facts.turns);
  return facts;
}

test(`${KILLS} kill -9 of ${WORKERS} workers at statements, calls and commits of runs and turns: nobody is answered twice, nobody waits for ever`, async (t1) => {
  const one = await shop(null);
  const texts = ["where is it", "can I talk to a human please", "how is the weather"];
  const facts = await through(t1, one, KILLS, async () => {
    await one.write(texts[one.written() % texts.length] ?? "");
  });
  assert.ok(facts.sent > 0);
  const waits = await t.app.db.query<{ from: Date; to: Date }>(sql`
    select c.created_at as "from", (select min(created_at) from message m
      where m.workspace_id = c.workspace_id and m.conversation_id = c.id and direction = 'outbound') as "to"
    from conversation c where c.workspace_id = ${one.workspaceId}`);
  const longest = Math.max(...waits.map(({ from, to }) => workedBetween(+from, +to)));
  t1.diagnostic(`deaths: ${JSON.stringify(deathsByKind())}`);
  t1.diagnostic(`the longest wait beside at least one worker: ${Math.round(longest / 1_000)} s`);
  // Two minutes without a step, and the look that finds it. A quick clock leaves them little time to work.
  if (SPEED === 1) assert.ok(longest < 150_000, `${longest} ms without an answer`);
});

test("with a limit of AI replies no more are sent, however many ask at once and however many workers die; the others go to people", async (t1) => {
  const limit = LONG ? 100 : 20;
  // On a quick machine the workers are dead after one round of customers: there are more of them than replies.
  const atOnce = limit + 5;
  const one = await shop(limit);
  const facts = await through(t1, one, Math.max(2, Math.round(KILLS / 8)), async () => {
    if (one.written() < limit + 2 * atOnce)
      await Promise.all(Array.from({ length: atOnce }, () => one.write("where is it")));
  });
  assert.ok(facts.all > limit);
  // What a dead worker held counts until its lease ends, and is given back then: the others were handed over meanwhile.
  assert.ok(facts.sent > 0 && facts.sent <= limit, `${facts.sent} sent`);
  assert.ok(facts.used <= limit, `${facts.used} used`);
});
