import { permitRight } from "../../policies.ts";
import { type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { parseContact } from "./contact.ts";
import type { ContactJson } from "../../wire/contact.ts";
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
 * All contacts of a workspace, newest first, as CSV (RFC 4180, CRLF, header first, UTF-8 without a mark). Reads
 * page by page along the key, so memory does not grow and nothing is locked; gives way to requests. `where`
 * narrows it to a segment's condition over `contact c`. Attributes are one column of JSON, so that an import reads
 * back what was exported. A cell that a spreadsheet would take for a formula starts with an apostrophe, which the
 * import removes. Throws FORBIDDEN at the first piece.
 */
export async function* exportContacts(
  actor: Actor,
  context: Pick<Context, "background">,
  workspaceId: string,
  options: { readonly where?: Sql } = {},
): AsyncGenerator<string> {
  permitRight(actor, "contact.export");
  const where = options.where ?? sql`true`;
  yield `${COLUMNS.join(",")}\r\n`;
  const { background } = context;
  let before: string | null = null;
  for (let more = true; more;) {
    const size = await background.size(PAGE);
    yield await background.piece(async (db) => {
      const contacts = (await exportPage(db, workspaceId, where, before, size)).map(parseContact);
      before = contacts.at(-1)?.id ?? before;
      more = contacts.length === size;
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
