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
  /** At least so many; counted to 1,000. */
  readonly total: number;
  /** Whether there are no more than `total`. */
  readonly exact: boolean;
  readonly nextCursor: string | null;
}

/** A search does not count on. */
const MOST = 1_000;

/**
 * Contacts whose name, e-mail or phone contains the text, the newest first, in the time of a page however many there are: what
 * is common is not counted. Throws VALIDATION_FAILED for a wrong cursor.
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
