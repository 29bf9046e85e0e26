import type { InboundEvent, RawWebhook } from "../../adapter.ts";
import { idOrNull, parseJsonKeepingIds, record, records, textOrNull } from "../meta/json.ts";
import type { JsonRecord } from "../meta/json.ts";
import { failedToLoad } from "./content.ts";
import { readAccountNews } from "./parse-account.ts";
import { phoneOf, readMessage, readEcho } from "./parse-messages.ts";
import { readStatus } from "./parse-statuses.ts";
import { describeError } from "../meta/graph-error.ts";
import { clockOf } from "../meta/time.ts";
import { meaningOfWhatsAppCode } from "./codes.ts";

/** What every item of one `changes[]` entry shares. */
export interface WebhookChange {
  readonly field: string;
  readonly value: JsonRecord;
  /** The business that owns the number: `entry.id`. */
  readonly wabaId: string | null;
  /** The number: `metadata.phone_number_id`. Absent from news of templates and accounts. */
  readonly numberId: string | null;
  /** Reads a platform's time. A missing or future time becomes the time of the call. */
  readonly timeOf: (value: unknown) => Date;
  /** `value.contacts` by number and by user id, the first of each: a call may hold thousands. */
  readonly contacts: {
    readonly byNumber: ReadonlyMap<string, JsonRecord>;
    readonly byUserId: ReadonlyMap<string, JsonRecord>;
    /** The customer of a call whose items name none: its contact, when there is only one. */
    readonly only: JsonRecord | null;
  };
}

/**
 * Every fact in a call (channels.md §2.5–2.10): all entries, all changes, all items, each naming its own account.
 * Unknown fields, types and shapes are left out. Throws only when the body is not JSON.
 */
export function parseWhatsApp(request: RawWebhook): InboundEvent[] {
  const envelope = record(parseJsonKeepingIds(request.body.toString("utf8")));
  if (envelope["object"] !== "whatsapp_business_account") return [];
  return records(envelope["entry"]).flatMap((entry) =>
    records(entry["changes"]).flatMap((change) => {
      const value = record(change["value"]);
      return readChange({
        field: textOrNull(change["field"]) ?? "",
        value,
        wabaId: idOrNull(entry["id"]),
        numberId: idOrNull(record(value["metadata"])["phone_number_id"]),
        timeOf: clockOf(entry["time"], request.receivedAt),
        contacts: contactsOf(value),
      });
    }),
  );
}

function contactsOf(value: JsonRecord): WebhookChange["contacts"] {
  const all = records(value["contacts"]).toReversed();
  const by = (member: string) =>
    new Map(
      all.flatMap((one): [string, JsonRecord][] => {
        const id = idOrNull(one[member]);
        return id === null ? [] : [[id, one]];
      }),
    );
  const [only = null, ...more] = all;
  return {
    byNumber: by("wa_id"),
    byUserId: by("user_id"),
    only: more.length === 0 ? only : null,
  };
}

function readChange(change: WebhookChange): InboundEvent[] {
  const { value, numberId } = change;
  switch (change.field) {
    case "messages":
      if (numberId === null) return [];
      return [
        ...records(value["messages"]).flatMap((item) => readMessage(change, numberId, item)),
        ...records(value["statuses"]).flatMap((item) => readStatus(change, numberId, item)),
        ...accountErrors(value).flatMap((item) => readAccountError(change, numberId, item)),
      ];
    case "smb_message_echoes":
      if (numberId === null) return [];
      return records(value["message_echoes"]).flatMap((item) => readEcho(change, numberId, item));
    case "user_preferences":
      if (numberId === null) return [];
      return records(value["user_preferences"]).flatMap((item) =>
        readPreference(change, numberId, item),
      );
    case "user_id_update":
      if (numberId === null) return [];
      return records(value["user_id_update"]).flatMap((item) =>
        readNewUserId(change, numberId, item),
      );
    default:
      return readAccountNews(change);
  }
}

/**
 * `value.errors[]`, except when they explain why a message beside them has no body: that is no trouble of the
 * account.
 */
function accountErrors(value: JsonRecord): JsonRecord[] {
  const errors = records(value["errors"]);
  const explained = records(value["messages"]).some((message) => failedToLoad(message, errors));
  return explained ? [] : errors;
}

/** `value.errors[]` without a message: trouble of the number as a whole (channels.md §2.7). */
function readAccountError(
  change: WebhookChange,
  numberId: string,
  error: JsonRecord,
): InboundEvent[] {
  const code = idOrNull(error["code"]);
  if (code === null) return [];
  return [
    {
      kind: "account_alert",
      accountExternalId: numberId,
      businessId: change.wabaId,
      code,
      detail: describeError(error),
      blocking: meaningOfWhatsAppCode(code)?.reason === "misconfigured",
      occurredAt: change.timeOf(undefined),
    },
  ];
}

function readPreference(change: WebhookChange, numberId: string, item: JsonRecord): InboundEvent[] {
  const userId = idOrNull(item["user_id"]);
  const customer = idOrNull(item["wa_id"]) ?? userId;
  const value = textOrNull(item["value"])?.toLowerCase();
  if (customer === null || !["stop", "resume", "signup"].includes(value ?? "")) return [];
  return [
    {
      kind: "preference",
      accountExternalId: numberId,
      customerExternalId: customer,
      ...(userId !== null && userId !== customer && { alternateId: userId }),
      optedOut: value === "stop",
      occurredAt: change.timeOf(item["timestamp"]),
    },
  ];
}

/**
 * A customer has another user id from now on (Meta, "Business-scoped user IDs": field `user_id_update`), beside
 * the number if that is told. If we missed it, a customer without a visible number would become a new contact.
 */
function readNewUserId(change: WebhookChange, numberId: string, item: JsonRecord): InboundEvent[] {
  const { previous, current } = record(item["user_id"]);
  const [from, userId] = [idOrNull(previous), idOrNull(current)];
  if (from === null || userId === null || from === userId) return [];
  const phone = phoneOf(item["wa_id"]);
  return [
    {
      kind: "number_changed",
      accountExternalId: numberId,
      fromExternalId: from,
      toExternalId: phone ?? userId,
      ...(phone !== null && { alternateId: userId }),
      occurredAt: change.timeOf(item["timestamp"]),
    },
  ];
}
