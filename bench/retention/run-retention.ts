import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../apps/server/src/app.ts";
import { openDatabase } from "../../apps/server/src/db/database.ts";
import { sql, Sql } from "../../apps/server/src/db/sql.ts";
import { startTestPostgres } from "../../apps/server/test/postgres.ts";
import { callOf } from "../cases/inbound.ts";
import { Child } from "../child.ts";
import { benchConfig, SECRETS } from "../config.ts";
import { cpuTimes } from "../cpu.ts";
import { load } from "../load.ts";
import { SHOP, seedPages, TOKEN } from "../pages/seed-pages.ts";
import { idAt, idText, WORKSPACE } from "../seed.ts";
import type { Answer, Ask } from "../server.ts";
import { columns } from "../table.ts";
import { CHANNEL } from "../world.ts";

const CONVERSATIONS = 20_000;
const FULL = 2_000_000;
const QUICK = 100_000;
/** The messages are of so many days: a fourth of them is older than three months. */
const DAYS = 122;
/** Calls of the platform, and looks at the inbox's list, a second. */
const CALLS = Number(process.env["PARLEY_BENCH_CALLS"] ?? 200);
const LOOKS = 5;
const LONG_MS = 3_600_000;
const REFERENCE = "message_search_workspace_id_message_id_fkey";
const workspaceId = idAt(SHOP, WORKSPACE);
const run = Date.now().toString(36);

/** What is deleted alone ends after so long, however much is left: the pace is known by then. */
const ALONE_MS = 120_000;

/**
 * Deletes a month of messages, first beside the calls of a platform and then alone. Prints how fast it went, and how
 * long calls and the inbox's list took before, meanwhile and afterwards. PARLEY_BENCH_MESSAGES and PARLEY_BENCH_CALLS (a
 * second) set other sizes. On a server that was given (PARLEY_BENCH_POSTGRES) the messages stay, and the next run
 * deletes more of them.
 */
