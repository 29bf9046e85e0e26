import type { Context } from "../context.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { AppError } from "../errors.ts";
import { selectCustomerOf } from "./sandbox-store.ts";

/** The customer of a conversation, as the sandbox phone plays them. */
export interface PhoneCustomer {
  readonly channelId: string;
  /** The address on the channel. */
  readonly customer: string;
  /** Null: the contact has no name. */
  readonly name: string | null;
}

/** Finds who writes in a conversation. Throws NOT_FOUND for one of another workspace, and when nobody is known. */
export async function customerOf(
  context: Pick<Context, "db">,
  workspaceId: string,
  conversationId: string,
): Promise<PhoneCustomer> {
  const thread = await findConversation(context, workspaceId, conversationId);
  if (!thread) throw new AppError("NOT_FOUND");
  const { channelId, contactId } = thread;
  const found = await selectCustomerOf(context.db, { workspaceId, channelId, contactId });
  if (!found) throw new AppError("NOT_FOUND");
  return { channelId, ...found };
}
