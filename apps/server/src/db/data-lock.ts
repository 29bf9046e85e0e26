import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { codeOf } from "../lib/private-file.ts";

/** Who uses a data folder: the server, or a command that started the database for itself. */
export interface Holder {
  readonly kind: "server" | "command";
  readonly pid: number;
  readonly since: string;
  /** Where the embedded database listens; null until it answers. */
  readonly databaseUrl: string | null;
}

/** Another process uses this data folder. */
export class DataFolderLocked extends Error {
  readonly holder: Holder | null;
  constructor(folder: string, holder: Holder | null) {
    const who = holder
      ? `by ${holder.kind === "server" ? "a running Parley" : "a parley command"} (process ${holder.pid}, since ${holder.since})`
      : "by another Parley";
    super(`the data folder ${folder} is in use ${who}; stop it or set PARLEY_DATA_DIR`);
    this.name = "DataFolderLocked";
    this.holder = holder;
  }
}

export interface DataLock extends Disposable {
  /** Writes into the folder who holds it and where the database is. */
  describe(holder: Holder): void;
}

const INFO = "instance.json";

/**
 * Locks the data folder for this process, or throws DataFolderLocked. The kernel holds the lock (SQLite's lock on an
 * empty file) and frees it however the process ends. So kill -9 leaves no stale lock, and a process number that was
 * given out again causes no doubt. A file with a process number would have both faults.
 */
export function lockDataFolder(folder: string): DataLock {
  const handle = new DatabaseSync(path.join(folder, "lock"), { timeout: 0 });
  try {
    handle.exec("begin exclusive");
  } catch (error) {
    handle.close();
    if (error instanceof Error && /database is locked/.test(error.message))
      throw new DataFolderLocked(folder, readHolder(folder));
    throw new Error(`the data folder ${folder} cannot be locked: ${String(error)}`, {
      cause: error,
    });
  }
  const file = path.join(folder, INFO);
  writing(file, () => rmSync(file, { force: true }));
  return {
    describe(holder) {
      writing(file, () => {
        writeFileSync(`${file}.new`, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
        renameSync(`${file}.new`, file);
      });
    },
    [Symbol.dispose]() {
      rmSync(file, { force: true });
      handle.close();
    },
  };
}

/** Runs `act`. When the file cannot be written (a read-only or full disk), the error names the setting. */
function writing(file: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new Error(
      `PARLEY_DATA_DIR takes a folder that can be written; ${file} cannot be (${codeOf(error)})`,
      { cause: error },
    );
  }
}

/**
 * What the holder wrote about itself, or null. It is true only while the lock is held: a killed process leaves its last
 * words.
 */
export function readHolder(folder: string): Holder | null {
  try {
    const told = JSON.parse(readFileSync(path.join(folder, INFO), "utf8")) as Partial<Holder>;
    const { kind, pid, since, databaseUrl } = told;
    if ((kind !== "server" && kind !== "command") || typeof pid !== "number") return null;
    return {
      kind,
      pid,
      since: typeof since === "string" ? since : "?",
      databaseUrl: typeof databaseUrl === "string" ? databaseUrl : null,
    };
  } catch {
    return null;
  }
}
