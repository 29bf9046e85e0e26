import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openContext, type OpenContext } from "../open-context.ts";
import { loadConfig, parseConfig, readEnvironment, type Config } from "../config.ts";
import { DataFolderLocked, readHolder } from "../db/data-lock.ts";
import { startEmbedded } from "../db/embedded.ts";
import { checkMasterKey, followMasterKey } from "../db/check-master-key.ts";
import { isMigrated, migrate, readSchemaState, SchemaDrift } from "../db/migrate.ts";
import { openDatabase, QueryTimeout, sqlState } from "../db/database.ts";
import { isPassingFault } from "../db/passing-fault.ts";
import { lastFault } from "../db/postgres-probe.ts";
import { awaitLastSharer, shareDatabase } from "../db/share-database.ts";
import { unusableDatabase } from "../db/unusable-database.ts";
import { createLogger } from "../lib/logger.ts";

/** The time for a server that is just starting to answer. */
const PATIENCE_MS = 20_000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The database that a command works on, and how to leave it. */
export interface Reached {
  readonly config: Config;
  readonly databaseUrl: string;
  /** True when nobody else runs on the data folder, so that the command started the database itself. */
  readonly alone: boolean;
  close(): Promise<void>;
}

/**
 * Finds the database. With DATABASE_URL it is that one. Otherwise it is the embedded one: through the socket of the
 * process that runs it, or started for this command under the same lock.
 */
export async function reachDatabase(config: Config): Promise<Reached> {
  if (config.databaseUrl !== undefined)
    return { config, databaseUrl: config.databaseUrl, alone: false, close: async () => {} };
  const log = createLogger("silent");
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    const starting = startEmbedded({ dataDir: config.dataDir, kind: "command", log });
    // An interrupted command stops its database too, even one that is just starting. What was not committed is undone.
    const interrupted = () =>
      void starting
        .then((embedded) => embedded.stop())
        .catch(() => {})
        .finally(() => process.exit(130));
    for (const signal of SIGNALS) process.on(signal, interrupted);
    try {
      const embedded = await starting;
      // Another command may share the database meanwhile. It is allowed to finish, however long that takes.
      const close = async () => {
        await awaitLastSharer(embedded.url);
        await embedded.stop();
        for (const signal of SIGNALS) process.off(signal, interrupted);
      };
      return { config, databaseUrl: embedded.url, alone: true, close };
    } catch (error) {
      for (const signal of SIGNALS) process.off(signal, interrupted);
      if (!(error instanceof DataFolderLocked)) throw error;
      const databaseUrl = readHolder(config.dataDir)?.databaseUrl ?? null;
      const leave = databaseUrl !== null ? await shareDatabase(databaseUrl) : null;
      if (databaseUrl !== null && leave !== null) {
        if (await answers(databaseUrl)) return { config, databaseUrl, alone: false, close: leave };
        await leave();
      }
      if (Date.now() > deadline) throw error;
    }
  }
}

async function answers(databaseUrl: string): Promise<boolean> {
  const db = openDatabase({ connectionString: databaseUrl, poolSize: 1 });
  try {
    return await isMigrated(db);
  } catch {
    return false;
  } finally {
    await db.close();
  }
}

/**
 * Throws when the settings name a data folder without data. Most often the server was started with others, and a command
 * that made a database there would find nothing in it.
 */
export function requireData(): void {
  const { databaseUrl, dataDir } = parseConfig(readEnvironment());
  if (databaseUrl !== undefined) return;
  // A server that is starting for the first time has its lock already.
  if (["postgres", "lock"].some((name) => existsSync(path.join(dataDir, name)))) return;
  throw new Error(
    `there is no data at ${dataDir}: set PARLEY_DATA_DIR (or DATABASE_URL) as for the server. A new installation begins with its start, or with: parley workspace create`,
  );
}

/** How a command uses the app. */
export interface UseOfApp {
  readonly inBackground?: boolean;
  readonly checksSchema?: boolean;
  /** The command rotates the master key, so it may not know the next one yet. */
  readonly rotates?: boolean;
  /** It may begin a new installation, where no data are yet. Every other command is refused there. */
  readonly begins?: boolean;
}

/**
 * Runs `work` on the app of these settings, without workers and without HTTP, and leaves everything as it was found.
 * Throws `SchemaDrift` when the schema is not this version's. That is checked when the command runs the database
 * itself. Beside a server it is checked only with `checksSchema`, because reading the catalogue takes as long as a
 * small command.
 */
export async function withApp<T>(
  work: (app: OpenContext, reached: Reached) => Promise<T>,
  how: UseOfApp = {},
): Promise<T> {
  if (how.begins !== true) requireData();
  const { config, secrets } = loadConfig();
  const reached = await reachDatabase(config);
  try {
    if (reached.alone) await migrate(reached.databaseUrl);
    const log = createLogger("silent");
    await using app = await openContext({ ...config, databaseUrl: reached.databaseUrl }, secrets, {
      log,
      operator: true,
      ...how,
    });
    const migrated = await isMigrated(app.db).catch((error: unknown) => {
      throw unusableDatabase(config.databaseUrl, error);
    });
    if (!migrated)
      throw new Error("the database is not migrated to this version; run: parley migrate");
    if (how.checksSchema) {
      const schema = await readSchemaState(app.db);
      if (schema.kind === "drifted") throw new SchemaDrift(schema.differences);
    }
    await checkMasterKey(app.db, app.sealer, how);
    // A command that takes long may see a rotation begin.
    const following = new AbortController();
    const followed = followMasterKey({ ...app, keyring: app.sealer }, following.signal);
    try {
      return await work(app, reached);
    } finally {
      following.abort();
      await followed;
    }
  } catch (error) {
    throw reached.alone && isLost(error) ? ended(config, error) : error;
  } finally {
    await reached.close();
  }
}

/** Whether the connection broke, or PostgreSQL said that it ends. */
const isLost = (error: unknown): boolean =>
  isPassingFault(error) &&
  !(error instanceof QueryTimeout) &&
  /^(57P0.)?$/.test(sqlState(error) ?? "");

/**
 * The error for a command whose own database ended under it. The database's log has the reason; the connection's "read
 * ECONNRESET" has none.
 */
function ended({ dataDir }: Config, cause: unknown): Error {
  const log = path.join(dataDir, "postgres.log");
  return new Error(`the database ended: ${lastFault(log)} (see ${log})`, { cause });
}

/**
 * Runs work that may take long and read or change much. It gives way to the server's requests (`lib/background.ts`).
 */
export const inBackground = <T>(
  work: (app: OpenContext, reached: Reached) => Promise<T>,
): Promise<T> => withApp(work, { inBackground: true });
