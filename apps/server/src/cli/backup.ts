import { createHash, randomBytes, type Hash } from "node:crypto";
import { createWriteStream, existsSync, rmSync } from "node:fs";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Command } from "commander";
import { loadSecrets, parseConfig, readEnvironment } from "../config.ts";
import type { OpenContext } from "../open-context.ts";
import { createSealer } from "../lib/seal.ts";
import { sqlState, type Tx } from "../db/database.ts";
import { storeBackupMade } from "../db/backup-made.ts";
import { checkMasterKey } from "../db/check-master-key.ts";
import { applyMigrations, rebuildSchema } from "../db/rebuild-schema.ts";
import { sql } from "../db/sql.ts";
import { LostCommit } from "../lib/lost-commit.ts";
import { lockEmpty } from "../workspaces/find-workspace.ts";
import { listMigrations } from "../db/migrations.ts";
import {
  alignSequences,
  deferReferences,
  listTables,
  readRows,
  writeRows,
  type Table,
} from "./backup-store.ts";
import { Damaged, FORMAT, type Header } from "./backup-format.ts";
import { openBackup, readParts } from "./backup-reader.ts";
import { sealing, sealOf } from "./backup-seal.ts";
import { fileFault } from "./file-fault.ts";
import { FileWriter, readFiles, removeFiles, type FileMark } from "./backup-files.ts";
import { print } from "./command-line.ts";
import { haltEverything } from "./halt-everything.ts";
import { withApp } from "./open-app.ts";
import { appliedMigrations } from "../db/migrate.ts";

interface Json {
  readonly json?: boolean;
}

/** `parley backup FILE`, `parley backup verify FILE` */
export function registerBackup(command: Command): void {
  command
    .option("--encrypt", "encrypt it; every backup is, so this changes nothing")
    .option("--json", "print one JSON document")
    .action(async (file: string, options: Json) =>
      print(options, await withApp((app) => backup(app, file))),
    );
  command
    .command("verify <file>")
    .description("read a backup from its beginning to its end, and restore nothing")
    .option("--unsealed", "read a backup of an older version, which has no seal")
    .option("--json", "print one JSON document")
    .action(async (file: string, _options: object, own: Command) => {
      const options = own.optsWithGlobals<Json & Trust>();
      // Only the key is needed: the machine that keeps the copies may have no database.
      print(options, await verify({ sealer: sealerOfSettings() }, file, options));
    });
}

/** Opens what the master key of the settings sealed. Throws when there is none; it makes none. */
function sealerOfSettings() {
  const environment = readEnvironment();
  const config = parseConfig(environment);
  const file = path.join(config.dataDir, "master.key");
  if (!environment.has("PARLEY_MASTER_KEY") && !existsSync(file))
    throw new Error(
      `verifying needs the master key of the backup: set PARLEY_MASTER_KEY, or PARLEY_DATA_DIR to the folder that has it (${file} is missing)`,
    );
  return createSealer(loadSecrets(config, environment).masterKey);
}

interface Trust {
  readonly unsealed?: boolean;
}

/** `parley restore FILE` */
export function registerRestore(command: Command): void {
  command
    .option("--unsealed", "restore a backup of an older version, which has no seal")
    .option("--json", "print one JSON document")
    .action(async (file: string, options: Json & Trust) =>
      print(options, await withApp((app) => restore(app, file, options), { begins: true })),
    );
}

/**
 * Writes a header and then, zipped and sealed, lines: each table with its name and rows; each file of the data folder with
 * its bytes; an end with the counts. All rows are of one moment. Files in an object store are not included: the store
 * keeps them. When it was made is stored for `parley doctor`.
 */
