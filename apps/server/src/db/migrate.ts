import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { compareCatalogues, readCatalogue } from "./catalogue.ts";
import { sqlState, type Queryable } from "./database.ts";
import { expectedCatalogue, listMigrations, oldestBeside, type Migration } from "./migrations.ts";
import { isPassingFault } from "./passing-fault.ts";
import { SESSION } from "./session.ts";
import { sql, type Sql } from "./sql.ts";
import { VERSION } from "../version.ts";
import { ReadOnlyServer, WritableClient } from "./writable-client.ts";

// Any number will do, as long as it stays the same. Two processes that start together take turns by it.
const LOCK = 4_711_001;
/** The first with `nulls not distinct`. */
const OLDEST_MAJOR = 15;
const STARTING_MS = 60_000;
const AGAIN_MS = 250;
/** How long a migration waits for a lock. Every later statement on the table waits behind it. */
const LOCK_TIMEOUT = "2s";
/** How often a migration tries, and the pause for others in between: a minute in all. */
const LOCKS = { attempts: 20, pause: (): Promise<void> => sleep(1_000) };

/** How long a start waits for a PostgreSQL that is not there yet. */
export interface Patience {
  /** How long to try again while nobody answers there. 0: not at all. */
  readonly unreachableMs: number;
  /** Called once, before the first wait, with the error. */
  readonly waits: (fault: unknown) => void;
}

/** The parts that tests replace. */
interface Conditions {
  readonly known: readonly Migration[];
  readonly locks: typeof LOCKS;
}

const IMPATIENT: Patience = { unreachableMs: 0, waits: () => {} };

/** The schema differs from what this version's migrations make. `differences` are sentences. */
export class SchemaDrift extends Error {
  readonly differences: readonly string[];
  constructor(differences: readonly string[]) {
    super(describeDrift(differences));
    this.differences = differences;
  }
}

/** One line: the first difference, how many more there are, and what to do. */
export function describeDrift(differences: readonly string[]): string {
  const [first = "", ...others] = differences;
  const more = others.length > 0 ? ` (and ${others.length} more: parley doctor names them)` : "";
  return `the schema is not the one that this version makes: ${first}${more}; start the version of Parley that made it, or put back what was changed by hand, or restore a backup into an empty database`;
}

/**
 * Brings the schema up to this version, each migration in its own transaction, under an advisory lock. Returns the
 * names that were applied. Throws when another version migrated it that this one cannot run beside (`oldestBeside`), or when the server cannot serve (before PostgreSQL
 * 15, or another encoding than UTF8). Throws `SchemaDrift`, and applies nothing, when the schema is not what its
 * migrations make.
 */
export async function migrate(
  connectionString: string,
  patience: Patience = IMPATIENT,
  { known = listMigrations(), locks = LOCKS }: Partial<Conditions> = {},
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
      const name = await migratePatiently(client, { known, locks }, done.length === 0);
      if (name === null) return done;
      done.push(name);
    }
  } finally {
    await client.end();
  }
}

/**
 * Runs `migrateOnce` again while others hold a lock that it needs. Each try gives up after two seconds, so that later
 * statements wait no longer, and leaves them a second in between.
 */
async function migratePatiently(
  client: pg.Client,
  { known, locks }: Conditions,
  first: boolean,
): Promise<string | null> {
  for (let attempt = 1; ; attempt++)
    try {
      return await migrateOnce(client, known, first);
    } catch (error) {
      if (!(error instanceof LockedOut) || attempt >= locks.attempts) throw error;
      await locks.pause();
    }
}

/** Another session held a lock that a migration needs for longer than `LOCK_TIMEOUT`. */
class LockedOut extends Error {
  constructor(name: string, cause: unknown) {
    super(
      `migration ${name} did not get its lock in time, again and again: a long transaction, a backup or another program holds a table; end it (see pg_stat_activity) and start again; nothing of this migration was applied`,
      { cause },
    );
  }
}

/**
 * Applies the next missing migration and returns its name, or null when none is missing. The lock and every setting
 * belong to the transaction: a pooler may give each transaction another connection, and lend that connection to others
 * later. The catalogue is compared before the first migration and after the last.
 */
