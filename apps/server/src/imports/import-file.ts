import type { ImportFormat } from "../contacts/import/import-rows.ts";
import type { ImportOptions } from "../contacts/import/run-import.ts";
import type { Encoding, ImportFileState } from "../wire/words.ts";

/** Why an import fails that came nowhere in all its tries. */
export const GAVE_UP = "it could not be read or stored, ten times in a row";
/** Why an import fails whose uploader may no longer import contacts. */
export const NOT_ALLOWED = "the member who uploaded it may no longer import contacts";

/** The same of a key that was revoked, has expired or lacks the scope. */
export const KEY_NOT_ALLOWED = "the key that uploaded it may no longer import contacts";

/** Why an import fails whose file is no longer there. */
export const GONE = "the file is gone";

/** How a started file is read: the import's options, and the encoding, which a person may have corrected. */
export type FileOptions = ImportOptions & { readonly encoding: Encoding };

/** A file of contacts that a member or a key uploaded. */
export interface ImportFileRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly mediaId: string;
  readonly fileName: string;
  readonly fileSize: number;
  /** SHA-256 of its bytes in hex. */
  readonly sha256: string;
  readonly format: ImportFormat;
  readonly encoding: Encoding;
  readonly state: ImportFileState;
  readonly options: FileOptions | null;
  /** Why it failed. */
  readonly reason: string | null;
  /** The import of its rows; null until a worker had it. */
  readonly importId: string | null;
  readonly bytesRead: number;
  /** When the present run began, and after how many rows. */
  readonly runAt: Date | null;
  readonly runRows: number;
  readonly tries: number;
  /** The member or the key who uploaded it, as the audit names it. */
  readonly author: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

/** The format by a file's name; null for a name with an unknown ending. */
export function formatOfName(name: string): ImportFormat | null {
  const ending = /\.(csv|tsv|txt|jsonl)$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === undefined) return null;
  return ending === "jsonl" ? "jsonl" : "csv";
}
