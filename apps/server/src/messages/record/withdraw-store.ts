import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** What a message of a bot says that was not sent because a person took the conversation. */
export const SUPERSEDED = {
  errorCode: "SUPERSEDED",
  errorMessage: "A person took over before it was sent.",
} as const;

/** A reply of a bot whose call has not begun. */
export interface UnsentReply {
  readonly workspaceId: string;
  readonly id: string;
  readonly channelId: string;
}

/**
 * Locks what bots wrote in these conversations and what has not begun to be sent: the messages, then their places in the
 * outbox, as every settlement does. A call that begins at this moment is left out: what is in the air stays, but it is not
 * tried again when the platform does not take it (`selectWithdrawn`). Of a message in parts the rest is given up.
 */
export async function lockUnsentOf(
  tx: Tx,
  threads: readonly { readonly workspaceId: string; readonly conversationId: string }[],
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
  if (inAir.length > 0) {
    const { errorCode, errorMessage } = SUPERSEDED;
    await tx.query(sql`
      with last as (
        update message_outbox o set available_at = ${NEVER_AGAIN} from ${keyed(inAir)}
        where o.workspace_id = k.workspace_id and o.message_id = k.message_id
      )
      update message_part p set status = 'failed', error_code = ${errorCode}, error_message = ${errorMessage}
      from ${keyed(inAir)}
      where p.workspace_id = k.workspace_id and p.message_id = k.message_id and p.status = 'waiting'`);
  }
  return ofBots.filter(({ id }) => ids.has(id));
}

/** When a reply in the air is to be tried again that a person's take-over has withdrawn. */
const NEVER_AGAIN = sql`'infinity'::timestamptz`;

/** Which of these replies were withdrawn while they were in the air. Their messages must be locked. */
export async function selectWithdrawn(
  tx: Tx,
  rows: readonly { readonly workspaceId: string; readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const found = await tx.query<{ id: string }>(sql`
    select o.message_id as id from ${keyed(rows)}
    join message_outbox o on o.workspace_id = k.workspace_id and o.message_id = k.message_id
    where o.available_at = ${NEVER_AGAIN}`);
  return new Set(found.map(({ id }) => id));
}

const keyed = (
  rows: readonly { readonly workspaceId: string; readonly id: string }[],
) => sql`unnest(${rows.map((one) => one.workspaceId)}::uuid[],
  ${rows.map((one) => one.id)}::uuid[]) as k (workspace_id, message_id)`;