async function migrateOnce(
  client: pg.Client,
  known: readonly Migration[],
  first: boolean,
): Promise<string | null> {
  await client.query("begin isolation level read committed");
  try {
    // This process or another one may migrate for long.
    await client.query(
      `${SESSION}; set local statement_timeout = 0; set local client_min_messages = warning`,
    );
    await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
    await client.query(
      "create table if not exists migration (name text primary key, applied_at timestamptz not null default now())",
    );
    const db = queryable(client);
    const applied = await listApplied(db).catch((error: unknown) => {
      // 42703: undefined_column.
      throw sqlState(error) === "42703" ? inhabited(error) : error;
    });
    const newest = known.at(-1)?.name ?? "";
    const next = known.find(({ name }) => !applied.some((one) => one.name === name));
    const foreign = applied.filter((one) => !isKnown(one, known));
    // The newest says which version is needed. This one may add nothing of its own to a newer one's schema.
    const refuses = foreign.findLast(({ name }) => next !== undefined || !runsBeside(name));
    if (refuses !== undefined) {
      throw new Error(describeForeign(refuses, newest));
    }
    if (applied.length > 0 && (first || next === undefined)) {
      // What a newer version made of the schema, only that one knows.
      const differences =
        foreign.length > 0 ? otherContents(applied, known) : await compare(db, applied, known);
      if (differences.length > 0) throw new SchemaDrift(differences);
    }
    if (next) await apply(client, next, applied);
    await client.query("commit");
    return next?.name ?? null;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/**
 * Applies one migration. The first makes new tables and waits for nobody. Every later one waits two seconds for a lock
 * at most.
 */
async function apply(
  client: pg.Client,
  { name, text, hash }: Migration,
  applied: readonly Applied[],
): Promise<void> {
  const first = applied.length === 0;
  if (!first) await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
  try {
    await client.query(text);
  } catch (error) {
    // 42P07: duplicate_table. 55P03: lock_not_available.
    if (first && sqlState(error) === "42P07") throw inhabited(error);
    if (sqlState(error) === "55P03") throw new LockedOut(name, error);
    throw new Error(`migration ${name} failed: ${String(error)}`, { cause: error });
  }
  // The second migration added the column for the hash, a later one that for the version.
  if (first) await client.query("insert into migration (name) values ($1)", [name]);
  else await client.query("insert into migration (name, hash) values ($1, $2)", [name, hash]);
  if (name === WITH_VERSION || applied.some((one) => one.name === WITH_VERSION))
    await client.query("update migration set version = $2 where name = $1", [name, VERSION]);
}

/** Since this migration each row says which Parley applied it. */
const WITH_VERSION = "0045_migration_version.sql";

/** Why a database is left alone, and which Parley it needs. */
function describeForeign({ name, version }: Applied, newest: string): string {
  const oldest = runsBeside(name) ? null : oldestBeside(name);
  const beside = oldest === null ? "" : `, beside which Parley ${oldest} and newer can run`;
  if (version !== null)
    return `the database was migrated by Parley ${version} (${name})${beside}, and this is Parley ${VERSION}; start Parley ${version}`;
  const whose = name > newest ? "a newer Parley" : "another version of Parley";
  return `the database was migrated by ${whose} (${name}); start that version`;
}

interface Applied {
  readonly name: string;
  /** Null when it was applied before hashes were stored. */
  readonly hash: string | null;
  /** The Parley that applied it. Null when that was before versions were stored. */
  readonly version: string | null;
}

/**
 * The applied migrations in order. The hash and the version are read through JSON, because later migrations added their
 * columns.
 */
const listApplied = (db: Queryable): Promise<Applied[]> =>
  db.query<Applied>(
    sql`select name, to_jsonb(migration) ->> 'hash' as hash, to_jsonb(migration) ->> 'version' as version from migration where applied_at is not null order by name collate "C"`,
  );

const isKnown = ({ name }: Applied, known: readonly Migration[]): boolean =>
  known.some((one) => one.name === name);

/** Whether this version can run beside the one that applied a migration, as the migration's name says. */
function runsBeside(name: string): boolean {
  const oldest = oldestBeside(name);
  return oldest !== null && compareVersions(VERSION, oldest) >= 0;
}

/** Below 0: `a` is the older one of two versions like "1.10.0". */
function compareVersions(a: string, b: string): number {
  const [ours, theirs] = [a, b].map((version) => version.split(".").map(Number));
  const at = ours?.findIndex((part, index) => part !== theirs?.[index]) ?? -1;
  return at === -1 ? 0 : (ours?.[at] ?? 0) - (theirs?.[at] ?? 0);
}

/** The migrations of a newer Parley beside which this one runs: their names, and the newest's version. */
export async function newerMigrations(
  db: Queryable,
): Promise<{ readonly names: readonly string[]; readonly version: string | null } | null> {
  known ??= listMigrations();
  const ours = known;
  const foreign = (await listApplied(db)).filter((one) => !isKnown(one, ours));
  const newest = foreign.at(-1);
  if (newest === undefined) return null;
  return { names: foreign.map(({ name }) => name), version: newest.version };
}

/**
 * The differences of a database that had these migrations (all known): first other hashes of their files, then the
 * catalogue.
 */
async function compare(
  db: Queryable,
  applied: readonly Applied[],
  known: readonly Migration[],
): Promise<string[]> {
  const had = known.filter(({ name }) => applied.some((one) => one.name === name));
  return [
    ...otherContents(applied, known),
    ...compareCatalogues(expectedCatalogue(had), await readCatalogue(db)),
  ];
}

/** The known migrations whose files have another hash than when they were applied, as sentences. */
const otherContents = (applied: readonly Applied[], known: readonly Migration[]): string[] =>
  applied
    .filter(
      ({ name, hash }) =>
        hash !== null && known.some((one) => one.name === name && one.hash !== hash),
    )
    .map(({ name }) => `migration ${name} had other contents when it was applied`);

const queryable = (client: pg.Client): Queryable => ({
  async query<Row extends object>({ text, values }: Sql) {
    const { rows } = await client.query<Row>(text, [...values]);
    return rows;
  },
});

const inhabited = (cause: unknown): Error =>
  new Error(
    `it has tables of another application; give Parley a database, or a schema, of its own (${String(cause)})`,
    { cause },
  );

/**
 * Connects. It tries again for a minute while PostgreSQL is starting, recovers from a crash, or takes no writes because
 * another server is about to take over. While nobody can be reached (a container that starts beside ours), it tries for
 * as long as `patience` allows. What PostgreSQL refuses (a password, a missing database) is thrown at once, because it
 * would stay refused.
 */
async function connectPatiently(
  connectionString: string,
  { unreachableMs, waits }: Patience,
): Promise<pg.Client> {
  const begun = performance.now();
  for (let first = true; ; first = false) {
    const client = new WritableClient({ connectionString });
    // When the connection is cut, the running statement fails. Without a listener the process would end too.
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

/**
 * Nothing answers at the address, the name is still unknown, or a proxy in front of it hung up. 08P01: a pooler knows
 * no such user, which will not change.
 */
const isUnreachable = (error: unknown): boolean =>
  isPassingFault(error) && sqlState(error) !== "08P01";

interface Server {
  readonly number: number;
  readonly version: string;
  readonly encoding: string;
  readonly name: string;
}

/**
 * Checks the server before the first migration. Otherwise an unfit one would fail there without naming the cause, or
 * only with the first Arabic text.
 */
function checkServer({ number, version, encoding, name }: Server): void {
  if (number < OLDEST_MAJOR * 10_000)
    throw new Error(`it is PostgreSQL ${version}, and ${OLDEST_MAJOR} or newer is needed`);
  if (encoding !== "UTF8")
    throw new Error(
      `its encoding is ${encoding}, and UTF8 is needed: create database ${name} encoding 'UTF8' template template0`,
    );
}

export type SchemaState =
  | { readonly kind: "as migrated" }
  /** At least one migration of this version is missing. */
  | { readonly kind: "behind" }
  | { readonly kind: "drifted"; readonly differences: readonly string[] };

/**
 * Whether this version can work with the schema as it is now. A newer Parley may have migrated it further while this
 * process runs. Its migrations leave what this version uses, and this version cannot judge what they add, so that
 * counts as migrated. Throws when the database does not answer.
 */
export async function readSchemaState(db: Queryable): Promise<SchemaState> {
  known ??= listMigrations();
  const applied = await appliedIfAny(db);
  if (!includesAll(applied, known)) return { kind: "behind" };
  if (applied.length > known.length) return { kind: "as migrated" };
  const differences = await compare(db, applied, known);
  if (differences.length === 0) return { kind: "as migrated" };
  // Another process may have applied a migration between reading the list and reading the catalogue.
  const since = await appliedIfAny(db);
  return since.length > applied.length ? { kind: "as migrated" } : { kind: "drifted", differences };
}

/** True when every migration of this version is applied. Throws when the database does not answer. */
export async function isMigrated(db: Queryable): Promise<boolean> {
  known ??= listMigrations();
  return includesAll(await appliedIfAny(db), known);
}

const includesAll = (applied: readonly Applied[], known: readonly Migration[]): boolean =>
  known.every(({ name }) => applied.some((one) => one.name === name));

const appliedIfAny = (db: Queryable): Promise<Applied[]> =>
  listApplied(db).catch((error: unknown) => {
    // 42P01: undefined_table, so not even the list of migrations exists.
    if (sqlState(error) === "42P01") return [];
    throw error;
  });

// Read once: readiness is asked every few seconds, and the folder does not change under a running program.
let known: Migration[] | undefined;

/** The names of the migrations that a database has had. */
export async function appliedMigrations(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`select name from migration order by name`);
  return rows.map(({ name }) => name);
}
