import type { Queryable } from "../../db/database.ts";
import { isId } from "../../lib/ids.ts";
import { foldText } from "./contact.ts";
import { ledgerPhones } from "../consent/opted-out-store.ts";
import { spellingsOf } from "../identity/other-spelling.ts";
import {
  knownIds,
  selectAddresses,
  selectIdentities,
  selectLeftBehind,
  selectOthers,
} from "./person-store.ts";

/** An id of a person on one of our channels. */
export interface KnownIdentity {
  readonly channelId: string;
  readonly externalId: string;
  readonly isNumber: boolean;
  readonly since: Date;
  /** The person has another id since then. */
  readonly retiredAt: Date | null;
}

/** One person among the contacts of a workspace, with every name that others may use. */
export interface Person {
  readonly workspaceId: string;
  /** As the contact is known now. */
  readonly contactId: string;
  /** The present id and the ids of all contacts merged into it: older rows have those. */
  readonly ids: readonly string[];
  /** False: the contact was deleted, and what it left is still there. */
  readonly alive: boolean;
  /** Digits of numbers, in each spelling, that are this person's and no other contact's. */
  readonly phones: readonly string[];
  /** Digits of former numbers that belong to another contact by now. */
  readonly pastPhones: readonly string[];
  /** Folded e-mail addresses that nobody else has. */
  readonly emails: readonly string[];
  readonly identities: readonly KnownIdentity[];
  /** Ids on platforms: those of identities and the one of the contact's record. */
  readonly externalIds: readonly string[];
  /** Other contacts with the same number or e-mail address: perhaps the same person, perhaps family. */
  readonly alike: readonly string[];
}

/**
 * The person that a contact id means, over any number of merges. A deleted contact still counts, by the ids in its
 * ledger and by `numbers` (addresses of its conversations). Null for a malformed id.
 */
export async function findPerson(
  db: Queryable,
  workspaceId: string,
  id: string,
  numbers: readonly string[] = [],
): Promise<Person | null> {
  if (!isId(id)) return null;
  const ids = await knownIds(db, workspaceId, id);
  const identities = await selectIdentities(db, workspaceId, ids);
  // Only a sign-in on a site leaves another contact behind.
  if (identities.some((one) => one.externalId.startsWith("user:")))
    ids.push(...(await selectLeftBehind(db, workspaceId, ids)));
  const addresses = await selectAddresses(db, workspaceId, ids);
  const candidates = [
    ...addresses.flatMap(({ phone }) => (phone === null ? [] : [phone])),
    ...identities.flatMap((one) => (one.isNumber ? [one.externalId] : [])),
    ...(await ledgerPhones(db, workspaceId, ids)),
    ...numbers,
  ];
  const all = [...new Set(candidates.flatMap(spellingsOf))];
  const mails = [
    ...new Set(addresses.flatMap(({ email }) => (email === null ? [] : [foldText(email)]))),
  ];
  const others = await selectOthers(db, workspaceId, ids, { phones: all, emails: mails });
  const taken = new Set(others.map((one) => one.phone));
  const shared = new Set(others.map((one) => one.email));
  return {
    workspaceId,
    contactId: ids[0] ?? id,
    ids,
    alive: addresses.some((one) => one.alive),
    phones: all.filter((phone) => !taken.has(phone)),
    pastPhones: all.filter((phone) => taken.has(phone)),
    emails: mails.filter((email) => !shared.has(email)),
    identities,
    externalIds: [
      ...new Set([
        ...identities.map((one) => one.externalId),
        ...addresses.flatMap(({ externalId }) => (externalId === null ? [] : [externalId])),
      ]),
    ],
    alike: [...new Set(others.map((one) => one.id))],
  };
}
