import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { conversationAt } from "../../conversations/conversation-sql.ts";
import { contactAt } from "../../contacts/record/contact-sql.ts";
import type { ChannelType } from "../../wire/words.ts";
import { messageAt } from "../record/message-sql.ts";
import type { SearchedTable } from "./search-sql.ts";

export interface FoundMessage {
  readonly id: string;
  readonly conversationId: string;
  readonly contactId: string;
  readonly contactName: string | null;
  readonly phone: string | null;
  readonly externalId: string;
  readonly channelType: ChannelType;
  readonly at: Date;
  readonly direction: "inbound" | "outbound";
  readonly text: string;
}

export const MESSAGES: SearchedTable = { table: sql`message_search`, id: sql`message_id` };

/** These messages with their senders, the newest first. Messages without text are left out. */
export function selectFound(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<FoundMessage[]> {
  return db.query(sql`
    select m.id, m.conversation_id as "conversationId", c.contact_id as "contactId", p.name as "contactName", p.phone,
      c.external_id as "externalId", c.channel_type as "channelType", m.created_at as at, m.direction, m.text
    from unnest(${ids}::uuid[]) k (id)
    cross join lateral ${messageAt(sql`${workspaceId}::uuid`, sql`k.id`)} m
    cross join lateral ${conversationAt(workspaceId, sql`m.conversation_id`)} c
    left join lateral ${contactAt(workspaceId, sql`c.contact_id`)} p on true
    where m.text is not null order by m.id desc`);
}
