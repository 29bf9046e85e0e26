import { isId } from "../../lib/ids.ts";
import type { Report } from "../record/message-status.ts";
import type { OutboundStatus } from "../../wire/words.ts";

/** One send of a message that needs several: a piece of a long text, or a file. */
export interface MessagePart {
  readonly workspaceId: string;
  readonly messageId: string;
  /** From 1, in the order of sending. */
  readonly number: number;
  readonly channelId: string;
  readonly text: string | null;
  readonly mediaId: string | null;
  /** `sent` without a `sentAt`: it was handed over, and no answer came yet. */
  readonly status: "waiting" | OutboundStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly providerMessageId: string | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
}

/** The code of a part that was not tried because an earlier part failed: half an answer is not completed later. */
export const PART_NOT_SENT = "PART_NOT_SENT";

/** The name of a part towards the platform: our message id and the part's number. */
export const partCorrelation = (messageId: string, number: number): string =>
  `${messageId}.${number}`;

/** The message, and the part, that a correlation names; null when it is not ours. */
export function readCorrelation(
  id: string | null,
): { readonly messageId: string; readonly part: number | null } | null {
  if (id === null) return null;
  if (isId(id)) return { messageId: id, part: null };
  const [messageId = "", number = ""] = id.split(".");
  return isId(messageId) && /^[1-9]\d{0,3}$/.test(number) && id === `${messageId}.${number}`
    ? { messageId, part: Number(number) }
    : null;
}

/** Whether the part was begun and the platform has not taken it yet. */
export const isInFlight = (part: MessagePart): boolean =>
  part.status === "sent" && part.sentAt === null;

/**
 * What the parts say of the message (contract §5: the worst of its parts). It failed as soon as one part failed; `at`
 * is the time of that failure. Otherwise it is as far as the part that is furthest behind. Empty while the platform has
 * not taken every part.
 */
export function rollUp(parts: readonly MessagePart[], at: Date): Report[] {
  const failed = parts.find((part) => part.status === "failed" && part.errorCode !== PART_NOT_SENT);
  if (failed) {
    const errorMessage = `Part ${failed.number} of ${parts.length}: ${failed.errorMessage ?? "failed"}`;
    return [{ status: "failed", at, errorCode: failed.errorCode, errorMessage }];
  }
  const reports: Report[] = [];
  const lastOf = (time: "sentAt" | "deliveredAt" | "readAt") => {
    const known = parts.map((part) => part[time]).filter((one) => one !== null);
    const all = known.length === parts.length;
    return all ? new Date(Math.max(...known.map((one) => one.getTime()))) : null;
  };
  const report = (status: OutboundStatus, time: Date) =>
    reports.push({ status, at: time, errorCode: null, errorMessage: null });
  const [sent, delivered, read] = [lastOf("sentAt"), lastOf("deliveredAt"), lastOf("readAt")];
  if (sent === null) return [];
  report("sent", sent);
  // A read implies the delivery. A platform that tells no deliveries gets no `delivered` from us.
  if (read !== null) report("read", read);
  else if (delivered !== null) report("delivered", delivered);
  return reports;
}
