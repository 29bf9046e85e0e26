import { RunAgain, sqlState, type Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { Message } from "../record/message.ts";
import { searchDue } from "../record/message-sql.ts";
import { threadOf } from "../../conversations/conversation-sql.ts";

/**
 * Stores customers' messages whose platform ids were unknown a moment ago. Throws `RunAgain` when another transaction
 * has stored one of the ids since: the whole transaction then runs again. So the caller need not wait for this
 * statement before the commit.
 */
export async function insertInboundMessages(tx: Tx, rows: readonly Message[]): Promise<void> {
  try {
    await tx.query(sql`
      with stored as (insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, text,
        attachments, status, source, provider_message_id, created_at, sent_at)
      select w, i, v, c, h, 'inbound', k, t, a, s, o, p, m, e from unnest(
        ${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.conversationId)}::uuid[], ${rows.map((row) => row.contactId)}::uuid[],
        ${rows.map((row) => row.channelId)}::uuid[], ${rows.map((row) => row.type)}::text[],
        ${rows.map((row) => row.text)}::text[], ${rows.map((row) => JSON.stringify(row.attachments))}::jsonb[],
        ${rows.map((row) => row.status)}::text[], ${rows.map((row) => row.source)}::text[],
        ${rows.map((row) => row.providerMessageId)}::text[], ${rows.map((row) => row.createdAt)}::timestamptz[],
        ${rows.map((row) => row.sentAt)}::timestamptz[]) as r (w, i, v, c, h, k, t, a, s, o, p, m, e)
      returning workspace_id, id, text), ${searchDue(sql`stored`)} select 1 from stored limit 0`);
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw new RunAgain("the same message was stored by another transaction at the same moment", {
      cause: error,
    });
  }
}

/**
 * For each of `words`, short texts that its customer wrote in a later second. Reads the newest 100 messages of the
 * conversation. `place` is the index in `words`. The earlier of the platform's time and our time of receipt counts,
 * because a platform's clock may be ahead.
 */
export function selectLaterTexts(
  tx: Tx,
  words: readonly {
    readonly workspaceId: string;
    readonly channelId: string;
    readonly contactId: string;
    readonly at: Date;
  }[],
): Promise<{ place: number; type: string; text: string }[]> {
  return tx.query(sql`
    select w.place::int - 1 as place, m.type, m.text from unnest(
      ${words.map((word) => word.workspaceId)}::uuid[], ${words.map((word) => word.channelId)}::uuid[],
      ${words.map((word) => word.contactId)}::uuid[], ${words.map((word) => word.at)}::timestamptz[])
      with ordinality as w (workspace_id, channel_id, contact_id, at, place)
    cross join lateral ${threadOf(sql`w.workspace_id`, sql`w.channel_id`, sql`w.contact_id`)} c
    cross join lateral (select direction, type, text, least(sent_at, created_at) as at from message
      where workspace_id = w.workspace_id and conversation_id = c.id order by id desc limit 100) m
    where m.direction = 'inbound' and length(m.text) <= 60
      and date_trunc('second', m.at) > date_trunc('second', w.at)`);
}
