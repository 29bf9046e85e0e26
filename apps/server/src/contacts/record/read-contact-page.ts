import type { Context } from "../../context.ts";
import type { Sql } from "../../db/sql.ts";
import { invalid } from "../../errors.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { findContacts } from "../identity/find-contact.ts";
import { listContacts } from "./list-contacts.ts";
import type { ContactOrder } from "../../wire/words.ts";
import { countUpTo, firstContacts } from "./filtered-page-store.ts";

/** A filtered list, or one by name, ends here. To see more, one narrows the filter. */
const DEEPEST = 10_000;

export interface ContactPage {
  readonly contacts: readonly ContactJson[];
  /** There is a page after this one. */
  readonly more: boolean;
  /** How many contacts the list has; null when that is not known with the page, and is counted separately. */
  readonly total: number | null;
}

/**
 * One page of the contacts that fit a condition over `contact c` (null: all), in an order. Every page of all
 * contacts by time costs the same; every other list has 10,000 contacts at most. Throws VALIDATION_FAILED,
 * `QueryTimeout`.
 */
export async function readContactPage(
  context: Pick<Context, "db">,
  workspaceId: string,
  where: Sql | null,
  asked: { readonly order: ContactOrder; readonly page: number; readonly pageSize: number },
): Promise<ContactPage> {
  const { order, page, pageSize } = asked;
  if (where === null && order === "newest") return newestPage(context, workspaceId, page, pageSize);
  const end = page * pageSize;
  if (end > DEEPEST) throw invalid("page", `must end within the first ${DEEPEST} contacts`);
  const { ids, total } = await firstContacts(context.db, workspaceId, where, order, end + 1);
  const shown = ids.slice(end - pageSize, end);
  const found = await findContacts(context.db, workspaceId, shown);
  const byId = new Map(found.map((contact) => [contact.id, contact]));
  return {
    contacts: shown.flatMap((id) => byId.get(id) ?? []),
    more: ids.length > end,
    total,
  };
}

async function newestPage(
  context: Pick<Context, "db">,
  workspaceId: string,
  page: number,
  pageSize: number,
): Promise<ContactPage> {
  const { total, documents } = await listContacts(context, workspaceId, { page, pageSize });
  const contacts = JSON.parse(`[${documents}]`) as ContactJson[];
  return { contacts, more: page * pageSize < total, total };
}

/**
 * Counts the contacts that fit a condition, up to a thousand: beyond that a list says "1,000+". Null when that
 * takes too long.
 */
export function countFiltered(
  context: Pick<Context, "db">,
  workspaceId: string,
  where: Sql,
  most = 1_001,
): Promise<number | null> {
  return countUpTo(context.db, workspaceId, where, most);
}
