import type { FailedOutcome } from "../../channels/adapter.ts";
import type { SmsErrorCode, SmsReceipt } from "../provider.ts";

/** The meaning of a gateway's code: what to do, its scope, and the contract's word. */
export interface Meaning {
  readonly reason: FailedOutcome["reason"];
  readonly scope: "recipient" | "template" | "account";
  readonly smsCode: SmsErrorCode;
}
export type Meanings = Readonly<Record<string, Meaning>>;

/** This number only. */
export const recipient = (
  smsCode: SmsErrorCode,
  reason: FailedOutcome["reason"] = "rejected",
): Meaning => ({ reason, scope: "recipient", smsCode });

/** The account or its sender: nothing is sent until somebody repairs it, or until the wait is over. */
export const account = (
  smsCode: SmsErrorCode,
  reason: FailedOutcome["reason"] = "misconfigured",
): Meaning => ({ reason, scope: "account", smsCode });

/** This text, to any recipient. */
export const TEXT_REFUSED: Meaning = {
  reason: "rejected",
  scope: "template",
  smsCode: "REJECTED",
};

/**
 * The scope of a failure that came as a receipt. A temporary one (throttle, outage) failed only this message and
 * says nothing of the next, so it must not stop a campaign.
 */
const scopeOfReport = ({ reason, scope }: Meaning): Meaning["scope"] =>
  reason === "rejected" || reason === "misconfigured" ? scope : "recipient";

/** A message as a receipt names it: by the gateway's id and, if it comes back, by ours. */
export type ReceiptIds = Pick<SmsReceipt, "externalMessageId" | "correlationId">;

/** A receipt of progress. */
export const receiptOfProgress = (
  ids: ReceiptIds,
  status: Exclude<SmsReceipt["status"], "failed">,
): SmsReceipt => ({
  ...ids,
  status,
  occurredAt: null,
  errorCode: null,
  errorDetail: null,
  smsCode: null,
});

/** A receipt of failure, by the gateway's code and its words. */
export const receiptOfFailure = (
  ids: ReceiptIds,
  meaning: Meaning,
  errorCode: string | null,
  errorDetail: string | null,
): SmsReceipt => ({
  ...ids,
  status: "failed",
  occurredAt: null,
  errorCode,
  errorDetail,
  smsCode: meaning.smsCode,
  scope: scopeOfReport(meaning),
  optedOut: meaning.reason === "opted_out",
});

/**
 * The meaning of a refusal: first by the gateway's own code (null or "": there is none), then by the HTTP status
 * (0: there was none).
 */
export function meaningIn(meanings: Meanings, code: string | null, status: number): Meaning {
  const known = code === null || !Object.hasOwn(meanings, code) ? undefined : meanings[code];
  if (known) return known;
  if (status === 429) return account("GATEWAY_RATE_LIMITED", "throttled");
  if (status === 401 || status === 403) return account("GATEWAY_AUTH");
  // The work was done, and its result is at another address.
  if (status === 303) return recipient("GATEWAY_UNAVAILABLE", "unknown");
  // A redirect, which is not followed, or the page of a proxy: the gateway did not get the call, which may be
  // tried again.
  const page = (status === 404 || status === 407) && (code === null || code === "");
  const foreign = page || (status >= 300 && status < 400);
  if (foreign) return recipient("GATEWAY_UNAVAILABLE", "unreachable");
  // The gateway failed while it worked on the request: nobody knows how far it came.
  if (status >= 500) return recipient("GATEWAY_UNAVAILABLE", "unknown");
  return recipient("REJECTED");
}
