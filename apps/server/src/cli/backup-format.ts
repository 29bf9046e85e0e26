import type { FileMark } from "./backup-files.ts";

/** The version of the format of backups. Those of 2 are zipped lines without a seal. */
export const FORMAT = 3;
const UNSEALED = 2;

/** The first line of a backup. */
export interface Header {
  readonly parley: "backup";
  readonly format: number;
  readonly migrations: readonly string[];
  readonly createdAt: string;
  /**
   * Tells whether a master key is the one with which the secrets in the backup are sealed. It does not reveal the key.
   */
  readonly key: string;
  /** Random bytes from which the key of this backup is made, in base64. Only of sealed ones. */
  readonly salt?: string;
}

/** A backup that differs from what was written. The message is one sentence that names the file. */
export class Damaged extends Error {
  constructor(file: string, what: string) {
    super(`${file} is damaged: ${what}`);
  }
}

/** A line of a backup that is not a row: a table or a file begins, or the backup ends. */
export type Mark =
  | { readonly kind: "table"; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: "file"; readonly file: FileMark }
  | { readonly kind: "end"; readonly rows: number; readonly files: number };

const MARK = /^\{"(table|file|end)":/;

/**
 * Reads the first line. Throws when the file is no backup, when it has another format, or when its header is damaged.
 */
export function readBackupHeader(file: string, line: string, is: "sealed" | "unsealed"): Header {
  const { parley, format, migrations, createdAt, key, salt } = readObject(line) ?? {};
  if (parley !== "backup") throw new Error(`${file} is no backup of Parley`);
  if (typeof format !== "number") throw new Damaged(file, "its header names no format");
  if (format !== (is === "sealed" ? FORMAT : UNSEALED))
    throw new Error(
      `${file} is a backup of another version: restore it with that one, then upgrade`,
    );
  if (!isTexts(migrations)) throw new Damaged(file, "its header names no version");
  if (typeof key !== "string") throw new Damaged(file, "its header names no master key");
  if (typeof createdAt !== "string" || Number.isNaN(Date.parse(createdAt)))
    throw new Damaged(file, "its header names no time");
  const header = { parley, format, migrations, createdAt, key } as const;
  if (is === "unsealed") return header;
  if (typeof salt !== "string") throw new Damaged(file, "its header names no salt");
  return { ...header, salt };
}

/** The mark in a line. Null: the line is a row, or part of a file. Throws `Damaged`. */
export function readMark(file: string, line: string): Mark | null {
  const [, kind] = MARK.exec(line) ?? [];
  if (kind === undefined) return null;
  const { table, columns, file: at, rows, files } = readObject(line) ?? {};
  if (kind === "table" && typeof table === "string" && isTexts(columns))
    return { kind, table, columns };
  if (kind === "file") return { kind, file: readFileMark(file, at) };
  if (kind === "end" && typeof rows === "number" && typeof files === "number")
    return { kind, rows, files };
  throw new Damaged(
    file,
    `the line where ${kind === "end" ? "it ends" : "a table begins"} cannot be read`,
  );
}

function readFileMark(file: string, value: unknown): FileMark {
  const { workspaceId, id, sha256 } = toObject(value) ?? {};
  if (typeof workspaceId !== "string" || typeof id !== "string")
    throw new Damaged(file, "a file in it has no id");
  if (typeof sha256 !== "string") throw new Damaged(file, `file ${id} in it has no hash`);
  return { workspaceId, id, sha256 };
}

function readObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    return toObject(JSON.parse(line));
  } catch {
    return null;
  }
}

const toObject = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === "object" && value !== null ? { ...value } : null;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
