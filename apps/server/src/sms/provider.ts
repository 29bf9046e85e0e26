import type { Context } from "../context.ts";
import type { Http } from "../lib/http.ts";
import type { FieldRules } from "./field-rule.ts";
import type { FailedOutcome, PlatformStatus, RawWebhook } from "../channels/adapter.ts";

/** The gateways that can carry SMS. Each has a file in `providers/`. */
export const SMS_PROVIDERS = [
  "twilio",
  "vonage",
  "infobip",
  "unifonic",
  "kwtsms",
  "http",
  "smpp",
] as const;
export type SmsProviderName = (typeof SMS_PROVIDERS)[number];

export interface SmsAccount {
  readonly providerId: string;
  readonly workspaceId: string;
  readonly provider: SmsProviderName;
  readonly apiUrl: string;
  /** True when a workspace set `apiUrl`: it is called through the address guard (`httpFor`). */
  readonly guarded?: boolean;
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

/** A gateway's id of a message, as it is kept: without NUL, and no longer than an index holds. */
export function keptId(id: string): string {
  return id.replaceAll("\0", "").slice(0, 500);
}

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
  /** Set when a failure says that the recipient opted out. */
  readonly optedOut?: boolean;
  /**
   * The gateway's answer to the call itself, late: the credits come back but for those of the parts that it had taken by
   * then.
   */
  readonly refused?: { readonly partsTaken: number };
}

/** An inbound SMS (stop words matter even without an SMS inbox). */
export interface InboundSms {
  readonly externalMessageId: string;
  /** As the gateway says it: with or without plus, national perhaps. */
  readonly from: string;
  readonly text: string;
  /** True when the gateway calls the sender's number a national one. */
  readonly national?: boolean;
  /** The gateway itself took the message as this wish (Twilio's Advanced Opt-Out), whatever its words. */
  readonly wish?: "stop" | "start";
}

/** The ways out of the process that a gateway may take: the context has them all. */
export interface SmsLines extends Pick<Context, "smpp"> {
  readonly providerHttp: Http;
  readonly guardedHttp: Http;
}

export interface SmsProvider {
  readonly name: SmsProviderName;
  /** Null: every account has its own, which must be given. "": the fields say it all. */
  readonly defaultApiUrl: string | null;
  /** Schemes of `apiUrl`. Default http and https. */
  readonly apiUrlSchemes?: readonly string[];
  /** What an account is made of. The command line takes the same names as flags. */
  readonly fields: FieldRules;
  /** The address that such an account calls, where its fields have it: judged when a workspace sets it. */
  readonly addressIn?: (secrets: SmsAccount["secrets"]) => string;
  /** A fault of the fields together, by the name of one of them; null when they fit. */
  readonly check?: (
    account: Pick<SmsAccount, "settings" | "secrets">,
  ) => { readonly field: string; readonly words: string } | null;
  /** True when receipts or inbound messages come only after their address was entered at the gateway; `setProvider` then gives it. */
  readonly receiptsByHand?: true;
  /** Whether this account's `lang` A sends as UCS-2 what GSM-7 could carry: then it costs as such. Absent: never. */
  readonly forcesUcs2?: (account: Pick<SmsAccount, "settings" | "secrets">) => boolean;
  /** The text as this gateway is sent it, where that is not the one that was asked for: what is sent is what it costs. */
  readonly clean?: (text: string) => string;
  /** Milliseconds between two calls of a campaign, at least: the gateway shuts out faster callers. */
  readonly gapMs?: number;
  send(lines: SmsLines, account: SmsAccount, sms: OutboundSms): Promise<SmsOutcome>;
  /** `url` is the full address as the gateway called it. Constant time, never a throw. */
  verify(request: RawWebhook, url: string, account: SmsAccount): boolean;
  /** Asks for a receipt, where the gateway calls nobody back. Null: nothing is known yet, or no answer came. */
  readonly lookUp?: (
    lines: SmsLines,
    account: SmsAccount,
    externalId: string,
  ) => Promise<SmsReceipt | null>;
  parse(
    request: RawWebhook,
    account: Pick<SmsAccount, "settings">,
  ): { receipts: SmsReceipt[]; inbound: InboundSms[] };
}
