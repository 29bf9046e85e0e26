import type { InboundFollower } from "../../context.ts";
import { insertReplies } from "./reply-store.ts";

/** The most days that a campaign can take answers for: older campaigns are not looked at. */
export const REPLY_DAYS_MAX = 30;
export const REPLY_DAYS = 3;

/**
 * A recipient's first message after a campaign's, in the same conversation and within the campaign's days, is its
 * reply: to the latest campaign whose days it falls in, and once per campaign.
 */
export const noteReplies: InboundFollower = async (_context, tx, messages) => {
  if (messages.length > 0) await insertReplies(tx, messages, REPLY_DAYS_MAX);
};
