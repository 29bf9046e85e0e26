import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { selectDuplicates, type DuplicateRow } from "./duplicate-store.ts";
import { findContacts } from "./find-contact.ts";

/**
 * Contacts that one statement reads. Where nearly all contacts are unique, a page reads the whole workspace, but
 * not in one statement.
 */
const WINDOW = 20_000;
/** How long a request looks. A million contacts may have no page of duplicates: the next request looks on. */
export const DUPLICATES_PATIENCE_MS = 1_000;

/** Contacts that share an address. */
interface DuplicateGroup {
  readonly address: string;
  /** How many share it. */
  readonly count: number;
  /** The first fifty, oldest first. The oldest is the one to keep, because senders are matched to it. */
  readonly contacts: readonly ContactJson[];
}

export interface DuplicatePage {
  readonly groups: readonly DuplicateGroup[];
  /** Where the next page begins; null when there is none. */
  readonly next: string | null;
}

/**
 * Contacts of a workspace with the same phone, the same e-mail address in any case, or the same external id (an
 * imported contact and the one that wrote), a page at a time in the order of the addresses. The same name alone is
 * no duplicate: nothing is guessed. Throws VALIDATION_FAILED, and `QueryTimeout` after 30 s.
 */
export async function findDuplicates(
  context: Pick<Context, "db">,
  workspaceId: string,
  page: {
    readonly by: "phone" | "email" | "externalId";
    readonly after?: string | undefined;
    readonly limit?: number;
    /** After this time no further window begins: the page has what was found, and where to go on. */
    readonly patienceMs?: number;
  },
  window = WINDOW,
): Promise<DuplicatePage> {
  const { by, after = "", limit = 50, patienceMs = Infinity } = page;
  if (!after.isWellFormed() || after.includes("\0")) throw invalid("after", "must be an address");
  if (!Number.isInteger(limit) || limit < 1 || limit > 200)
    throw invalid("limit", "must be 1 to 200");
  const found: DuplicateRow[] = [];
  const deadline = performance.now() + patienceMs;
  let from: string | null = after;
  while (from !== null && found.length <= limit) {
    const looked = await selectDuplicates(context.db, workspaceId, by, from, window);
    found.push(...looked.groups);
    from = looked.last;
    if (performance.now() > deadline) break;
  }
  const shown = found.slice(0, limit);
  const contacts = await findContacts(
    context.db,
    workspaceId,
    shown.flatMap((row) => row.ids),
  );
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  return {
    groups: shown.map(({ address, count, ids }) => ({
      address,
      count,
      contacts: ids.flatMap((id) => byId.get(id) ?? []),
    })),
    next: found.length > limit ? (shown.at(-1)?.address ?? null) : from,
  };
}
