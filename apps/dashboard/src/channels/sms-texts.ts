import { t } from "../text/t.ts";
import { smsFieldTexts } from "./sms-fields.ts";
import type { AnswerOf } from "../api/call.ts";

export type Gateway = AnswerOf<"readSms">["gateways"][number];
export type GatewayName = Gateway["provider"];
type SmsField = Gateway["fields"][number];

/** The name of a value as people read it; the gateway's address has one too. */
export function smsFieldName(name: string): string {
  if (name === "apiUrl") return t("sms.field.apiUrl");
  const known = smsFieldTexts("", name);
  return known ? t(known[0]) : name;
}

/** Where a person finds the value, below its field. */
export function smsFieldFound(provider: GatewayName, name: string): string | undefined {
  const known = smsFieldTexts(provider, name);
  return known && t(known[1]);
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
