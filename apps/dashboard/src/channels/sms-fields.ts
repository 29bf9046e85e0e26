import type { PlainKey } from "../text/t.ts";

/** How a value of a gateway's account is asked for: its name, and where a person finds it. */
export type SmsFieldTexts = readonly [label: PlainKey, found: PlainKey];

/** Every value by its name in the contract. */
const FIELDS = {
  accountSid: ["sms.field.accountSid", "sms.field.accountSid.hint"],
  authToken: ["sms.field.authToken", "sms.field.authToken.hint"],
  from: ["sms.field.from", "sms.field.from.hint"],
  apiKey: ["sms.field.apiKey", "sms.field.apiKey.infobip"],
  apiSecret: ["sms.field.apiSecret", "sms.field.apiSecret.hint"],
  signatureSecret: ["sms.field.signatureSecret", "sms.field.signatureSecret.hint"],
  signatureMethod: ["sms.field.signatureMethod", "sms.field.signatureMethod.hint"],
  appSid: ["sms.field.appSid", "sms.field.appSid.hint"],
  username: ["sms.field.username", "sms.field.username.hint"],
  password: ["sms.field.password", "sms.field.password.kwtsms"],
  systemId: ["sms.field.systemId", "sms.field.systemId.hint"],
  systemType: ["sms.field.systemType", "sms.field.systemType.hint"],
  receiptIds: ["sms.field.receiptIds", "sms.field.receiptIds.hint"],
  countryCode: ["sms.field.countryCode", "sms.field.countryCode.hint"],
  url: ["sms.field.url", "sms.field.url.hint"],
  method: ["sms.field.method", "sms.field.method.hint"],
  headers: ["sms.field.headers", "sms.field.headers.hint"],
  body: ["sms.field.body", "sms.field.body.hint"],
  bodyForm: ["sms.field.bodyForm", "sms.field.bodyForm.hint"],
  langE: ["sms.field.langE", "sms.field.lang.hint"],
  langA: ["sms.field.langA", "sms.field.lang.hint"],
  success: ["sms.field.success", "sms.field.success.hint"],
  messageId: ["sms.field.messageId", "sms.field.messageId.hint"],
  errorCode: ["sms.field.errorCode", "sms.field.errorCode.hint"],
  errorCodes: ["sms.field.errorCodes", "sms.field.errorCodes.hint"],
  maxParts: ["sms.field.maxParts", "sms.field.maxParts.hint"],
  receiptId: ["sms.field.receiptId", "sms.field.receipt.hint"],
  receiptStatus: ["sms.field.receiptStatus", "sms.field.receipt.hint"],
  receiptDelivered: ["sms.field.receiptDelivered", "sms.field.receipt.hint"],
  receiptFailed: ["sms.field.receiptFailed", "sms.field.receipt.hint"],
  inboundFrom: ["sms.field.inboundFrom", "sms.field.inbound.hint"],
  inboundText: ["sms.field.inboundText", "sms.field.inbound.hint"],
} as const satisfies Readonly<Record<string, SmsFieldTexts>>;

/** Where a gateway keeps a value that others have too. */
const AT_GATEWAY: Readonly<Record<string, PlainKey>> = {
  "twilio from": "sms.field.from.twilio",
  "vonage from": "sms.field.from.vonage",
  "infobip from": "sms.field.from.infobip",
  "unifonic from": "sms.field.from.unifonic",
  "kwtsms from": "sms.field.from.kwtsms",
  "vonage apiKey": "sms.field.apiKey.vonage",
  "smpp password": "sms.field.password.smpp",
};

/** The texts of a value of a gateway; undefined: the page does not know it. */
export function smsFieldTexts(provider: string, name: string): SmsFieldTexts | undefined {
  const all: Readonly<Record<string, SmsFieldTexts>> = FIELDS;
  const known = Object.hasOwn(all, name) ? all[name] : undefined;
  return known && [known[0], AT_GATEWAY[`${provider} ${name}`] ?? known[1]];
}
