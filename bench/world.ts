import { OPERATOR } from "../apps/server/src/actor.ts";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { connectChannel } from "../apps/server/src/channels/connect-channel.ts";
import { buildApp, type App } from "../apps/server/src/app.ts";
import { openDatabase, type Db } from "../apps/server/src/db/database.ts";
import { startEmbedded } from "../apps/server/src/db/embedded.ts";
import { migrate } from "../apps/server/src/db/migrate.ts";
import { Sql, sql } from "../apps/server/src/db/sql.ts";
import { createLogger } from "../apps/server/src/lib/logger.ts";
import { startTestPostgres } from "../apps/server/test/postgres.ts";
import { Child } from "./child.ts";
import { cpuTimes, type CpuTimes } from "./cpu.ts";
import { benchConfig, SECRETS } from "./config.ts";
import { hasPgbench } from "./floor.ts";
import { Keys } from "./keys.ts";
import { idAt, seedConversations, seedWorkspaces, WORKSPACE } from "./seed.ts";
import type { Answer, Ask } from "./server.ts";
import type { SinkAsk, SinksReady, Tally } from "./sinks.ts";

/** The one with the million; the small ones; the one that takes all replies; the one whose campaign is drained. */
export const BIG = 1;
export const SMALL = { first: 2, last: 201, contacts: 500, conversations: 100 } as const;
export const HOT = 202;
export const CAMPAIGN = 203;
export const APP_SECRET = "bench-app-secret";

export interface Size {
  readonly contacts: number;
  readonly recipients: number;
  readonly rounds: number;
  readonly seconds: number;
  /** The big workspace is empty at first, and PostgreSQL has the settings that the product gives its own. */
  readonly asInstalled?: true;
}
export const FULL: Size = { contacts: 1_000_000, recipients: 20_000, rounds: 5, seconds: 5 };
export const QUICK: Size = { contacts: 100_000, recipients: 5_000, rounds: 2, seconds: 2 };

const KEYS = { [BIG]: 9_000, [HOT]: 9_000, small: 60 };

export interface World extends AsyncDisposable {
  readonly size: Size;
  readonly pgbench: boolean;
  readonly target: { readonly directory: string; readonly database: string };
  readonly databaseUrl: string;
  /** The same parts as the product's, in this process: to prepare cases and to look at what came of them. */
  readonly app: App;
  readonly keys: Keys;
  readonly sinks: Child<SinkAsk, Tally>;
  readonly sinksReady: SinksReady;
  readonly product: Child<Ask, Answer>;
  readonly origin: string;
  readonly checkless: string;
  readonly cpu: () => CpuTimes | null;
  /** A new product process, its workers at work or not: a worker that was stopped once does not start again. */
  freshProduct(workers?: "working"): Promise<void>;
}

