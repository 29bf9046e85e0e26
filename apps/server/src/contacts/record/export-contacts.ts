import { permitRight } from "../../policies.ts";
import { type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { parseContact } from "./contact.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { recorded } from "../../workspaces/record-export.ts";
import { csvLine } from "./csv-cell.ts";
import { exportPage } from "./export-store.ts";

const PAGE = 1_000;
const COLUMNS = [
  "id",
  "name",
  "email",
  "phone",
  "notes",
  "tags",
  "attributes",
  "channelType",
  "externalId",
  "optedOut",
  "optedOutAt",
  "lastSeenAt",
  "createdAt",
] as const;

/** Which contacts: a condition over `contact c`, and what the audit says of it. */
export interface ContactSelection {
  readonly where?: Sql;
  /** The saved segment that it is from. */
  readonly segment?: string;
  /** The fields that the condition asks for. */
  readonly fields?: readonly string[];
}

/**
 * All contacts of a workspace, newest first, as CSV (RFC 4180, CRLF, header first, UTF-8 without a mark). Reads
 * page by page along the key, so memory does not grow and nothing is locked; gives way to requests. `where`
 * narrows it to a segment's condition over `contact c`. Attributes are one column of JSON, so that an import reads
 * back what was exported. A cell that a spreadsheet would take for a formula starts with an apostrophe, which the
 * import removes. The audit keeps who took them, their count and the filter. Throws FORBIDDEN at the first piece.
 */
export function exportContacts(
  actor: Actor,
  context: Pick<Context, "background" | "db" | "clock" | "ids">,
  workspaceId: string,
  selection: ContactSelection = {},
): AsyncGenerator<string> {
  const { where = sql`true`, ...filter } = selection;
  const tally = { count: 0 };
  const lines = contactLines(actor, context, workspaceId, where, tally);
  return recorded(actor, context, workspaceId, lines, () => ({
    action: "contacts.exported",
    subject: filter.segment ?? workspaceId,
    facts: { ...tally, ...filter },
  }));
}

async function* contactLines(
  actor: Actor,
  context: Pick<Context, "background">,
  workspaceId: string,
  where: Sql,
  tally: { count: number },
): AsyncGenerator<string> {
  permitRight(actor, "contact.export");
  yield `${COLUMNS.join(",")}\r\n`;
  const { background } = context;
  let before: string | null = null;
  for (let more = true; more;) {
    const size = await background.size(PAGE);
    yield await background.piece(async (db) => {
      const contacts = (await exportPage(db, workspaceId, where, before, size)).map(parseContact);
      before = contacts.at(-1)?.id ?? before;
      more = contacts.length === size;
      tally.count += contacts.length;
      return contacts.map(lineOf).join("");
    });
  }
}

const lineOf = (contact: ContactJson): string =>
  csvLine(COLUMNS.map((column) => textOf(contact, column)));

function textOf(contact: ContactJson, column: (typeof COLUMNS)[number]): string {
  if (column === "tags") {
    // The characters that the import reads in a special way: separators, lists, quotes, and the star of Google's
    // groups (`readTags`).
    const plain = contact.tags.every((tag) => !/[,;|،؛]|:::|^[["*]/.test(tag));
    return plain ? contact.tags.join(";") : JSON.stringify(contact.tags);
  }
  if (column === "attributes") return JSON.stringify(contact.attributes);
  return String(contact[column] ?? "");
}
