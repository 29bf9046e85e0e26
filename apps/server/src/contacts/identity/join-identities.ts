import type { Tx } from "../../db/database.ts";
import type { ChannelType } from "../../wire/words.ts";
import { lockPeople } from "./identity-store.ts";
import { selectIdentityHolders, selectIdsOf, writeHolder } from "./joining-store.ts";

export interface JoinedIdentities {
  /** The contact that both ids lead to; null when neither id is known yet. */
  readonly contactId: string | null;
  /** The contact that the first id led to before, if it was another one. It keeps everything but the id. */
  readonly formerId: string | null;
}

/**
 * Makes two ids on one channel the same person. `from` is the anonymous id, `to` the proven one. `from` then leads
 * to the contact of `to`; when only `from` is known, `to` leads to the contact of `from`. The rows of contacts
 * stay as they are. Two proven people are never joined: when the contact of `from` has another `isProven` id than
 * `to`, nothing happens. Takes turns with the receipt of messages from either.
 */
export async function joinIdentities(
  tx: Tx,
  ids: {
    readonly workspaceId: string;
    readonly channelId: string;
    readonly channelType: ChannelType;
    readonly from: string;
    readonly to: string;
    readonly at: Date;
  },
  isProven: (externalId: string) => boolean,
): Promise<JoinedIdentities> {
  const { from, to, at } = ids;
  const sighting = { ...ids, phone: null, name: null, seen: false };
  await lockPeople(tx, [
    { ...sighting, externalId: from },
    { ...sighting, externalId: to },
  ]);
  const holders = await selectIdentityHolders(tx, ids, [from, to]);
  const former = holders.get(from) ?? null;
  const holder = holders.get(to) ?? null;
  if (former === holder) return { contactId: holder, formerId: null };
  if (former === null && holder !== null) {
    await writeHolder(tx, ids, from, holder, at);
    return { contactId: holder, formerId: null };
  }
  if (former === null) return { contactId: null, formerId: null };
  const known = await selectIdsOf(tx, ids, former);
  if (known.some((one) => isProven(one) && one !== to))
    return { contactId: holder, formerId: null };
  if (holder === null) {
    await writeHolder(tx, ids, to, former, at);
    return { contactId: former, formerId: null };
  }
  await writeHolder(tx, ids, from, holder, at);
  return { contactId: holder, formerId: former };
}
