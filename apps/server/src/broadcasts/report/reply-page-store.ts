import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { contactAt, currentIdColumn } from "../../contacts/record/contact-sql.ts";
import { messageAt } from "../../messages/record/message-sql.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import type { CampaignReply } from "./list-replies.ts";

/** The newest replies of a campaign, after the first `skip`. All of its replies are sorted. */
export function selectReplies(
  db: Queryable,
  key: BroadcastKey,
  page: { readonly skip: number; readonly limit: number },
): Promise<CampaignReply[]> {
  const contactNow = currentIdColumn(sql`p.workspace_id`, sql`p.contact_id`);
  return db.query<CampaignReply>(sql`
    select c.id as "contactId", coalesce(c.name, '+' || c.phone) as name, p.replied_at as "repliedAt", m.conversation_id as "conversationId", m.text
    from (select p.* from broadcast_reply p
      join broadcast_recipient r on r.workspace_id = p.workspace_id and r.broadcast_id = p.broadcast_id
        and r.contact_id = p.contact_id and r.status in ('sent', 'delivered', 'read')
      where p.workspace_id = ${key.workspaceId} and p.broadcast_id = ${key.id}
      order by p.replied_at desc, p.contact_id limit ${page.limit} offset ${page.skip}) p
    left join lateral ${contactAt(sql`p.workspace_id`, contactNow)} c on true
    left join lateral ${messageAt(sql`p.workspace_id`, sql`p.message_id`)} m on true
    order by p.replied_at desc, p.contact_id`);
}
