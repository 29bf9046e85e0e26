/** The channel types of the contract, as contacts name them (the channels folder stands above this one). */
export const CONTACT_CHANNEL_TYPES = [
  "WHATSAPP",
  "MESSENGER",
  "INSTAGRAM",
  "TELEGRAM",
  "TIKTOK",
  "WEB",
] as const;
export type ContactChannelType = (typeof CONTACT_CHANNEL_TYPES)[number];

export type Attributes = Readonly<Record<string, unknown>>;

/** A contact as the API answers it (spec, Contact). Times are ISO 8601 text. */
export interface Contact {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
  /** Null for a contact that no channel brought: made by the API, by hand or by an import. */
  readonly channelType: ContactChannelType | null;
  /** The customer's id on that channel; null likewise. The phone of such a contact is in `phone` only. */
  readonly externalId: string | null;
  readonly tags: readonly string[];
  readonly attributes: Attributes;
  readonly optedOut: boolean;
  readonly optedOutAt: string | null;
  readonly lastSeenAt: string | null;
  readonly createdAt: string;
}

/** What a caller gives to make a contact (spec, NewContact), before any rule is applied. Null counts as absent. */
export interface NewContact {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly notes?: string | null;
  readonly tags?: readonly string[] | null;
  readonly attributes?: Attributes | null;
}

/** What writers store, rules applied. Times are dates; `search` and the document follow from it. */
export interface ContactRow extends Omit<
  Contact,
  "optedOut" | "optedOutAt" | "lastSeenAt" | "createdAt"
> {
  readonly workspaceId: string;
  readonly optedOutAt: Date | null;
  readonly lastSeenAt: Date | null;
  readonly createdAt: Date;
}

/** The API's view of a row. The stored document (migration, contact_document) says the same; a test compares. */
export function presentContact(row: ContactRow): Contact {
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
export function parseContact(document: string): Contact {
  return JSON.parse(document) as Contact;
}

// Stands between the fields of the search text; folded away in what people type, so that no term spans two fields.
const FIELD_END = "\u001f";

/**
 * The form in which text is searched: lower case, in Node on both sides, because PostgreSQL's lower() follows the
 * locale of the database (`folded` of the migration does not, and says the same). Letters are composed first (NFC): a
 * Mac writes the é of a file as two characters, a telephone as one. The final sigma is one with the other: its lower
 * case depends on its neighbours. The İ of Turkish is an i, of which toLowerCase would make two characters, as others
 * have done: who types ibrahim means İbrahim too.
 */
export function foldText(text: string): string {
  const lower = text.normalize("NFC").replaceAll("İ", "i").toLowerCase();
  return lower.replaceAll("i\u0307", "i").replaceAll("ς", "σ").replaceAll(FIELD_END, " ");
}

/** What the search column holds: name, email and phone, each folded. */
export function searchText(contact: Pick<ContactRow, "name" | "email" | "phone">): string {
  return [contact.name, contact.email, contact.phone]
    .map((part) => foldText(part ?? ""))
    .join(FIELD_END);
}
