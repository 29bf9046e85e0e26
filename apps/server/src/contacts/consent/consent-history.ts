import type { Context } from "../../context.ts";
import { isId, MAX_ID } from "../../lib/ids.ts";
import { erasedForms, numberForms } from "../identity/erased-number.ts";
import { contactPhones } from "./opted-out-store.ts";
import { knownIds } from "../record/person-store.ts";
import { selectConsentHistory, type LedgerEntry, type LedgerPart } from "./consent-store.ts";

/** One row of the consent ledger. */
export interface ConsentEntry {
  readonly at: string;
  readonly optedOut: boolean;
  readonly source: string;
  /** A channel's type (WHATSAPP …) or SMS; null when the change came from no message and no platform. */
  readonly channelType: string | null;
  readonly channelId: string | null;
  /** The word, the platform's code, or the actor (for "api" the public half of the key). */
  readonly detail: string | null;
  /** Null: no contact had the number at that time. */
  readonly contactId: string | null;
  readonly phone: string | null;
  /** A try to opt in that changed nothing, because the customer's own STOP is in force. */
  readonly held: boolean;
  /** How a person knew that the customer asked for an opt-in. */
  readonly evidence: string | null;
  /** Where the customer said so, in the words of the program that changed it. */
  readonly givenSource: string | null;
}

type Who = { readonly contactId: string } | { readonly phone: string };

/**
 * The consent ledger of a contact or of a number (digits), oldest first. It covers the contact, the contacts
 * merged into it and its number, also from before an earlier owner of the number was erased (then `phone` is a
 * hash). Each is looked up by its own index, because one condition with "or" read the workspace's whole ledger. With
 * `newest` only the last so many entries are read.
 */
export async function consentHistory(
  context: Pick<Context, "db" | "sealer">,
  workspaceId: string,
  who: Who,
  { newest = null }: { readonly newest?: number | null } = {},
): Promise<ConsentEntry[]> {
  const entries = await ledgerOf(context, workspaceId, who, { newest, below: MAX_ID, held: true });
  return entries.map(({ id: _id, ...entry }) => entry);
}

/** As `consentHistory`, without tries that were held: the `limit` newest with ids below `below`, the newest first. */
export async function consentPage(
  context: Pick<Context, "db" | "sealer">,
  workspaceId: string,
  contactId: string,
  below: string,
  limit: number,
): Promise<readonly LedgerEntry[]> {
  const part = { newest: limit, below, held: false };
  const entries = await ledgerOf(context, workspaceId, { contactId }, part);
  return entries.toReversed();
}

async function ledgerOf(
  context: Pick<Context, "db" | "sealer">,
  workspaceId: string,
  who: Who,
  part: LedgerPart,
): Promise<LedgerEntry[]> {
  const id = "contactId" in who ? who.contactId : null;
  const phone = "phone" in who ? who.phone : null;
  if (id !== null && !isId(id)) return [];
  const own =
    id === null
      ? []
      : await contactPhones(context.db, workspaceId, await knownIds(context.db, workspaceId, id));
  // Entries from before the number's person was erased still count for the number.
  const erased = [phone, ...own.map((one) => one.phone)].flatMap((one) =>
    one === null ? [] : erasedForms(numberForms(context, workspaceId, one)),
  );
  return selectConsentHistory(context.db, workspaceId, id, phone, erased, part);
}
