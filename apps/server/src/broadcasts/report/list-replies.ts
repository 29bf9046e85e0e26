import type { Context } from "../../context.ts";
import { cutPage } from "../../lib/cut-page.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { selectReplies } from "./reply-page-store.ts";

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

/** A page of a campaign's replies, newest first, beginning with page 1. Error: `BROADCAST_NOT_FOUND`. */
export async function listReplies(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ readonly items: readonly CampaignReply[]; readonly more: boolean }> {
  const broadcast = await findBroadcast(context, workspaceId, id);
  const found = { skip: (page - 1) * limit, limit: limit + 1 };
  const { items, last } = cutPage(await selectReplies(context.db, broadcast, found), limit);
  return { items, more: last !== null };
}
