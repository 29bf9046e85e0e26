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
  /** The person has another one since then. */
  readonly retiredAt: Date | null;
}

/** One person among the contacts of a workspace, with every name others may use for it. */
export interface Person {
  readonly workspaceId: string;
  /** As the contact is known now. */
  readonly contactId: string;
  /** That, and every contact that was merged into it: rows of before carry those. */
  readonly ids: readonly string[];
  /** False: the contact was deleted, and what it left is still there. */
  readonly alive: boolean;
  /** Digits, in each spelling of a number, that are this person's and no other contact's. */
  readonly phones: readonly string[];
  /** Digits that were, and are another contact's by now. */
  readonly pastPhones: readonly string[];
  /** Folded; of nobody else. */
  readonly emails: readonly string[];
  readonly identities: readonly KnownIdentity[];
  /** Ids on platforms, those of identities and of the contact's record. */
  readonly externalIds: readonly string[];
  /** Other contacts with the same number or e-mail address: perhaps the same person, perhaps a family. */
  readonly alike: readonly string[];
}

/**
 * The person that a contact id means, over any number of merges. A deleted contact is somebody too, by the ids that its ledger and
 * `numbers` (addresses of its conversations) still show. Null for what is no id.
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
  // Only a sign-in on a site leaves another contact.
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
