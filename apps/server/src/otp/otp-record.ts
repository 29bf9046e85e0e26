import type { SmsErrorCode } from "../sms/provider.ts";
import type { NewEvent } from "../webhooks/event.ts";
import type { SmsResultJson } from "../wire/otp.ts";
import type { ToldOtpStatus } from "../wire/words.ts";

/**
 * - calling: the intent to call the gateway is committed, and there is no answer yet
 * - unknown: the answer was lost (time-out, crash); a receipt may still tell
 */
export type OtpStatus = "calling" | ToldOtpStatus;

/** What is kept of a passcode: everything but its text. */
export interface OtpRecord {
  readonly id: string;
  readonly workspaceId: string;
  /** The actor that asked for it (`actorName`); null in records that are older than this column. */
  readonly author: string | null;
  readonly providerId: string;
  readonly provider: string;
  /** Digits, or the text as given when it is no phone number. */
  readonly mobile: string;
  readonly segments: number;
  readonly status: OtpStatus;
  readonly errorCode: string | null;
  readonly error: string | null;
  readonly providerMessageId: string | null;
  readonly createdAt: Date;
  readonly settledAt: Date | null;
}

/** A record that the API shows: its call ended, or was given up. */
export type ToldOtpRecord = OtpRecord & { readonly status: ToldOtpStatus };

/** From which states a status may move a record. It moves forward only, but proof of delivery corrects a failure. */
export const OTP_MOVES: Readonly<Record<ToldOtpStatus, readonly OtpStatus[]>> = {
  unknown: ["calling"],
  sent: ["calling", "unknown"],
  failed: ["calling", "unknown", "sent"],
  delivered: ["calling", "unknown", "sent", "failed"],
};

/** A record that is `calling` for longer belongs to a process that died: no call takes longer than 20 s. */
export const CALL_LOST_MS = 60_000;
/** Error text of a record whose outcome is unknown. */
export const LOST_CALL = {
  errorCode: "GATEWAY_TIMEOUT",
  error: "the call was cut off: nobody knows whether the message went",
} as const satisfies { errorCode: SmsErrorCode; error: string };

/**
 * The API's answer about a passcode. A passcode whose answer was lost counts as not sent, with the code of a lost call.
 */
export function presentResult(record: OtpRecord): SmsResultJson {
  const sent = record.status === "sent" || record.status === "delivered";
  const { id: requestId, provider } = record;
  if (sent) return { requestId, sent, provider };
  const errorCode = record.errorCode ?? LOST_CALL.errorCode;
  return { requestId, sent, provider, error: record.error ?? LOST_CALL.error, errorCode };
}

/**
 * `otp.status`, without any text. A record that was `calling` had no status that anybody saw, so its `previousStatus`
 * is null.
 */
export function otpEvent(record: ToldOtpRecord, previous: OtpStatus, at: Date): NewEvent {
  return {
    workspaceId: record.workspaceId,
    type: "otp.status",
    data: {
      requestId: record.id,
      provider: record.provider,
      previousStatus: previous === "calling" ? null : previous,
      status: record.status,
      errorCode: record.errorCode,
      error: record.error,
      occurredAt: at.toISOString(),
    },
  };
}