export async function runRetention(quick: boolean, tell: (line: string) => void): Promise<void> {
  const messages = Number(process.env["PARLEY_BENCH_MESSAGES"] ?? (quick ? QUICK : FULL));
  const seconds = quick ? 5 : 20;
  const postgres = await serverFor(messages);
  if (postgres.isNew) await seedPages(postgres.url, { conversations: CONVERSATIONS, messages: 12 });
  const app = await buildApp({ ...benchConfig(postgres.url), logLevel: "silent" }, SECRETS);
  const [server, { origin = "" }] = await Child.start<Ask, Answer, Answer>("server.ts", [
    postgres.url,
  ]);
  try {
    if (postgres.isNew) {
      await seedMessages(app.db, messages, (done) => tell(`stores messages: ${done}`));
      tell("vacuums");
      await app.db.within(LONG_MS).query(new Sql(["vacuum analyze"], []));
    }
    await app.db.query(sql`delete from retention where workspace_id = ${workspaceId}`);
    await server.ask("work");
    const rows: (readonly [string, ...number[]])[] = [];
    const measure = async (name: string, forSeconds: number) => {
      tell(name);
      rows.push([name, ...(await callsAndLooks(origin, forSeconds))]);
    };
    await measure("before", seconds);
    const [{ size: tableBefore } = { size: 0 }] = await sizes(app.db);
    await app.db.query(sql`
      insert into retention (workspace_id, message_months, begins_at, changed_at, due_at)
      values (${workspaceId}, 3, now(), now(), now())`);
    await measure("meanwhile", 3 * seconds);
    const beside = await deletedOf(app.db);
    tell("deletes alone");
    const begun = performance.now();
    const cpuBefore = cpuTimes(postgres.directory, server.pid);
    const done = await untilDone(app.db, (deleted) => tell(`deleted ${deleted}`));
    const alone = performance.now() - begun;
    const cpuAfter = cpuTimes(postgres.directory, server.pid);
    await measure("afterwards", seconds);
    const [{ size: tableAfter } = { size: 0 }] = await sizes(app.db);
    const rate = (count: number, ms: number) =>
      `${count.toLocaleString("en")}, ${Math.round((count * 1_000) / ms).toLocaleString("en")} a second`;
    const each = (part: "postgres" | "product") =>
      Math.round(
        (((cpuAfter?.[part] ?? 0) - (cpuBefore?.[part] ?? 0)) * 1_000) / Math.max(done - beside, 1),
      );
    process.stdout.write(
      `${messages.toLocaleString("en")} messages; deleted beside ${CALLS} calls a second ${rate(beside, 3_000 * seconds)}; ` +
        `alone ${rate(done - beside, alone)}\n` +
        `processor time of one, alone: ${each("postgres")} µs of PostgreSQL, ${each("product")} µs of the product\n` +
        `message and its words: ${mb(tableBefore)} before, ${mb(tableAfter)} afterwards\n`,
    );
    columns(
      [
        ["", "calls/s", "p50 ms", "p99 ms", "list p50", "list p95"],
        ...rows.map(([name, ...values]) => [name, ...values.map((one) => one.toFixed(1))]),
      ],
      (line) => process.stdout.write(line),
    );
  } finally {
    await server.ask("end");
    await server[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    await postgres.stop();
  }
}

/** A server with a database for so many messages: one of its own, or one that was given and may hold them already. */
async function serverFor(messages: number) {
  const given = process.env["PARLEY_BENCH_POSTGRES"];
  if (given === undefined) return { ...(await startTestPostgres({ durable: true })), isNew: true };
  const name = `parley_retention_${messages}`;
  const admin = openDatabase({ connectionString: given, poolSize: 1 });
  try {
    const [known] = await admin.query<{ n: number }>(
      sql`select count(*)::int as n from pg_database where datname = ${name}`,
    );
    if (known?.n === 0) await admin.query(new Sql([`create database ${name}`], []));
    const directory = new URL(given.replace("@/", "@x/")).searchParams.get("host") ?? "";
    const url = given.replace("/postgres?", `/${name}?`);
    return { url, directory, isNew: known?.n === 0, stop: async () => {} };
  } finally {
    await admin.close();
  }
}

type Db = Awaited<ReturnType<typeof buildApp>>["db"];

/** Stores messages of all ages with words in the search, as if each had come then, a part at a time. */
async function seedMessages(db: Db, messages: number, told: (done: number) => void): Promise<void> {
  const step = 100_000;
  const text = (raw: string) => new Sql([raw], []);
  const id = (index: string) => text(idText(String(SHOP), index));
  // The index of words and the reference are made faster than they are kept.
  await db.query(text("drop index message_search_terms"));
  await db.query(text(`alter table message_search drop constraint ${REFERENCE}`));
  for (let from = 0; from < messages; from += step) {
    told(from);
    await db.within(LONG_MS).query(sql`
      with stored as (
        insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
          source, provider_message_id, created_at)
        select ${id("0")}, uuidv7(- age), ${id(`(1 + n % ${CONVERSATIONS})`)}, ${id(`(1 + n % ${CONVERSATIONS})`)},
          ${idAt(SHOP, CHANNEL)}::uuid, case when n % 2 = 0 then 'inbound' else 'outbound' end, 'text',
          'Where is my order number ' || n || '? It should have come yesterday.', 'received', 'channel', 'old.' || n, now() - age
        from (select n, (1 - n / ${messages}::float8) * ${DAYS} * interval '1 day' as age
          from generate_series(${from}::int, ${Math.min(from + step, messages) - 1}::int) n) m
        returning workspace_id, id, text
      )
      insert into message_search (workspace_id, message_id, terms)
      select workspace_id, id, to_tsvector('simple', text) from stored`);
  }
  for (const again of [
    "create index message_search_terms on message_search using gin (terms) with (fastupdate = on, gin_pending_list_limit = 512)",
    `alter table message_search add constraint ${REFERENCE} foreign key (workspace_id, message_id)
      references message (workspace_id, id) on delete cascade`,
  ]) {
    told(messages);
    await db.within(LONG_MS).query(text(again));
  }
}

async function deletedOf(db: Db): Promise<number> {
  const [row] = await db.query<{ done: number }>(sql`
    select messages::int as done from retention where workspace_id = ${workspaceId}`);
  return row?.done ?? 0;
}

/** Waits until a pass is over, or for its longest time. Gives how many messages it deleted. */
async function untilDone(db: Db, told: (done: number) => void): Promise<number> {
  const end = performance.now() + ALONE_MS;
  for (;;) {
    const [row] = await db.query<{ passed: boolean }>(sql`
      select passed_at is not null as passed from retention where workspace_id = ${workspaceId}`);
    const done = await deletedOf(db);
    if (row?.passed || performance.now() > end) return done;
    told(done);
    await sleep(1_000);
  }
}

const sizes = (db: Db) =>
  db.query<{ size: number }>(sql`
    select (pg_total_relation_size('message') + pg_total_relation_size('message_search'))::float8 as size`);
const mb = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString("en")} MB`;

let turn = 0;

/** Calls and looks for so long. Gives calls a second, their median and 99th percentile, the list's median and 95th. */
async function callsAndLooks(
  origin: string,
  seconds: number,
): Promise<[number, number, number, number, number]> {
  const looks: number[] = [];
  const [calls] = await Promise.all([
    load(origin, { clients: 32, seconds, rate: CALLS, next: () => inboundCall(turn++) }),
    load(origin, {
      clients: 2,
      seconds,
      rate: LOOKS,
      next: () => ({
        method: "GET",
        path: "/api/app/conversations?view=all&limit=25",
        headers: { cookie: `parley=${TOKEN}` },
      }),
      onAnswer: (_turn, ms) => looks.push(ms),
    }),
  ]);
  const sorted = looks.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return [calls.perSecond, calls.p50Ms, calls.p99Ms, at(0.5), at(0.95)];
}

function inboundCall(n: number) {
  const body = callOf(SHOP, String(96_500_000_001 + (n % CONVERSATIONS)), `wamid.${run}.${n}`);
  const signature = createHmac("sha256", "secret").update(body).digest("hex");
  return {
    method: "POST",
    path: `/hooks/whatsapp/${idAt(SHOP, CHANNEL)}`,
    headers: { "x-hub-signature-256": `sha256=${signature}`, "content-type": "application/json" },
    body,
  } as const;
}
