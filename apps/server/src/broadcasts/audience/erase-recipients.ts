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

/** Campaigns that one transaction reads: they are locked, and a running one waits. */
const CAMPAIGNS = 20;

export interface ErasedRecipients {
  readonly recipients: number;
  /** Their messages, which the caller erases in the same transaction. */
  readonly messageIds: readonly string[];
  /** Events of messages that waited for another try: they failed. The caller emits them last. */
  readonly events: readonly NewEvent[];
  /** The last campaign that was read; null: it was the last of all. */
  readonly last: string | null;
}

/**
 * Erases a person's rows in campaigns. A waiting recipient is skipped (`erased`). Address, frozen values and the
 * platform's words are removed, outcomes stay, so that every count and total of a report stays right. Slots and
 * credits of messages that will not be sent are given back. A recipient with an open call stays until the call is
 * over (`callsInTheAir`). Campaigns are read in the order of their ids, from `after` on.
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

/** Messages of campaigns to these contacts with an open call, or with an outcome that is still awaited. */
export function callsInTheAir(
  db: Queryable,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  return selectCalling(db, workspaceId, contactIds);
}

/** What campaigns froze and recorded of a person, newest campaign first, with ids below `below`. */
export const personRecipients = selectOfPerson;
export type { PersonRecipient } from "./erasure-store.ts";
