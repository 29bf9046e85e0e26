import type { TemplateContent } from "../../channels/adapter.ts";
import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** What all messages of a batch have in common. */
export interface CampaignBatch {
  readonly workspaceId: string;
  /** Null: SMS. */
  readonly channelId: string | null;
  readonly type: string;
  readonly broadcastId: string;
  readonly at: Date;
}

export interface CampaignRow {
  readonly id: string;
  readonly conversationId: string | null;
  readonly contactId: string;
  /**
   * The contact under which the recipient is stored. It differs from `contactId` when that contact was merged since.
   */
  readonly recipientId: string;
  readonly text: string;
  readonly template: TemplateContent | null;
}

/** Separates the templates in one text. JSON never holds this character. */
const BETWEEN = "\u001f";

/** Stores outbound messages as `sent`. Facts that all of them share travel once, not as a list per column. */
export async function insertCampaignRows(
  tx: Tx,
  batch: CampaignBatch,
  rows: readonly CampaignRow[],
): Promise<void> {
  const templates = rows.map((row) => (row.template ? JSON.stringify(row.template) : ""));
  await tx.query(sql`
    insert into message (workspace_id, channel_id, direction, type, status, source, broadcast_id, created_at,
      id, conversation_id, contact_id, recipient_id, text, template)
    select ${batch.workspaceId}::uuid, ${batch.channelId}::uuid, 'outbound', ${batch.type}, 'sent', 'broadcast',
      ${batch.broadcastId}::uuid, ${batch.at}::timestamptz, t.id, t.conversation_id, t.contact_id, t.recipient_id, t.text,
      nullif(t.template, '')::jsonb
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.conversationId)}::uuid[],
      ${rows.map((row) => row.contactId)}::uuid[], ${rows.map((row) => row.recipientId)}::uuid[],
      ${rows.map((row) => row.text)}::text[],
      string_to_array(${templates.join(BETWEEN)}, ${BETWEEN}))
      as t (id, conversation_id, contact_id, recipient_id, text, template)`);
}
