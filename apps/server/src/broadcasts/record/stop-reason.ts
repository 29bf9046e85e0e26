import type { BroadcastReasonJson } from "../../wire/broadcast.ts";
import { STOP_CODES, type BroadcastStatus, type StopCode } from "../../wire/words.ts";
import type { Broadcast } from "./broadcast.ts";

/** What each code of the engine means, for a reader of the API. The dashboard has words of its own. */
const WORDS = {
  MESSAGE_LIMIT_REACHED:
    "The monthly message limit is reached. Raise it, or wait for the next month.",
  SUBSCRIPTION_SUSPENDED: "The workspace is suspended. The operator of this server can end that.",
  INSUFFICIENT_CREDITS: "The SMS credits are used up. Get more.",
  TEMPLATE_NOT_APPROVED:
    "The template is not approved. Sync the templates, or wait for the approval.",
  TEMPLATE_CHANGED: "The template changed and needs other values.",
  SEGMENT_GONE: "The segment of its audience was deleted.",
  SMS_PROVIDER_NOT_VERIFIED: "No SMS gateway was verified by a test send. Send a test.",
  CHANNEL_ERROR: "Its channel is in error. Connect the channel again.",
  CHANNEL_DISCONNECTED: "Its channel was disconnected. Connect the channel again.",
  HEADER_MEDIA_GONE: "The file of the header is gone. Duplicate the campaign with a new file.",
  MEDIA_GONE:
    "The platform lost the file of the header. If it stops again, duplicate the campaign with another file.",
  FAILURE_RATE: "Too many recipients in a row failed. Correct the cause first.",
  SCHEDULE_MISSED:
    "The server did not run at the scheduled time, so nobody got it. Start or schedule it again.",
  RESTORED: "The server was restored from a backup. Look first who got the message since.",
} as const satisfies Record<StopCode, string>;
const PLATFORM = "The platform refused the messages. Correct what its words in brackets say.";

const AFTER: Partial<Record<BroadcastStatus, string>> = {
  PAUSED: " After that a start resumes it, and it keeps its recipients.",
  FAILED: " It cannot be started any more: duplicate it.",
};

/**
 * Why the engine stopped a campaign and what to do, for a program: the code of the stored reason, and sentences. Details
 * that are stored after the code, such as a platform's own words, follow in brackets. Undefined: the engine did not stop it.
 */
export function presentReason({
  status,
  statusReason,
}: Pick<Broadcast, "status" | "statusReason">): BroadcastReasonJson | undefined {
  if (statusReason === null) return undefined;
  const [code = "", ...rest] = statusReason.split(":");
  const detail = rest.join(":").trim();
  const known = STOP_CODES.find((one) => one === code);
  const words = `${known === undefined ? PLATFORM : WORDS[known]}${AFTER[status] ?? ""}`;
  return { code, message: detail === "" ? words : `${words} (${detail})` };
}