export async function backup(app: OpenContext, file: string): Promise<object> {
  const place = await placeOf(file);
  // The process id keeps two backups to the same file apart.
  const draft = `${place}.${process.pid}.partial`;
  const forget = forgetWhenInterrupted(draft);
  let rows = 0;
  let files = 0;
  const elsewhere = app.config.s3 !== undefined;
  try {
    await app.db.transaction(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read read only`);
      const header = {
        parley: "backup",
        format: FORMAT,
        migrations: await appliedMigrations(tx),
        createdAt: app.clock.now().toISOString(),
        key: app.sealer.mark,
        salt: randomBytes(32).toString("base64"),
      } satisfies Header;
      const lines = async function* () {
        for (const table of await listTables(tx)) {
          yield `${JSON.stringify({ table: table.name, columns: table.columns })}\n`;
          for await (const page of readRows(tx, table)) {
            rows += page.length;
            yield `${page.join("\n")}\n`;
          }
        }
        if (!elsewhere)
          for await (const line of readFiles(app, tx)) {
            if (line.startsWith("{")) files++;
            yield line;
          }
        yield `${JSON.stringify({ end: true, rows, files })}\n`;
      };
      const line = JSON.stringify(header);
      const target = createWriteStream(draft, { mode: 0o600, flush: true });
      target.write(`${line}\n`);
      const seal = sealing(sealOf(app.sealer, line, header.salt));
      await pipeline(Readable.from(lines()), createGzip(), seal, target);
    });
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    const fault = fileFault(error, file);
    throw fault === null ? error : new Error(fault, { cause: error });
  } finally {
    forget();
  }
  // The backup is whole, also where the database went away since.
  const isNoted = await storeBackupMade(app.db, { at: app.clock.now(), rows, files }).then(
    () => true,
    () => false,
  );
  const key = `the master key is not in it: keep it apart, restoring needs it${isNoted ? "" : "; parley doctor does not know of this backup, because the database was away"}`;
  const note = elsewhere ? `${key}; the files of messages are not in it: they are in S3` : key;
  return { file, rows, files, note };
}

/**
 * The file to which the backup is written: a link is followed. Throws when something other than a file is there,
 * because the rename would replace it, even a device.
 */
async function placeOf(file: string): Promise<string> {
  const place = await realpath(file).catch(() => null);
  if (place === null) return file;
  if (!(await stat(place)).isFile())
    throw new Error(`${file} exists and is not a file: name a file to write the backup to`);
  return place;
}

/**
 * Removes the unfinished backup when the command is interrupted. Then ends the command, unless another handler does so
 * after tidying up. Gives a function that ends this.
 */
function forgetWhenInterrupted(draft: string): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const interrupted = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    if (process.listenerCount(signal) === 0) process.exit(130);
  };
  for (const signal of signals) process.once(signal, interrupted);
  return () => {
    for (const signal of signals) process.off(signal, interrupted);
  };
}

/**
 * Reads a whole backup and compares every file with its hash. The seal shows that it is what was written. Throws one
 * sentence when it is not.
 */
async function verify(
  keys: Parameters<typeof openBackup>[0],
  file: string,
  trust: Trust,
): Promise<object> {
  const { header, lines } = await openBackup(keys, file, trust);
  let rows = 0;
  let files = 0;
  let open: { readonly mark: FileMark; readonly hash: Hash } | undefined;
  const close = () => {
    if (open && open.hash.digest("hex") !== open.mark.sha256)
      throw new Damaged(file, `file ${open.mark.id} is not what it was`);
    open = undefined;
  };
  for await (const part of readParts(file, lines)) {
    if (part.kind === "row") rows++;
    else if (part.kind === "bytes") open?.hash.update(part.line, "base64");
    else {
      close();
      if (part.kind !== "file") continue;
      files++;
      open = { mark: part.file, hash: createHash("sha256") };
    }
  }
  const known = listMigrations().map(({ name }) => name);
  const fits = header.migrations.every((one) => known.includes(one));
  return { file, rows, files, backupOf: header.createdAt, thisVersionRestoresIt: fits };
}

/**
 * Restores the whole backup or nothing, in one transaction. The files stay when it is unknown whether that was
 * committed.
 */
async function restore(app: OpenContext, file: string, trust: Trust): Promise<object> {
  // Opened first, so that a wrong name is reported before anything else.
  await (await open(file)).close();
  const written: FileMark[] = [];
  try {
    return await app.db.transaction((tx) => readBackup(app, tx, file, { trust, written }));
  } catch (error) {
    if (error instanceof LostCommit)
      throw new Error(
        "the connection to the database broke at the very end, and the backup may or may not be restored; run restore once more: it refuses when the backup is restored",
        { cause: error },
      );
    // No row names these files now.
    await removeFiles(app, written);
    throw error;
  }
}

async function readBackup(
  app: OpenContext,
  tx: Tx,
  file: string,
  { trust, written }: { readonly trust: Trust; readonly written: FileMark[] },
): Promise<object> {
  if (!(await lockEmpty(tx)))
    throw new Error(
      `the database is not empty: ${app.config.sharedDatabase === true ? "make an empty one, name it in DATABASE_URL and run parley migrate first" : "restore into a new data folder (PARLEY_DATA_DIR)"}`,
    );
  const { header, lines } = await openBackup(app, file, trust);
  const later = await prepareSchema(tx, header);
  const tables = new Map((await listTables(tx)).map((table) => [table.name, table]));
  const checkReferences = await deferReferences(tx);
  const leftOut: string[] = [];
  let table: Table | undefined;
  let page: string[] = [];
  let rows = 0;
  let open: FileWriter | undefined;
  const flush = async () => {
    if (table && page.length > 0) await storeRows(tx, file, table, page);
    page = [];
    const whole = open;
    open = undefined;
    await whole?.end();
  };
  await using _left = { [Symbol.asyncDispose]: async () => open?.abandon() };
  for await (const part of readParts(file, lines)) {
    if (part.kind === "row") {
      rows++;
      if (page.push(part.line) >= 500) await flush();
    } else if (part.kind === "bytes") await open?.write(part.line);
    else {
      await flush();
      if (part.kind === "file") {
        written.push(part.file);
        open = new FileWriter(app, part.file);
      } else if (part.kind === "table") {
        table = tables.get(part.table);
        // Parley sealed it, so it is a table of the operator's own: earlier backups had those too.
        if (!table && header.format === FORMAT) leftOut.push(part.table);
        else if (!table || table.columns.join() !== part.columns.join())
          throw new Error(`${file} does not fit this version: table ${part.table}`);
      }
    }
  }
  await checkReferences().catch((error: unknown) => {
    throw sqlState(error) === "23503"
      ? new Damaged(file, "a row refers to one that is missing")
      : error;
  });
  await alignSequences(tx);
  if (later.length > 0) {
    await applyMigrations(tx, later);
    await checkMasterKey(tx, app.sealer);
  }
  const halted = await haltEverything(app, tx);
  const said = { file, rows, files: written.length, backupOf: header.createdAt, halted };
  return leftOut.length > 0 ? { ...said, leftOut } : said;
}

/**
 * Stores a page of rows. Every row that this version wrote fits. A row that does not fit is damaged (SQL states 21, 22,
 * 23: values; 54: nested too deep).
 */
async function storeRows(
  tx: Tx,
  file: string,
  table: Table,
  page: readonly string[],
): Promise<void> {
  const misfit = (why: string) => new Damaged(file, `a row of table ${table.name} ${why}`);
  let stored;
  try {
    stored = await writeRows(tx, table, page);
  } catch (error) {
    const state = sqlState(error);
    throw /^(2[123]|54)/.test(state ?? "") ? misfit(`does not fit (${state})`) : error;
  }
  if (stored !== page.length) throw misfit("does not make exactly one row");
}

/**
 * Prepares the empty database for a backup: one of an older version gets the schema of that version. Gives the migrations
 * that follow once the rows are stored. Throws for a backup of a newer version.
 */
async function prepareSchema(tx: Tx, { migrations }: Header): Promise<string[]> {
  const applied = await appliedMigrations(tx);
  const missing = applied.filter((one) => !migrations.includes(one));
  if (!migrations.every((one) => applied.includes(one)))
    throw new Error(
      `the backup is of a newer version (${migrations.at(-1) ?? "none"}, this is ${applied.at(-1) ?? "none"}): restore it with that one`,
    );
  if (missing.length > 0) await rebuildSchema(tx, migrations);
  return missing;
}
