import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { sqlState, type Queryable } from "./database.ts";
import { isPassingFault } from "./passing-fault.ts";
import { SESSION } from "./session.ts";
import { sql } from "./sql.ts";
import { ReadOnlyServer, WritableClient } from "./writable-client.ts";

const FOLDER = path.join(import.meta.dirname, "../../migrations");
// Any number, as long as it is always the same: two processes that start together take turns.
const LOCK = 4_711_001;
/** `nulls not distinct` and the like came with it. */
const OLDEST_MAJOR = 15;
const STARTING_MS = 60_000;
const AGAIN_MS = 250;

export interface Migration {
  readonly name: string;
  readonly text: string;
}

/** The migrations of this version in order: `NNNN_name.sql`, forward only. */
function listMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => ({ name, text: readFileSync(path.join(FOLDER, name), "utf8") }));
}

/** What a start does about a PostgreSQL that is not there yet. */
export interface Patience {
  /** For so long it is tried again when nobody answers there; 0: not at all. */
  readonly unreachableMs: number;
  /** Called once, before the first wait, with what was met. */
  readonly waits: (fault: unknown) => void;
}

const IMPATIENT: Patience = { unreachableMs: 0, waits: () => {} };

/**
 * Brings the schema up to this version under an advisory lock, each migration in its own transaction, and gives
 * the names that were applied. Throws when another version migrated it, and when it cannot serve: before
 * PostgreSQL 15, or in another encoding than UTF8.
 */
export async function migrate(
  connectionString: string,
  patience: Patience = IMPATIENT,
): Promise<string[]> {
  const client = await connectPatiently(connectionString, patience);
  try {
    const { rows: servers } = await client.query<Server>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
              current_setting('server_encoding') as encoding, current_database() as name`,
    );
    for (const server of servers) checkServer(server);
    const done: string[] = [];
    for (;;) {
      const name = await migrateOnce(client);
      if (name === null) return done;
      done.push(name);
    }
  } finally {
    await client.end();
  }
}

/**
 * Applies the next one that is missing and gives its name; null: none is. The lock is the transaction's, as is every
 * setting: a pooler may give each transaction another connection, and keep those connections for others.
 */
async function migrateOnce(client: pg.Client): Promise<string | null> {
  await client.query("begin isolation level read committed");
  try {
    // Another process may be migrating for long, and so may this one.
    await client.query(
      `${SESSION}; set local statement_timeout = 0; set local client_min_messages = warning`,
    );
    await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
    await client.query(
      "create table if not exists migration (name text primary key, applied_at timestamptz not null default now())",
    );
    const { rows } = await client
      .query<{ name: string }>("select name from migration where applied_at is not null")
      .catch((error: unknown) => {
        // 42703: a column is not there.
        throw sqlState(error) === "42703" ? inhabited(error) : error;
      });
    const applied = new Set(rows.map((row) => row.name));
    const known = listMigrations();
    const newest = known.at(-1)?.name ?? "";
    const foreign = [...applied].find((name) => !known.some((one) => one.name === name));
    if (foreign !== undefined) {
      const whose = foreign > newest ? "a newer Parley" : "another version of Parley";
      throw new Error(`the database was migrated by ${whose} (${foreign}); start that version`);
    }
    const next = known.find((one) => !applied.has(one.name));
    if (next) {
      try {
        await client.query(next.text);
      } catch (error) {
        // 42P07: a table of that name is there already.
        if (applied.size === 0 && sqlState(error) === "42P07") throw inhabited(error);
        throw new Error(`migration ${next.name} failed: ${String(error)}`, { cause: error });
      }
      await client.query("insert into migration (name) values ($1)", [next.name]);
    }
    await client.query("commit");
    return next?.name ?? null;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

const inhabited = (cause: unknown): Error =>
  new Error(
    `it has tables of another application; give Parley a database, or a schema, of its own (${String(cause)})`,
    { cause },
  );

/**
 * Connects; to a PostgreSQL that says it is just starting, or recovers from a crash, or takes no writes because another is
 * about to take over, again and again for a minute; to one that nobody reaches (a container that comes up beside ours) for
 * as long as `patience` has. What it refuses (a password, a database that it does not have) stays so: that is thrown at once.
 */
async function connectPatiently(
  connectionString: string,
  { unreachableMs, waits }: Patience,
): Promise<pg.Client> {
  const begun = performance.now();
  for (let first = true; ; first = false) {
    const client = new WritableClient({ connectionString, connectionTimeoutMillis: 10_000 });
    // A cut connection fails the statement in hand; without a listener it would end the process.
    client.on("error", () => {});
    try {
      await client.connect();
      if (client.readOnly) throw new ReadOnlyServer();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      const mostMs = isStarting(error) ? STARTING_MS : isUnreachable(error) ? unreachableMs : 0;
      if (performance.now() - begun >= mostMs) throw error;
      if (first) waits(error);
    }
    await sleep(AGAIN_MS);
  }
}

/** 57P03: cannot connect now. */
const isStarting = (error: unknown): boolean =>
  sqlState(error) === "57P03" || error instanceof ReadOnlyServer;

/** Nobody at its address, not even its name yet, or whoever is in front of it hung up. 08P01: a pooler knows no such user. */
const isUnreachable = (error: unknown): boolean =>
  isPassingFault(error) && sqlState(error) !== "08P01";

interface Server {
  readonly number: number;
  readonly version: string;
  readonly encoding: string;
  readonly name: string;
}

/** What a server that does not fit would answer to the first migration names no cause, or comes with the first Arabic. */
function checkServer({ number, version, encoding, name }: Server): void {
  if (number < OLDEST_MAJOR * 10_000)
    throw new Error(`it is PostgreSQL ${version}, and ${OLDEST_MAJOR} or newer is needed`);
  if (encoding !== "UTF8")
    throw new Error(
      `its encoding is ${encoding}, and UTF8 is needed: create database ${name} encoding 'UTF8' template template0`,
    );
}

/** True when every migration of this version is applied. Throws when the database does not answer. */
export async function isMigrated(db: Queryable): Promise<boolean> {
  const rows = await db
    .query<{ name: string }>(sql`select name from migration`)
    .catch((error: unknown) => {
      // 42P01: not even the list of migrations is there.
      if (sqlState(error) === "42P01") return [];
      throw error;
    });
  const applied = new Set(rows.map((row) => row.name));
  known ??= listMigrations().map(({ name }) => name);
  return known.every((name) => applied.has(name));
}

// Readiness is asked every few seconds; the folder does not change under a running program.
let known: string[] | undefined;
