import type { Http } from "../lib/http.ts";
import type { FailedOutcome, PlatformStatus, RawWebhook } from "../channels/adapter.ts";

/** The gateways that can carry SMS. Each has a file in `providers/`. */
export const SMS_PROVIDERS = ["twilio"] as const;
export type SmsProviderName = (typeof SMS_PROVIDERS)[number];

export interface SmsAccount {
  readonly providerId: string;
  readonly workspaceId: string;
  readonly provider: SmsProviderName;
  readonly apiUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Where the gateway sends receipts: `<public url>/hooks/sms/<providerId>`. */
  readonly statusUrl: string;
}

export interface OutboundSms {
  /** Our id of the message or of the OTP record; comes back with the receipt. */
  readonly id: string;
  /** Digits, no plus. */
  readonly to: string;
  readonly text: string;
  /** `A` forces UCS-2 where the gateway asks for it. */
  readonly lang: "E" | "A";
}

/** The contract's normal words for what a gateway answered (contract §5, OTP). */
export type SmsErrorCode =
  | "UNREACHABLE_NUMBER"
  | "INVALID_NUMBER"
  | "BLOCKED_BY_RECIPIENT"
  | "GATEWAY_UNAVAILABLE"
  | "GATEWAY_TIMEOUT"
  | "GATEWAY_RATE_LIMITED"
  | "GATEWAY_CREDIT"
  | "GATEWAY_AUTH"
  | "REJECTED";

export type SmsOutcome =
  | { readonly ok: true; readonly externalId: string }
  | (FailedOutcome & { readonly smsCode: SmsErrorCode });

export interface SmsReceipt {
  readonly externalMessageId: string;
  /** Our id, when the gateway handed it back. */
  readonly correlationId: string | null;
  readonly status: PlatformStatus;
  readonly occurredAt: Date | null;
  readonly errorCode: string | null;
  readonly errorDetail: string | null;
  readonly smsCode: SmsErrorCode | null;
  /** Set when a failure concerns more than this recipient. */
  readonly scope?: "recipient" | "template" | "account";
}

/** An inbound SMS (stop words matter even without an SMS inbox). */
export interface InboundSms {
  readonly externalMessageId: string;
  readonly from: string;
  readonly text: string;
}

export interface SmsProvider {
  readonly name: SmsProviderName;
  readonly defaultApiUrl: string;
  send(http: Http, account: SmsAccount, sms: OutboundSms): Promise<SmsOutcome>;
  /** `url` is the full address as the gateway called it. Constant time, never a throw. */
  verify(request: RawWebhook, url: string, account: SmsAccount): boolean;
  parse(request: RawWebhook): { receipts: SmsReceipt[]; inbound: InboundSms[] };
}
