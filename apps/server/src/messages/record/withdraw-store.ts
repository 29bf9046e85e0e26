import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** A reply of a bot whose call has not begun. */
export interface UnsentReply {
  readonly workspaceId: string;
  readonly id: string;
  readonly channelId: string;
}

/**
 * Locks what bots wrote in these conversations and what has not begun to be sent: the messages, then their places in the
 * outbox, as every settlement does. A call that begins at this moment is left out: what is in the air stays. Of a message in
 * parts the rest is given up.
 */
export async function lockUnsentOf(
  tx: Tx,
  threads: readonly { readonly workspaceId: string; readonly conversationId: string }[],
  why: { readonly errorCode: string; readonly errorMessage: string },
): Promise<UnsentReply[]> {
  if (threads.length === 0) return [];
  const ofBots = await tx.query<UnsentReply>(sql`
    select m.workspace_id as "workspaceId", m.id, m.channel_id as "channelId"
    from (select o.workspace_id, o.message_id from unnest(${threads.map((one) => one.workspaceId)}::uuid[],
        ${threads.map((one) => one.conversationId)}::uuid[]) as k (workspace_id, conversation_id)
      join message_outbox o on o.workspace_id = k.workspace_id and o.conversation_id = k.conversation_id
      order by o.workspace_id, o.message_id) o
    cross join lateral (select * from message where workspace_id = o.workspace_id and id = o.message_id
      and author like 'bot:%' for update) m`);
  if (ofBots.length === 0) return [];
  const held = await tx.query<{ id: string }>(sql`
    select o.message_id as id from ${keyed(ofBots)}
    join message_outbox o on o.workspace_id = k.workspace_id and o.message_id = k.message_id
    where o.state in ('waiting', 'claimed') order by o.workspace_id, o.message_id for update of o`);
  const ids = new Set(held.map(({ id }) => id));
  const inAir = ofBots.filter(({ id }) => !ids.has(id));
  if (inAir.length > 0)
    await tx.query(sql`
      update message_part p set status = 'failed', error_code = ${why.errorCode}, error_message = ${why.errorMessage}
      from ${keyed(inAir)}
      where p.workspace_id = k.workspace_id and p.message_id = k.message_id and p.status = 'waiting'`);
  return ofBots.filter(({ id }) => ids.has(id));
}

const keyed = (
  rows: readonly UnsentReply[],
) => sql`unnest(${rows.map((one) => one.workspaceId)}::uuid[],
  ${rows.map((one) => one.id)}::uuid[]) as k (workspace_id, message_id)`;
