import type { OutboundStatus } from "../../wire/words.ts";
import { OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";

/** The channel was disconnected: nothing is handed over. */
export const CHANNEL_DISCONNECTED = "CHANNEL_DISCONNECTED";
/** The platform refuses the channel's account: nothing is handed over. */
export const CHANNEL_ERROR = "CHANNEL_ERROR";

/** `failed_unknown`: we concluded the failure because no evidence came (`OUTCOME_UNKNOWN`). */
type State = OutboundStatus | "failed_unknown";

/**
 * Every allowed move (contract §5, Messages). A status moves forward only, with one exception: evidence corrects a
 * `failed`. When the platform stated the failure, only proof of delivery is evidence. When we concluded it from
 * silence, `sent` is evidence too.
 */
const MOVES: Readonly<Record<State, readonly OutboundStatus[]>> = {
  sent: ["delivered", "read", "failed"],
  delivered: ["read", "failed"],
  read: [],
  failed: ["delivered", "read"],
  failed_unknown: ["sent", "delivered", "read"],
};

/**
 * Whether a message in `from` may move to `to`. `errorCode` is that of a failed message. False: the report changes
 * nothing.
 */
export function mayMove(
  from: OutboundStatus,
  errorCode: string | null,
  to: OutboundStatus,
): boolean {
  const state = from === "failed" && errorCode === OUTCOME_UNKNOWN ? "failed_unknown" : from;
  return MOVES[state].includes(to);
}

// Platforms tell whole seconds. Of two reports of the same second, proof of delivery is applied after a failure, so
// that it wins.
const RANK: Readonly<Record<OutboundStatus, number>> = {
  sent: 0,
  failed: 1,
  delivered: 2,
  read: 3,
};

/** Sorts several reports about one message by their own time: the order in which they are applied. */
export function byTime(
  a: { readonly status: OutboundStatus; readonly at: Date },
  b: { readonly status: OutboundStatus; readonly at: Date },
): number {
  return a.at.getTime() - b.at.getTime() || RANK[a.status] - RANK[b.status];
}

/** How far a message is, as its row says. */
export interface Progress {
  readonly status: OutboundStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
}

/** A report about a message: from the platform, or from us when a call ended. */
export interface Report {
  readonly status: OutboundStatus;
  readonly at: Date;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/**
 * The row after a report, and whether its status moved. Each time is set once, by its first evidence. `read` implies
 * delivered, and both imply sent. A `sent` report sets the time even when the status is `sent` already.
 */
export function applyReport(
  row: Progress,
  report: Report,
): { readonly row: Progress; readonly moved: boolean } {
  // The sweep may have given up a moment before the evidence came.
  if (report.errorCode === OUTCOME_UNKNOWN && (row.status !== "sent" || row.sentAt !== null))
    return { row, moved: false };
  // A late report of an earlier failure: received in order, it would have been corrected by the delivery.
  const isLate = row.deliveredAt !== null && report.at <= row.deliveredAt;
  if (report.status === "failed" && isLate) return { row, moved: false };
  if (!mayMove(row.status, row.errorCode, report.status)) {
    if (report.status === "sent" && row.status !== "failed" && row.sentAt === null)
      return { row: { ...row, sentAt: report.at }, moved: false };
    return { row, moved: false };
  }
  if (report.status === "failed") {
    const { errorCode, errorMessage } = report;
    return { row: { ...row, status: "failed", errorCode, errorMessage }, moved: true };
  }
  const arrived = report.status !== "sent";
  return {
    moved: true,
    row: {
      status: report.status,
      errorCode: null,
      errorMessage: null,
      sentAt: row.sentAt ?? report.at,
      deliveredAt: arrived ? (row.deliveredAt ?? report.at) : row.deliveredAt,
      readAt: report.status === "read" ? (row.readAt ?? report.at) : row.readAt,
    },
  };
}
