import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** A message of a campaign whose receipt must be asked for now. */
export interface DueLookUp {
  readonly messageId: string;
  readonly providerId: string;
  readonly provider: string;
  readonly providerMessageId: string;
}

/** Plans look-ups from `dueAt` on. A message that is called again starts its look-ups again. */
export async function upsertLookUps(
  tx: Tx,
  workspaceId: string,
  account: { readonly providerId: string; readonly provider: string },
  messageIds: readonly string[],
  calledAt: Date,
  dueAt: Date,
): Promise<void> {
  await tx.query(sql`
    insert into sms_look_up (workspace_id, message_id, provider_id, provider, called_at, due_at)
    select ${workspaceId}, id, ${account.providerId}, ${account.provider}, ${calledAt}, ${dueAt}
    from unnest(${messageIds}::uuid[]) as u (id)
    on conflict (workspace_id, message_id) do update set provider_id = excluded.provider_id,
      provider = excluded.provider, called_at = excluded.called_at, due_at = excluded.due_at`);
}

/**
 * Takes up to `limit` due look-ups. Each waits as long again as its call is old, at least a minute; the last one comes
 * 25 hours after the call. A look-up is deleted when its message is settled or gone. A look-up whose message has no
 * provider id yet is put off, not given.
 */
export function claimDueLookUps(db: Queryable, now: Date, limit: number): Promise<DueLookUp[]> {
  return db.query<DueLookUp>(sql`
    with due as (
      select l.*, m.status, m.provider_message_id
      from sms_look_up l left join message m on m.workspace_id = l.workspace_id and m.id = l.message_id
      where l.due_at <= ${now} order by l.due_at limit ${limit}::int for update of l skip locked
    ), over as (
      delete from sms_look_up l using due where l.workspace_id = due.workspace_id and l.message_id = due.message_id
        and (due.status is distinct from 'sent' or due.called_at < ${now}::timestamptz - interval '25 hours')
    ), later as (
      update sms_look_up l set due_at = ${now}::timestamptz
        + greatest(interval '1 minute', ${now}::timestamptz - l.called_at)
      from due where l.workspace_id = due.workspace_id and l.message_id = due.message_id
        and due.status = 'sent' and due.called_at >= ${now}::timestamptz - interval '25 hours'
    )
    select message_id as "messageId", provider_id as "providerId", provider, provider_message_id as "providerMessageId"
    from due where status = 'sent' and provider_message_id is not null`);
}
