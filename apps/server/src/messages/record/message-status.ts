import type { OutboundStatus } from "../../wire/words.ts";
import { OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";

/** The channel was disconnected, or the platform refuses its account: nothing is handed over. */
export const CHANNEL_DISCONNECTED = "CHANNEL_DISCONNECTED";
export const CHANNEL_ERROR = "CHANNEL_ERROR";

/** Failed for want of evidence: any word of the platform about the message is evidence. */
type State = OutboundStatus | "failed_unknown";

/**
 * Every allowed move (contract §5, Messages). A status moves forward only, with one exception: evidence beats a
 * `failed`. Of a failure that the platform stated, proof of delivery is the evidence (a late `sent` only says what
 * we knew); of one that we concluded from silence, `sent` is evidence too.
 */
const MOVES: Readonly<Record<State, readonly OutboundStatus[]>> = {
  sent: ["delivered", "read", "failed"],
  delivered: ["read", "failed"],
  read: [],
  failed: ["delivered", "read"],
  failed_unknown: ["sent", "delivered", "read"],
};

/** May a message in `from` (with `errorCode`, when failed) move to `to`? False: the report changes nothing. */
export function mayMove(
  from: OutboundStatus,
  errorCode: string | null,
  to: OutboundStatus,
): boolean {
  const state = from === "failed" && errorCode === OUTCOME_UNKNOWN ? "failed_unknown" : from;
  return MOVES[state].includes(to);
}

// At one moment (platforms tell whole seconds) proof of delivery is applied after a failure, so that it wins.
const RANK: Readonly<Record<OutboundStatus, number>> = {
  sent: 0,
  failed: 1,
  delivered: 2,
  read: 3,
};

/** The order in which several reports about one message are applied: by their own time. */
export function byTime(
  a: { readonly status: OutboundStatus; readonly at: Date },
  b: { readonly status: OutboundStatus; readonly at: Date },
): number {
  return a.at.getTime() - b.at.getTime() || RANK[a.status] - RANK[b.status];
}

/** What a message's row says about its way. */
export interface Progress {
  readonly status: OutboundStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly readAt: Date | null;
}

/** A word about a message: from the platform, or from us when a call ended. */
export interface Report {
  readonly status: OutboundStatus;
  readonly at: Date;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/**
 * The row after a report, and whether the status moved. Each time is set once, by its first evidence: `sent` also
 * when the status was that already, `read` implies delivered and both imply sent.
 */
export function applyReport(
  row: Progress,
  report: Report,
): { readonly row: Progress; readonly moved: boolean } {
  // The sweep that gives up may have looked a moment before the evidence came.
  if (report.errorCode === OUTCOME_UNKNOWN && (row.status !== "sent" || row.sentAt !== null))
    return { row, moved: false };
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
