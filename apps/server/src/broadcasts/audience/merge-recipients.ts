import type { MergeFollower } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/**
 * A person is never messaged twice by a campaign that had several of its contacts, under the ids they have now or had
 * before earlier merges: of the recipients the one that is further goes on and each other, as long as it only waits, is
 * skipped. One that is alone stays under the merged id: what it is looked up by at the send (`selectWaiting`) knows who
 * that is now.
 */
export const mergeRecipients: MergeFollower = async (_context, tx, merge) => {
  const { workspaceId, keepId, at } = merge;
  const aliases = await tx.query<{ id: string }>(sql`
    select id from contact_alias where workspace_id = ${workspaceId} and contact_id = ${keepId}`);
  const ids = [keepId, ...aliases.map((one) => one.id)];
  // Before its recipients, as everybody does (`recipient-store.ts`).
  const locked = await tx.query<{ id: string }>(sql`
    select b.id from broadcast b
    where b.workspace_id = ${workspaceId} and b.status in ('QUEUED', 'RUNNING', 'PAUSED')
      -- Of one that is being stored the last chunk may not be seen yet: its end is waited for.
      and (b.status = 'QUEUED' or (select count(*) from (select from broadcast_recipient m
        where m.workspace_id = b.workspace_id and m.broadcast_id = b.id and m.contact_id = any (${ids}::uuid[]) limit 2) m) > 1)
    order by b.id for no key update of b`);
  if (locked.length === 0) return [];
  const found = await tx.query<Row>(sql`
    select k.id as "broadcastId", r.*
    from unnest(${locked.map((one) => one.id)}::uuid[]) as k (id) cross join unnest(${ids}::uuid[]) as c (id)
    cross join lateral (select contact_id as "contactId", status, reason,
        status = 'pending' and message_id is null as untried
      from broadcast_recipient where workspace_id = ${workspaceId} and broadcast_id = k.id and contact_id = c.id limit 1) r
    order by 1, 2`);
  for (const [broadcastId, rows] of Map.groupBy(found, (row) => row.broadcastId)) {
    const kept = rows.find((row) => row.contactId === keepId);
    // The wish of the one is the wish of all; other reasons were about the kept contact's address alone.
    const unwanted = kept?.status === "skipped" && kept.reason === "opted_out";
    const live = rows.filter((row) => row.status !== "skipped");
    const further =
      live.find((row) => !row.untried) ?? live.find((row) => row === kept) ?? live.at(0);
    const key = { workspaceId, broadcastId };
    for (const row of live)
      if (row.untried && (unwanted || row !== further))
        await skip(tx, key, row.contactId, unwanted ? "opted_out" : "duplicate_address", at);
  }
  return [];
};

interface Row {
  readonly broadcastId: string;
  readonly contactId: string;
  readonly status: string;
  readonly reason: string | null;
  /** No call was made and no message stored. */
  readonly untried: boolean;
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
