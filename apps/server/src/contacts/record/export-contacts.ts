import { permitRight } from "../../policies.ts";
import { type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { parseContact } from "./contact.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { EXPORT_FIELDS } from "../../wire/contact-export.ts";
import { recorded } from "../../workspaces/record-export.ts";
import { csvLine } from "./csv-cell.ts";
import { exportPage } from "./export-store.ts";

const PAGE = 1_000;
type Column = (typeof EXPORT_FIELDS)[number];

/** Which contacts: a condition over `contact c`, and what the audit says of it. */
export interface ContactSelection {
  readonly where?: Sql;
  /** The saved segment that it is from. */
  readonly segment?: string;
  /** The fields that the condition asks for. */
  readonly fields?: readonly string[];
  /** The members of a contact that are written; all without it. */
  readonly columns?: readonly Column[];
  /** CSV, or one JSON object in each line. */
  readonly format?: "csv" | "jsonl";
}

/**
 * All contacts of a workspace, newest first, as CSV (RFC 4180, CRLF, header first, UTF-8 without a mark) or JSON Lines. Reads
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
  const { where = sql`true`, columns = EXPORT_FIELDS, format = "csv", ...filter } = selection;
  const tally = { count: 0 };
  const lines = contactLines(actor, context, workspaceId, { where, columns, format }, tally);
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
  { where, columns, format }: Required<Pick<ContactSelection, "where" | "columns" | "format">>,
  tally: { count: number },
): AsyncGenerator<string> {
  permitRight(actor, "contact.export");
  const lineOf = format === "csv" ? csvOf(columns) : jsonOf(columns);
  yield format === "csv" ? `${columns.join(",")}\r\n` : "";
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

const csvOf =
  (columns: readonly Column[]) =>
  (contact: ContactJson): string =>
    csvLine(columns.map((column) => textOf(contact, column)));

const jsonOf =
  (columns: readonly Column[]) =>
  (contact: ContactJson): string =>
    `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, contact[column]])))}\n`;

function textOf(contact: ContactJson, column: Column): string {
  if (column === "tags") {
    // The characters that the import reads in a special way: separators, lists, quotes, and the star of Google's
    // groups (`readTags`).
    const plain = contact.tags.every((tag) => !/[,;|،؛]|:::|^[["*]/.test(tag));
    return plain ? contact.tags.join(";") : JSON.stringify(contact.tags);
  }
  if (column === "attributes") return JSON.stringify(contact.attributes);
  return String(contact[column] ?? "");
}
