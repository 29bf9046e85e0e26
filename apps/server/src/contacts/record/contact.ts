import type { ContactPatch, ContactJson } from "../../wire/contact.ts";

export type Attributes = Readonly<Record<string, unknown>>;

/** The fields of a contact as a caller gives them, before any rule is applied. Null counts as absent. */
export type ContactInput = Omit<ContactPatch, "optedOut">;

/** What is stored, after the rules. Times are dates; `search` and the document are derived from it. */
export interface ContactRow extends Omit<
  ContactJson,
  "optedOut" | "optedOutAt" | "lastSeenAt" | "createdAt"
> {
  readonly workspaceId: string;
  readonly optedOutAt: Date | null;
  readonly lastSeenAt: Date | null;
  readonly createdAt: Date;
}

/** A contact that is about to be created. */
export interface NewContactRow extends ContactRow {
  /** The actor that creates it (`actorName`); null when a message or an import brought it. */
  readonly author: string | null;
}

/** The API's view of a row. The stored document (migration, contact_document) says the same, which a test checks. */
export function presentContact(row: ContactRow): ContactJson {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    notes: row.notes,
    channelType: row.channelType,
    externalId: row.externalId,
    tags: row.tags,
    attributes: row.attributes,
    optedOut: row.optedOutAt !== null,
    optedOutAt: row.optedOutAt?.toISOString() ?? null,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** A stored document back as an object. */
export function parseContact(document: string): ContactJson {
  return JSON.parse(document) as ContactJson;
}

// Separates the fields of the search text. Removed from what people type, so that no term spans two fields.
const FIELD_END = "\u001f";

/**
 * The form in which text is searched: lower case, made in Node on both sides, because PostgreSQL's lower() follows
 * the locale of the database (`folded` of the migration does not, and gives the same). Letters are composed first
 * (NFC): a Mac writes the é of a file as two characters, a phone as one. Both forms of the Greek sigma become one,
 * because the lower case of a sigma depends on its neighbours. The Turkish İ becomes an i, so that a search for
 * ibrahim finds İbrahim too; toLowerCase would make two characters of it, and other programs have stored it so.
 */
export function foldText(text: string): string {
  const lower = text.normalize("NFC").replaceAll("İ", "i").toLowerCase();
  return lower.replaceAll("i\u0307", "i").replaceAll("ς", "σ").replaceAll(FIELD_END, " ");
}

/** The search column: name, email and phone, each folded. */
export function searchText(contact: Pick<ContactRow, "name" | "email" | "phone">): string {
  return [contact.name, contact.email, contact.phone]
    .map((part) => foldText(part ?? ""))
    .join(FIELD_END);
}