/** PostgreSQL with its safety on, the seeded database, the sinks and the product's process. */
export async function makeWorld(size: Size, tell: (line: string) => void): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const given = process.env["PARLEY_BENCH_POSTGRES"];
  tell("starting PostgreSQL");
  const postgres = given === undefined ? await startPostgres(size) : undefined;
  if (postgres) stack.defer(() => postgres.stop());
  const server = given ?? postgres?.url ?? "";
  const socket = new URL(server.replace("@/", "@x/")).searchParams.get("host") ?? "";
  const directory = postgres?.directory ?? socket;
  const database = await seeded(server, size, postgres === undefined, tell);
  const databaseUrl = server.replace("/postgres?", `/${database}?`);

  const [sinks, sinksReady] = await Child.start<SinkAsk, Tally, SinksReady>("sinks.ts", []);
  stack.use(sinks);
  const app = await buildApp(benchConfigQuiet(databaseUrl), SECRETS);
  stack.use(app);
  await app.db.query(sql`update channel set api_url = ${sinksReady.apiUrl}, sync_due_at = null`);
  await app.db.query(new Sql(["vacuum analyze"], []));

  const startProduct = () =>
    Child.start<Ask, Answer, Answer>("server.ts", [databaseUrl], certificateOf(sinksReady));
  let [product, ready] = await startProduct();
  stack.defer(() => product[Symbol.asyncDispose]());
  const held = stack.move();
  return {
    size,
    pgbench: await hasPgbench(),
    target: { directory, database },
    databaseUrl,
    app,
    keys: new Keys((workspace) =>
      workspace === BIG || workspace === HOT ? KEYS[workspace] : KEYS.small,
    ),
    sinks,
    sinksReady,
    get product() {
      return product;
    },
    get origin() {
      return ready.origin ?? "";
    },
    get checkless() {
      return ready.checkless ?? "";
    },
    cpu: () => cpuTimes(directory, product.pid),
    async freshProduct(workers) {
      await product.ask("end");
      await product[Symbol.asyncDispose]();
      [product, ready] = await startProduct();
      if (workers) await product.ask("work");
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function startPostgres(
  size: Size,
): Promise<{ url: string; directory: string; stop: () => Promise<void> }> {
  if (!size.asInstalled) return startTestPostgres({ durable: true });
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-bench-"));
  // PostgreSQL runs as nobody where this runs as root.
  chmodSync(folder, 0o755);
  const dataDir = path.join(folder, "data");
  const embedded = await startEmbedded({ dataDir, kind: "server", log: createLogger("silent") });
  await set(embedded.url, process.env["PARLEY_BENCH_SETTINGS"]?.split(",") ?? []);
  const stop = async () => {
    await embedded.stop();
    rmSync(folder, { recursive: true });
  };
  // It is in a group of its own, and would go on without us.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void stop().finally(() => process.exit(130)));
  return { url: embedded.url.replace("/parley?", "/postgres?"), directory: dataDir, stop };
}

/** Settings of PostgreSQL beside the product's own, as `name=value`: to see what another one would do. */
async function set(url: string, settings: readonly string[]): Promise<void> {
  const admin = openDatabase({ connectionString: url, poolSize: 1 });
  for (const setting of settings) {
    const [name = "", value = ""] = setting.split("=");
    await admin.query(new Sql([`alter system set ${name} = '${value}'`], []));
  }
  await admin.query(new Sql(["select pg_reload_conf()"], []));
  await admin.close();
}

const benchConfigQuiet = (url: string) => ({ ...benchConfig(url), logLevel: "silent" as const });

/** For a child that has to trust the receiver. */
export function certificateOf(sinks: SinksReady): Record<string, string> {
  if (sinks.certificate === undefined) return {};
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-bench-"));
  const file = path.join(folder, "ca.pem");
  writeFileSync(file, sinks.certificate);
  process.once("exit", () => rmSync(folder, { recursive: true }));
  return { NODE_EXTRA_CA_CERTS: file };
}

/**
 * The name of the database to measure on. On a server that was given (PARLEY_BENCH_POSTGRES) the seeded one stays
 * there as a template, and each run gets a copy.
 */
async function seeded(
  server: string,
  size: Size,
  keep: boolean,
  tell: (line: string) => void,
): Promise<string> {
  const admin = openDatabase({ connectionString: server, poolSize: 1 });
  const plain = (text: string) => admin.query<{ n: number }>(new Sql([text], []));
  const contacts = size.asInstalled ? 0 : size.contacts;
  const template = `parley_bench_${contacts}`;
  try {
    const [known] = await plain(
      `select count(*) as n from pg_database where datname = '${template}'`,
    );
    if (!known?.n) {
      await plain(`create database ${template}`);
      await seed(server.replace("/postgres?", `/${template}?`), size, tell);
    }
    if (!keep) return template;
    tell("copying the seeded database");
    await plain("drop database if exists parley_bench with (force)");
    await plain(`create database parley_bench template ${template} strategy file_copy`);
    return "parley_bench";
  } finally {
    await admin.close();
  }
}

async function seed(url: string, size: Size, tell: (line: string) => void): Promise<void> {
  await migrate(url);
  const app = await buildApp(benchConfigQuiet(url), SECRETS);
  try {
    const { db } = app;
    // An index is built faster than it is kept.
    const [index] = await db.query<{ indexdef: string }>(
      sql`select indexdef from pg_indexes where indexname = 'contact_search'`,
    );
    await db.query(sql`drop index contact_search`);
    const fill = (first: number, last: number, contacts: number, keys: number) =>
      seedWorkspaces(db, { first, last, contacts, keys }, (done) =>
        tell(`seeding contacts: ${done} of ${contacts}`),
      );
    await fill(BIG, BIG, size.asInstalled ? 0 : size.contacts, KEYS[BIG]);
    await fill(SMALL.first, SMALL.last, SMALL.contacts, KEYS.small);
    await fill(HOT, HOT, SMALL.contacts, KEYS[HOT]);
    await fill(CAMPAIGN, CAMPAIGN, size.recipients, KEYS.small);
    tell("seeding: the search index");
    await db.query(new Sql([index?.indexdef ?? ""], []));
    tell("seeding: channels and conversations");
    for (let number = BIG; number <= CAMPAIGN; number++) await connect(app, number);
    await seedConversations(db, SMALL.first, SMALL.last, SMALL.conversations);
    await seedConversations(db, HOT, HOT, SMALL.contacts);
    for (const number of [BIG, CAMPAIGN]) await addTemplate(db, number);
    await db.query(new Sql(["vacuum analyze"], []));
  } finally {
    await app[Symbol.asyncDispose]();
  }
}

/** The number that makes a workspace's channel, and its template. */
export const CHANNEL = 8_888_888;
export const templateOf = (number: number): string => idAt(number, 7_777_777);

async function connect(app: App, number: number): Promise<void> {
  const ids = { next: () => idAt(number, CHANNEL) };
  await connectChannel(OPERATOR, { ...app, ids, operator: true }, idAt(number, WORKSPACE), {
    type: "WHATSAPP",
    name: "Bench",
    phoneNumberId: String(1_000_000 + number),
    wabaId: String(2_000_000 + number),
    accessToken: "token",
    appSecret: APP_SECRET,
    verifyToken: "verify",
  });
}

async function addTemplate(db: Db, number: number): Promise<void> {
  const components = JSON.stringify([{ type: "BODY", text: "Hello {{1}}, we have news." }]);
  await db.query(sql`
    insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
      body_variable_count, last_synced_at)
    select workspace_id, ${templateOf(number)}, id, '1', 'news', 'en', 'MARKETING', 'APPROVED', ${components}, 1, now()
    from channel where workspace_id = ${idAt(number, WORKSPACE)}`);
}
