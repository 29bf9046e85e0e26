import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { write } from "../write.ts";
import { audit } from "./write-audit.ts";

/** What the audit says of an export. */
export interface ExportEntry {
  readonly action:
    | "contacts.exported"
    | "contact.exported"
    | "broadcast.exported"
    | "import_file.exported";
  /** The id of the record whose people were exported; the workspace's for all contacts. */
  readonly subject: string;
  /** The people that were written, and by what they were chosen: ids and names of fields, never what was searched for. */
  readonly facts: {
    readonly count: number;
    readonly segment?: string;
    readonly fields?: readonly string[];
  };
}

type Recording = Pick<Context, "db" | "clock" | "ids">;

/** Writes that people's data left: who took it, how many, and whether the file was read to its end. */
export const recordExport = write(
  "export.record",
  async (
    actor,
    context: Recording,
    workspaceId: string,
    { facts, ...entry }: ExportEntry,
    complete: boolean,
  ): Promise<void> =>
    context.db.transaction((tx) =>
      audit(actor, context, tx, workspaceId, { ...entry, facts: { ...facts, complete } }),
    ),
);

/**
 * Passes on the pieces of an export and writes its entry of the audit when they end, also when the reader breaks off or
 * a piece fails. An export that was refused before its first piece leaves none. Throws what the pieces throw, and fails
 * at its end when the entry cannot be written.
 */
export async function* recorded<T>(
  actor: Actor,
  context: Recording,
  workspaceId: string,
  pieces: AsyncIterable<T>,
  entry: () => ExportEntry,
): AsyncGenerator<T> {
  let begun = false;
  let complete = false;
  try {
    for await (const piece of pieces) {
      begun = true;
      yield piece;
    }
    complete = true;
  } finally {
    if (begun) await recordExport(actor, context, workspaceId, entry(), complete);
  }
}
