import type { Context } from "../../context.ts";
import { cutPage } from "../../lib/cut-page.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { selectReplies, type ReplyPlace } from "./reply-page-store.ts";

export type { ReplyPlace } from "./reply-page-store.ts";

/** The first message that a recipient wrote after the campaign's. */
export interface CampaignReply {
  /** Null when the contact was erased since. */
  readonly contactId: string | null;
  /** Its name, else its number with a plus. */
  readonly name: string | null;
  readonly repliedAt: Date;
  readonly conversationId: string | null;
  readonly text: string | null;
}

/**
 * A page of a campaign's replies, newest first, after a place, from the newest on when it is null; `next` is null at the end.
 * Error: `BROADCAST_NOT_FOUND`.
 */
export async function repliesAfter(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
  after: ReplyPlace | null,
  limit: number,
): Promise<{ readonly items: readonly CampaignReply[]; readonly next: ReplyPlace | null }> {
  const broadcast = await findBroadcast(context, workspaceId, id);
  const rows = await selectReplies(context.db, broadcast, after, limit + 1);
  const { items, last } = cutPage(rows, limit);
  const next = last && { repliedAt: last.repliedAt, contactId: last.recipientId };
  return { items: items.map(replyOf), next };
}

const replyOf = (row: CampaignReply): CampaignReply => {
  const { contactId, name, repliedAt, conversationId, text } = row;
  return { contactId, name, repliedAt, conversationId, text };
};
