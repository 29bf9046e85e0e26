import type { InboundEvent, PlatformStatus } from "../../adapter.ts";
import { describeError } from "../meta/graph-error.ts";
import { idOrNull, records, textOrNull, type JsonRecord } from "../meta/json.ts";
import { isUnpaid, storedWhatsAppCode, scopeOfStatus, meaningOfWhatsAppCode } from "./codes.ts";
import { phoneOf } from "./parse-messages.ts";
import type { WebhookChange } from "./parse.ts";

/** `played` is a voice note that was listened to: read. `deleted` and `warning` are not steps of a message. */
const STATUSES: Readonly<Record<string, PlatformStatus>> = {
  sent: "sent",
  delivered: "delivered",
  read: "read",
  played: "read",
  failed: "failed",
};

/**
 * One item of `statuses[]` (channels.md §2.7). A failure that is the account's fault (lock, payment) gives two events:
 * the message's status and an alert, because many of them show only here. A lock stops the channel.
 */
export function readStatus(
  change: WebhookChange,
  accountExternalId: string,
  item: JsonRecord,
): InboundEvent[] {
  const externalMessageId = idOrNull(item["id"]);
  const word = textOrNull(item["status"]) ?? "";
  const status = Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
  if (externalMessageId === null || status === undefined) return [];
  const event = {
    kind: "status",
    accountExternalId,
    externalMessageId,
    correlationId: idOrNull(item["biz_opaque_callback_data"]),
    status,
    occurredAt: change.timeOf(item["timestamp"]),
  } as const;
  if (status !== "failed")
    return [{ ...event, errorCode: null, errorDetail: null, ...readCustomer(change, item) }];
  const error = records(item["errors"])[0] ?? {};
  const code = idOrNull(error["code"]);
  const detail = describeError(error);
  const verdict = code === null ? null : meaningOfWhatsAppCode(code);
  const failed: InboundEvent = {
    ...event,
    errorCode: code === null ? "REJECTED" : storedWhatsAppCode(code),
    errorDetail: detail,
    scope: scopeOfStatus(verdict),
    ...(verdict?.reason === "opted_out" && { optedOut: true }),
  };
  const blocking = verdict?.reason === "misconfigured";
  if (code === null || !(blocking || isUnpaid(code))) return [failed];
  const businessId = change.wabaId;
  const { occurredAt } = event;
  const alert = { accountExternalId, businessId, code, detail, blocking, occurredAt };
  return [failed, { kind: "account_alert", ...alert }];
}

/**
 * By the same key as the sender of a message. A failure repeats the number that we wrote to, which may belong to
 * nobody.
 */
function readCustomer(
  change: WebhookChange,
  item: JsonRecord,
): Pick<Extract<InboundEvent, { kind: "status" }>, "customer"> {
  const recipient = idOrNull(item["recipient_id"]);
  const phone = phoneOf(recipient);
  const contact = change.contacts.byNumber.get(recipient ?? "");
  const userId = idOrNull(item["recipient_user_id"]) ?? idOrNull(contact?.["user_id"]);
  const externalId = phone ?? userId ?? recipient;
  if (externalId === null) return {};
  const other = userId !== null && userId !== externalId;
  return { customer: { externalId, ...(other && { alternateId: userId }) } };
}
