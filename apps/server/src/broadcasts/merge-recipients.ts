import type { MergeFollower } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * A person is never messaged twice by a campaign that had both contacts: of the two recipients the one that is further
 * goes on and the other, as long as it only waits, is skipped. One that is alone stays under the merged id: what it is
 * looked up by at the send (`selectWaiting`) knows who that is now.
 */
export const mergeRecipients: MergeFollower = async (_context, tx, merge) => {
  const { workspaceId, keepId, mergedId, at } = merge;
  // Before its recipients, as everybody does (`recipient-store.ts`).
  await tx.query(sql`
    select from broadcast b
    where b.workspace_id = ${workspaceId} and b.status in ('QUEUED', 'RUNNING', 'PAUSED')
      and coalesce((select true from broadcast_recipient m where m.workspace_id = b.workspace_id
        and m.broadcast_id = b.id and m.contact_id = ${mergedId} limit 1), false)
    order by b.id for no key update of b`);
  const pairs = await tx.query<PairRow>(sql`
    select m.broadcast_id as "broadcastId", k.status as "keepStatus", k.reason as "keepReason",
      m.status = 'pending' as "mergedWaits", m.message_id is null as "mergedUntried",
      coalesce(k.status = 'pending' and k.message_id is null, false) as "keepUntried"
    from broadcast b
    join broadcast_recipient m on m.workspace_id = b.workspace_id and m.broadcast_id = b.id
      and m.contact_id = ${mergedId} and m.status <> 'skipped'
    left join broadcast_recipient k on k.workspace_id = b.workspace_id and k.broadcast_id = b.id
      and k.contact_id = ${keepId}
    where b.workspace_id = ${workspaceId} and b.status in ('QUEUED', 'RUNNING', 'PAUSED')
    order by b.id`);
  for (const pair of pairs) {
    const key = { workspaceId, broadcastId: pair.broadcastId };
    const { keepStatus, mergedWaits, mergedUntried } = pair;
    if (keepStatus === null) continue;
    if (keepStatus === "skipped") {
      // The wish of the one is the wish of both; other reasons were about the kept contact's address alone.
      if (mergedWaits && mergedUntried && pair.keepReason === "opted_out")
        await skip(tx, key, mergedId, "opted_out", at);
    } else if (mergedWaits && mergedUntried) {
      await skip(tx, key, mergedId, "duplicate_address", at);
    } else if (pair.keepUntried) await skip(tx, key, keepId, "duplicate_address", at);
  }
  return [];
};

interface PairRow {
  broadcastId: string;
  keepStatus: string | null;
  keepReason: string | null;
  mergedWaits: boolean;
  /** No call was made and no message stored. */
  mergedUntried: boolean;
  keepUntried: boolean;
}

interface Key {
  readonly workspaceId: string;
  readonly broadcastId: string;
}

async function skip(
  tx: Tx,
  key: Key,
  contactId: string,
  reason: "opted_out" | "duplicate_address",
  at: Date,
): Promise<void> {
  await tx.query(sql`
    with moved as (
      update broadcast_recipient set status = 'skipped', reason = ${reason}, settled_at = ${at}
      where workspace_id = ${key.workspaceId} and broadcast_id = ${key.broadcastId} and contact_id = ${contactId}
        and status = 'pending' and message_id is null
      returning 1
    ), waits_no_more as (
      delete from broadcast_again where workspace_id = ${key.workspaceId} and broadcast_id = ${key.broadcastId}
        and contact_id = ${contactId} and exists (select 1 from moved)
    )
    update broadcast set skipped_count = skipped_count + (select count(*) from moved)
    where workspace_id = ${key.workspaceId} and id = ${key.broadcastId}`);
}
