import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Conversation } from "./conversation.ts";

/** Gives a conversation to another contact, under the id to which replies now go. The row must be locked. */
export async function giveThread(
  tx: Tx,
  key: { readonly workspaceId: string; readonly id: string },
  contactId: string,
  externalId: string,
): Promise<void> {
  await tx.query(sql`
    update conversation set contact_id = ${contactId}, external_id = ${externalId}
    where workspace_id = ${key.workspaceId} and id = ${key.id}`);
}

/**
 * Deletes the rest of a conversation after its messages were moved to another one, which gets its unread count, its labels and
 * this state. Both rows must be locked.
 */
export async function absorbThread(
  tx: Tx,
  workspaceId: string,
  fromId: string,
  intoId: string,
  { status, assigneeId }: Pick<Conversation, "status" | "assigneeId">,
): Promise<void> {
  await tx.query(sql`
    with gone as (
      delete from conversation where workspace_id = ${workspaceId} and id = ${fromId}
      returning workspace_id, labels, unread_count, last_message_at
    )
    update conversation c set unread_count = c.unread_count + g.unread_count,
      last_message_at = greatest(c.last_message_at, g.last_message_at),
      status = ${status}, assignee_id = ${assigneeId}::uuid,
      labels = c.labels || array(select unnest(g.labels) except select unnest(c.labels))
    from gone g where c.workspace_id = g.workspace_id and c.id = ${intoId}`);
}
