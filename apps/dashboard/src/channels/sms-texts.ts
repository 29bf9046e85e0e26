import { t, type PlainKey } from "../text/t.ts";
import type { AnswerOf } from "../api/call.ts";

export type Gateway = AnswerOf<"readSms">["gateways"][number];
export type GatewayName = Gateway["provider"];
type SmsField = Gateway["fields"][number];

/** Every value of every gateway by its name in the contract: its label, and what it is for. */
const FIELDS: Readonly<Record<string, readonly [label: PlainKey, hint?: PlainKey]>> = {
  accountSid: ["sms.field.accountSid", "sms.field.accountSid.hint"],
  authToken: ["sms.field.authToken", "sms.field.authToken.hint"],
  from: ["sms.field.from", "sms.field.from.hint"],
  apiKey: ["sms.field.apiKey"],
  apiSecret: ["sms.field.apiSecret"],
  signatureSecret: ["sms.field.signatureSecret"],
  signatureMethod: ["sms.field.signatureMethod", "sms.field.signatureMethod.hint"],
  appSid: ["sms.field.appSid"],
  username: ["sms.field.username"],
  password: ["sms.field.password"],
  systemId: ["sms.field.systemId"],
  systemType: ["sms.field.systemType"],
  receiptIds: ["sms.field.receiptIds", "sms.field.receiptIds.hint"],
  countryCode: ["sms.field.countryCode", "sms.field.countryCode.hint"],
  url: ["sms.field.url", "sms.field.url.hint"],
  method: ["sms.field.method", "sms.field.method.hint"],
  headers: ["sms.field.headers", "sms.field.headers.hint"],
  body: ["sms.field.body", "sms.field.body.hint"],
  bodyForm: ["sms.field.bodyForm", "sms.field.bodyForm.hint"],
  langE: ["sms.field.langE"],
  langA: ["sms.field.langA"],
  success: ["sms.field.success", "sms.field.success.hint"],
  messageId: ["sms.field.messageId", "sms.field.success.hint"],
  errorCode: ["sms.field.errorCode", "sms.field.success.hint"],
  errorCodes: ["sms.field.errorCodes", "sms.field.errorCodes.hint"],
  maxParts: ["sms.field.maxParts"],
  receiptId: ["sms.field.receiptId"],
  receiptStatus: ["sms.field.receiptStatus"],
  receiptDelivered: ["sms.field.receiptDelivered"],
  receiptFailed: ["sms.field.receiptFailed"],
  inboundFrom: ["sms.field.inboundFrom"],
  inboundText: ["sms.field.inboundText"],
  apiUrl: ["sms.field.apiUrl"],
};

/** The name of a value as people read it. */
export function smsFieldName(name: string): string {
  const known = FIELDS[name];
  return known ? t(known[0]) : name;
}

/** The text below its field; undefined: none. */
export function smsFieldHint({ name }: SmsField): string | undefined {
  const hint = FIELDS[name]?.[1];
  return hint && t(hint);
}

/** The values that a usual account of a gateway needs first; the rest is optional. */
export const isFirst = ({ name, required }: SmsField): boolean => required || name === "from";

const CODES = [
  "GATEWAY_AUTH",
  "GATEWAY_CREDIT",
  "GATEWAY_UNAVAILABLE",
  "GATEWAY_TIMEOUT",
  "GATEWAY_RATE_LIMITED",
  "INVALID_NUMBER",
  "UNREACHABLE_NUMBER",
  "BLOCKED_BY_RECIPIENT",
  "REJECTED",
] as const;

/** The meaning of a gateway's refusal of a test, with advice. */
export function smsErrorText(code: string | null): string {
  const known = CODES.find((one) => one === code) ?? "REJECTED";
  return t(`sms.error.${known}`);
}
