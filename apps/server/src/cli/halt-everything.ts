import { haltCampaigns } from "../broadcasts/record/halt-broadcast.ts";
import type { Tx } from "../db/database.ts";
import { haltReplies } from "../messages/record/halt-replies.ts";
import { haltPasscodes } from "../otp/recover-otp.ts";
import { giveUpDeliveries } from "../webhooks/redeliver.ts";
import { dropLetters } from "../workspaces/letter.ts";
import { dropMails } from "../workspaces/mail-notices.ts";

/** What was made doubtful by going back in time, by kind. */
export interface Halted {
  readonly replies: number;
  readonly campaigns: number;
  readonly recipients: number;
  readonly deliveries: number;
  readonly passcodes: number;
}

/**
 * After a restore nothing is sent by itself: what waited when the backup was made may have gone out since. Replies
 * become of unknown outcome (and end as failed, OUTCOME_UNKNOWN), campaigns pause or are drafts again and their
 * timeline says so, deliveries are given up and can be sent again by hand, mails to admins are dropped.
 */
export async function haltEverything(tx: Tx, now: Date): Promise<Halted> {
  const reason =
    "RESTORED: from a backup; waiting recipients may have been reached since it was made";
  const replies = await haltReplies(tx, now);
  const { campaigns, recipients } = await haltCampaigns(tx, now, reason);
  const deliveries = await giveUpDeliveries(tx);
  const passcodes = await haltPasscodes(tx, now);
  await dropMails(tx);
  await dropLetters(tx);
  return { replies, campaigns, recipients, deliveries, passcodes };
}
