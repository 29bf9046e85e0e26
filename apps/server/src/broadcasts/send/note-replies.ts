import type { InboundFollower } from "../../context.ts";
import { insertReplies } from "./reply-store.ts";

/** The most days for which a campaign counts answers: older campaigns are not read. */
export const REPLY_DAYS_MAX = 30;
export const REPLY_DAYS = 3;

/**
 * A recipient's first message after a campaign's, in the same conversation and within the campaign's days, is its
 * reply. It counts for the latest campaign in whose days it falls, and once per campaign.
 */
export const noteReplies: InboundFollower = async (_context, tx, messages) => {
  if (messages.length > 0) await insertReplies(tx, messages, REPLY_DAYS_MAX);
};
