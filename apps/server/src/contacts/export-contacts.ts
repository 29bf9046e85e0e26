import type { Context } from "../context.ts";
import { sql, type Sql } from "../db/sql.ts";
import { parseContact, type Contact } from "./contact.ts";
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

/**
 * All contacts of a workspace, newest first, as lines of CSV (RFC 4180, CRLF, header first, UTF-8 without a mark), page
 * by page along the key, so that memory does not grow and nothing is locked. `where` narrows it to a segment's
 * condition over `contact c`. Attributes are one column of JSON, so that an import brings back what was exported. A
 * cell that a spreadsheet would take for a formula starts with an apostrophe, which the import takes away again.
 */
export async function* exportContacts(
  context: Pick<Context, "db">,
  workspaceId: string,
  options: { readonly where?: Sql } = {},
): AsyncGenerator<string> {
  const where = options.where ?? sql`true`;
  yield `${COLUMNS.join(",")}\r\n`;
  let before: string | null = null;
  for (;;) {
    const documents: string[] = await exportPage(context.db, workspaceId, where, before, PAGE);
    for (const document of documents) {
      const contact = parseContact(document);
      before = contact.id;
      yield csvLine(COLUMNS.map((column) => textOf(contact, column)));
    }
    if (documents.length < PAGE) return;
  }
}

function textOf(contact: Contact, column: (typeof COLUMNS)[number]): string {
  if (column === "tags") {
    const plain = contact.tags.every((tag) => !/[,;|]|^\[/.test(tag));
    return plain ? contact.tags.join(";") : JSON.stringify(contact.tags);
  }
  if (column === "attributes") return JSON.stringify(contact.attributes);
  return String(contact[column] ?? "");
}
