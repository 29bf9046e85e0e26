import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { contactAt, currentIdColumn } from "../../contacts/record/contact-sql.ts";
import { messageAt } from "../../messages/record/message-sql.ts";
import type { BroadcastKey } from "../record/broadcast-store.ts";
import type { CampaignReply } from "./list-replies.ts";

/** One reply's place in the list. `contactId` is the recipient's, which a merge does not change. */
export interface ReplyPlace {
  readonly repliedAt: Date;
  readonly contactId: string;
}

/** The newest replies of a campaign after a place, each with its own. All of its replies are sorted. */
export function selectReplies(
  db: Queryable,
  key: BroadcastKey,
  after: ReplyPlace | null,
  limit: number,
): Promise<(CampaignReply & { readonly recipientId: string })[]> {
  const contactNow = currentIdColumn(sql`p.workspace_id`, sql`p.contact_id`);
  const beyond =
    after === null
      ? sql``
      : sql`and (p.replied_at < ${after.repliedAt} or (p.replied_at = ${after.repliedAt} and p.contact_id > ${after.contactId}))`;
  return db.query(sql`
    select c.id as "contactId", p.contact_id as "recipientId", coalesce(c.name, '+' || c.phone) as name,
      p.replied_at as "repliedAt", m.conversation_id as "conversationId", m.text
    from (select p.* from broadcast_reply p
      join broadcast_recipient r on r.workspace_id = p.workspace_id and r.broadcast_id = p.broadcast_id
        and r.contact_id = p.contact_id and r.status in ('sent', 'delivered', 'read')
      where p.workspace_id = ${key.workspaceId} and p.broadcast_id = ${key.id} ${beyond}
      order by p.replied_at desc, p.contact_id limit ${limit}) p
    left join lateral ${contactAt(sql`p.workspace_id`, contactNow)} c on true
    left join lateral ${messageAt(sql`p.workspace_id`, sql`p.message_id`)} m on true
    order by p.replied_at desc, p.contact_id`);
}
