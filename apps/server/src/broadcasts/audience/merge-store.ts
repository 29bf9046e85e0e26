import type { Tx } from "../../db/database.ts";
import { formerIds } from "../../contacts/record/contact-sql.ts";
import { sql } from "../../db/sql.ts";

/** A contact, and all contacts that were merged into it. */
export async function selectPerson(
  tx: Tx,
  workspaceId: string,
  contactId: string,
): Promise<string[]> {
  const former = await tx.query<{ id: string }>(formerIds(workspaceId, contactId));
  return [contactId, ...former.map((one) => one.id)];
}

/**
 * Locks the campaigns that have several of these contacts among their recipients, before their recipients, in
 * everybody's order (`recipient-store.ts`). Gives their ids.
 */
export async function lockShared(
  tx: Tx,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select b.id from broadcast b
    where b.workspace_id = ${workspaceId} and b.status in ('QUEUED', 'RUNNING', 'PAUSED')
      -- Of one that is being stored the last chunk may not be seen yet: its end is waited for.
      and (b.status = 'QUEUED' or (select count(*) from (select from broadcast_recipient m
        where m.workspace_id = b.workspace_id and m.broadcast_id = b.id and m.contact_id = any (${contactIds}::uuid[]) limit 2) m) > 1)
    order by b.id for no key update of b`);
  return rows.map((one) => one.id);
}

/** A contact as a recipient of a campaign. */
export interface SharedRecipient {
  readonly broadcastId: string;
  readonly contactId: string;
  readonly status: string;
  readonly reason: string | null;
  /** No call was made and no message stored. */
  readonly untried: boolean;
}

/** These contacts as recipients of the campaigns, in the order of both ids. */
export function selectShared(
  tx: Tx,
  workspaceId: string,
  broadcastIds: readonly string[],
  contactIds: readonly string[],
): Promise<SharedRecipient[]> {
  return tx.query<SharedRecipient>(sql`
    select k.id as "broadcastId", r.*
    from unnest(${broadcastIds}::uuid[]) as k (id) cross join unnest(${contactIds}::uuid[]) as c (id)
    cross join lateral (select contact_id as "contactId", status, reason,
        status = 'pending' and message_id is null as untried
      from broadcast_recipient where workspace_id = ${workspaceId} and broadcast_id = k.id and contact_id = c.id limit 1) r
    order by 1, 2`);
}

/** Skips a recipient that was not tried yet, and counts it in the campaign. */
export async function skipUntried(
  tx: Tx,
  key: { readonly workspaceId: string; readonly broadcastId: string },
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
