import { createReadStream, createWriteStream, rmSync } from "node:fs";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Command } from "commander";
import type { OpenContext } from "../open-context.ts";
import { sqlState, type Tx } from "../db/database.ts";
import { masterKeyMark } from "../db/check-master-key.ts";
import { sql } from "../db/sql.ts";
import { LostCommit } from "../lib/lost-commit.ts";
import { lockEmpty } from "../workspaces/find-workspace.ts";
import { listTables, readRows, writeRows, alignSequences, type Table } from "./backup-store.ts";
import { Damaged, FORMAT, readBackupHeader, readMark, type Header } from "./backup-format.ts";
import { FileWriter, readFiles, removeFiles, type FileMark } from "./backup-files.ts";
import { print } from "./command-line.ts";
import { haltEverything } from "./halt-everything.ts";
import { withApp } from "./open-app.ts";
import { appliedMigrations } from "../db/migrate.ts";

/** `parley backup FILE` */
export function registerBackup(command: Command): void {
  command
    .option("--json", "print one JSON document")
    .action(async (file: string, options: { json?: boolean }) =>
      print(options, await withApp((app) => backup(app, file))),
    );
}

/** `parley restore FILE` */
export function registerRestore(command: Command): void {
  command
    .option("--json", "print one JSON document")
    .action(async (file: string, options: { json?: boolean }) =>
      print(options, await withApp((app) => restore(app, file))),
    );
}

/**
 * Writes gzipped lines: a header; each table with its name and rows; each file of the data folder with its bytes; an
 * end with the counts. All rows are of one moment. Files in an object store are not included: the store keeps them.
 */
async function backup(app: OpenContext, file: string): Promise<object> {
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
        key: masterKeyMark(app.sealer),
      } satisfies Header;
      const lines = async function* () {
        yield `${JSON.stringify(header)}\n`;
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
      const target = createWriteStream(draft, { mode: 0o600, flush: true });
      await pipeline(Readable.from(lines()), createGzip(), target);
    });
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    forget();
  }
  const key = "the master key is not in it: keep it apart, restoring needs it";
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
 * Restores the whole backup or nothing, in one transaction. The files stay when it is unknown whether that was
 * committed.
 */
async function restore(app: OpenContext, file: string): Promise<object> {
  // Opened first, so that a wrong name is reported before anything else.
  await (await open(file)).close();
  const written: FileMark[] = [];
  try {
    return await app.db.transaction((tx) => readBackup(app, tx, file, written));
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
  written: FileMark[],
): Promise<object> {
  if (!(await lockEmpty(tx)))
    throw new Error("the database is not empty: restore into a new data folder (PARLEY_DATA_DIR)");
  const tables = new Map((await listTables(tx)).map((table) => [table.name, table]));
  let header: Header | undefined;
  let table: Table | undefined;
  let page: string[] = [];
  let rows = 0;
  let files = 0;
  let open: FileWriter | undefined;
  let ended = false;
  const flush = async () => {
    if (table && page.length > 0) await storeRows(tx, file, table, page);
    page = [];
    const whole = open;
    open = undefined;
    await whole?.end();
  };
  await using _left = { [Symbol.asyncDispose]: async () => open?.abandon() };
  for await (const line of readLines(file)) {
    if (!header) {
      header = checkHeader(app, readBackupHeader(file, line), await appliedMigrations(tx));
      continue;
    }
    if (ended) throw new Damaged(file, "something follows its end");
    const mark = readMark(file, line);
    if (mark !== null) {
      await flush();
      if (mark.kind === "file") {
        files++;
        written.push(mark.file);
        open = new FileWriter(app, mark.file);
      } else if (mark.kind === "end") {
        if (mark.rows !== rows || mark.files !== files)
          throw new Damaged(file, "it lacks rows or files");
        ended = true;
      } else {
        table = tables.get(mark.table);
        if (!table || table.columns.join() !== mark.columns.join())
          throw new Error(`${file} does not fit this version: table ${mark.table}`);
      }
    } else if (open) {
      await open.write(line);
    } else {
      if (!table) throw new Damaged(file, "a row of it belongs to no table");
      rows++;
      if (page.push(line) >= 500) await flush();
    }
  }
  if (!header) throw new Error(`${file} is no backup of Parley: it is empty`);
  if (!ended) throw new Damaged(file, "its end is missing");
  await alignSequences(tx);
  const halted = await haltEverything(tx, app.clock.now());
  return { file, rows, files, backupOf: header.createdAt, halted };
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

async function* readLines(file: string): AsyncGenerator<string> {
  const unzipped = createGunzip();
  const reading = pipeline(createReadStream(file), unzipped).catch((error: unknown) => {
    unzipped.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  // Iterated by hand, because readline ends silently when its input fails.
  let rest = "";
  unzipped.setEncoding("utf8");
  try {
    for await (const chunk of unzipped) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  } catch (error) {
    // zlib's own message ("incorrect header check") says neither which file it is nor what is wrong with it.
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} is no backup of Parley, or damaged: ${why}`, { cause: error });
  }
  await reading;
}

function checkHeader(app: OpenContext, header: Header, applied: readonly string[]): Header {
  const { migrations, key } = header;
  if (migrations.join() !== applied.join())
    throw new Error(
      `the backup is of another version (${migrations.at(-1) ?? "none"}, this is ${applied.at(-1) ?? "none"}): restore it with that one, then upgrade`,
    );
  if (key !== masterKeyMark(app.sealer))
    throw new Error(
      "the backup was sealed with another master key: put that one into the data folder or PARLEY_MASTER_KEY",
    );
  return header;
}
