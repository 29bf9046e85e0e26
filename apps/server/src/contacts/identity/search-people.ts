import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { isId, MAX_ID } from "../../lib/ids.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { foldText } from "../record/contact.ts";
import { writtenPhone } from "../record/list-contacts.ts";
import { selectPeople } from "../record/people-search-store.ts";
import { findContacts } from "./find-contact.ts";

export interface FoundPeople {
  readonly items: readonly ContactJson[];
  /** There are at least this many; counted up to 1,000. */
  readonly total: number;
  /** Whether `total` is exact. */
  readonly exact: boolean;
  readonly nextCursor: string | null;
}

/** A search stops counting here. */
const MOST = 1_000;

/**
 * Contacts with the text in their name, e-mail or phone, the newest first. Takes the time of one page however many
 * contacts fit, because frequent texts are not counted. Throws VALIDATION_FAILED for a wrong cursor.
 */
export async function searchPeople(
  context: Pick<Context, "db">,
  workspaceId: string,
  search: string,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<FoundPeople> {
  const { cursor, limit } = page;
  if (cursor !== undefined && !isId(cursor)) throw invalid("cursor", "must be a nextCursor");
  const text = search.trim();
  if (text === "") return { items: [], total: 0, exact: true, nextCursor: null };
  const term = { text: foldText(text), phone: writtenPhone(text) };
  const window = { before: cursor ?? MAX_ID, limit: limit + 1, most: MOST };
  const found = await selectPeople(context.db, workspaceId, term, window);
  const ids = found.ids.slice(0, limit);
  const contacts = await findContacts(context.db, workspaceId, ids);
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  return {
    items: ids.flatMap((id) => byId.get(id) ?? []),
    total: found.total,
    exact: found.exact,
    nextCursor: found.ids.length > limit ? (ids.at(-1) ?? null) : null,
  };
}
