import type { Context } from "../../context.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { unsentToErased } from "../../messages/record/erase-messages.ts";
import { repayUnsent } from "../../messages/send/repay-unsent.ts";
import { settleMessages } from "../../messages/record/settle-messages.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import {
  blankRecipients,
  lockNextCampaigns,
  selectCalling,
  selectOfPerson,
} from "./erasure-store.ts";

/** Campaigns that one transaction looks at: they are locked, and a running one waits. */
const CAMPAIGNS = 20;

export interface ErasedRecipients {
  readonly recipients: number;
  /** Messages of theirs, which the caller erases in the same transaction. */
  readonly messageIds: readonly string[];
  /** Of those that waited for another try: they failed. The caller emits them last. */
  readonly events: readonly NewEvent[];
  /** The campaign up to which was looked; null: it was the last. */
  readonly last: string | null;
}

/**
 * A person's rows in campaigns: a waiting recipient is skipped (`erased`), address, frozen values and the platform's words go, what
 * came of each stays, so that every count and total of a report stays true; what was paid for and will not go is given
 * back. Whose call is in the air stays until it is over (`callsInTheAir`). Campaigns are looked at in the order of their
 * ids, from `after` on.
 */
export async function eraseRecipients(
  context: Context,
  tx: Tx,
  of: { readonly workspaceId: string; readonly contactIds: readonly string[] },
  after: string,
): Promise<ErasedRecipients> {
  const { workspaceId, contactIds } = of;
  const ids = await lockNextCampaigns(tx, workspaceId, contactIds, after, CAMPAIGNS);
  const at = context.clock.now();
  const rows = ids.length === 0 ? [] : await blankRecipients(tx, workspaceId, ids, contactIds, at);
  const events = await settleMessages(
    context,
    tx,
    rows.flatMap(({ waited, messageId, channelId }) =>
      waited && messageId !== null ? unsentToErased({ workspaceId, messageId, channelId }, at) : [],
    ),
  );
  await repayUnsent(tx, events);
  return {
    recipients: rows.length,
    messageIds: rows.flatMap((row) => (row.messageId === null ? [] : [row.messageId])),
    events,
    last: ids.length < CAMPAIGNS ? null : (ids.at(-1) ?? null),
  };
}

/** Messages of campaigns to these contacts whose call is in the air, or whose outcome is still waited for. */
export function callsInTheAir(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  return selectCalling(db, workspaceId, contactIds);
}

/** What campaigns froze and noted of a person, newest campaign first, with ids below `below`. */
export const personRecipients = selectOfPerson;
export type { PersonRecipient } from "./erasure-store.ts";
