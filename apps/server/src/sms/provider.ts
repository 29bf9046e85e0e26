import type { Context } from "../context.ts";
import type { Http } from "../lib/http.ts";
import type { FieldRules } from "./field-rule.ts";
import type { FailedOutcome, PlatformStatus, RawWebhook } from "../channels/adapter.ts";
import type { SmsProviderName } from "../wire/words.ts";

export interface SmsAccount {
  readonly providerId: string;
  readonly workspaceId: string;
  readonly provider: SmsProviderName;
  readonly apiUrl: string;
  /** True when a workspace set `apiUrl`: the account is then called through the address guard (`httpFor`). */
  readonly guarded?: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Where the gateway sends receipts: `<public url>/hooks/sms/<providerId>`. */
  readonly statusUrl: string;
}

export interface OutboundSms {
  /** Our id of the message or of the OTP record. It comes back with the receipt. */
  readonly id: string;
  /** Digits, no plus. */
  readonly to: string;
  readonly text: string;
  /** `A` forces UCS-2 at gateways that ask for it. */
  readonly lang: "E" | "A";
}

/** The contract's normal words for what a gateway answered (contract §5, OTP). */
export const SMS_ERROR_CODES = [
  "UNREACHABLE_NUMBER",
  "INVALID_NUMBER",
  "BLOCKED_BY_RECIPIENT",
  "GATEWAY_UNAVAILABLE",
  "GATEWAY_TIMEOUT",
  "GATEWAY_RATE_LIMITED",
  "GATEWAY_CREDIT",
  "GATEWAY_AUTH",
  "REJECTED",
] as const;
export type SmsErrorCode = (typeof SMS_ERROR_CODES)[number];

export type SmsOutcome =
  | { readonly ok: true; readonly externalId: string }
  | (FailedOutcome & { readonly smsCode: SmsErrorCode });

/** A gateway's id of a message, as it is stored: without NUL, and no longer than an index holds. */
export function keptId(id: string): string {
  return id.replaceAll("\0", "").slice(0, 500);
}

export interface SmsReceipt {
  readonly externalMessageId: string;
  /** Our id, if the gateway returned it. */
  readonly correlationId: string | null;
  readonly status: PlatformStatus;
  readonly occurredAt: Date | null;
  readonly errorCode: string | null;
  readonly errorDetail: string | null;
  readonly smsCode: SmsErrorCode | null;
  /** Set when a failure affects more than this recipient. */
  readonly scope?: "recipient" | "template" | "account";
  /** Set when a failure means that the recipient opted out. */
  readonly optedOut?: boolean;
  /**
   * A late answer to the call itself. The credits come back, except those of the parts that the gateway had
   * accepted by then.
   */
  readonly refused?: { readonly partsTaken: number };
}

/** An inbound SMS. Stop words matter even without an SMS inbox. */
export interface InboundSms {
  /** The gateway's id of the message; "" where it gives none. A repeated call is known by it. */
  readonly externalMessageId: string;
  /** The number as the gateway gives it: with or without plus, perhaps national. */
  readonly from: string;
  readonly text: string;
  /** True when the gateway calls the sender's number a national one. */
  readonly national?: boolean;
  /** When the customer wrote it, where the gateway says so. */
  readonly writtenAt?: Date;
  /** The gateway itself read the message as this wish (Twilio's Advanced Opt-Out), whatever its words. */
  readonly wish?: "stop" | "start";
}

/** The means by which a gateway may reach the network; the context has them all. */
export interface SmsLines extends Pick<Context, "smpp"> {
  readonly providerHttp: Http;
  readonly guardedHttp: Http;
}

export interface SmsProvider {
  readonly name: SmsProviderName;
  /** Null: every account has its own address, which must be given. "": the fields contain it. */
  readonly defaultApiUrl: string | null;
  /** Schemes of `apiUrl`. Default http and https. */
  readonly apiUrlSchemes?: readonly string[];
  /** The fields of an account. The command line uses the same names as flags. */
  readonly fields: FieldRules;
  /** The address that an account calls, when its fields contain it. Judged when a workspace sets it. */
  readonly addressIn?: (secrets: SmsAccount["secrets"]) => string;
  /** A fault of the fields together, under the name of one of them; null when they fit. */
  readonly check?: (
    account: Pick<SmsAccount, "settings" | "secrets">,
  ) => { readonly field: string; readonly words: string } | null;
  /**
   * True when receipts or inbound messages come only after their address was entered at the gateway. `setProvider`
   * then gives that address.
   */
  readonly receiptsByHand?: true;
  /** Whether with `lang` A this account sends as UCS-2 what GSM-7 could carry, which costs more. Absent: never. */
  readonly forcesUcs2?: (account: Pick<SmsAccount, "settings" | "secrets">) => boolean;
  /**
   * The text that this gateway is really sent, when it differs from the given one. It decides what the message
   * costs.
   */
  readonly clean?: (text: string) => string;
  /** The least time between two calls of a campaign, in ms: the gateway blocks faster callers. */
  readonly gapMs?: number;
  send(lines: SmsLines, account: SmsAccount, sms: OutboundSms): Promise<SmsOutcome>;
  /** `url` is the full address as the gateway called it. Takes constant time and never throws. */
  verify(request: RawWebhook, url: string, account: SmsAccount): boolean;
  /** Asks for a receipt, at gateways that call nobody back. Null: nothing is known yet, or no answer came. */
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
