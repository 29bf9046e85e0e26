import type { InboundEvent } from "../../adapter.ts";
import { idOrNull, record, records, textOrNull, type JsonRecord } from "../meta/json.ts";
import { readWhatsAppContent, readWords } from "./content.ts";
import type { WebhookChange } from "./parse.ts";

const PHONE = /^\d{5,20}$/;

/** One item of `messages[]`: a message, a change of an earlier one, or a customer's new number. */
export function readMessage(
  change: WebhookChange,
  accountExternalId: string,
  message: JsonRecord,
): InboundEvent[] {
  const externalMessageId = idOrNull(message["id"]);
  const occurredAt = change.timeOf(message["timestamp"]);
  // A group is not a conversation with one customer: an answer would go to one member's private chat.
  if (message["group_id"] !== undefined) return [];
  const original = readChangeOfEarlier(message);
  if (original !== null) {
    const { externalId, alternateId } = readSender(change, message) ?? {};
    const customerExternalIds = idsOf(externalId, alternateId);
    return [{ ...original, accountExternalId, customerExternalIds, occurredAt }];
  }
  const system = record(message["system"]);
  if (message["type"] === "system")
    return readNewNumber(accountExternalId, message, system, occurredAt);
  const from = readSender(change, message);
  const read = readWhatsAppContent(message, records(change.value["errors"]));
  if (externalMessageId === null || from === null || read === null) return [];
  return [{ kind: "message", accountExternalId, externalMessageId, from, occurredAt, ...read }];
}

/** One item of `message_echoes[]`: what the business wrote in the phone's own app (channels.md §2.6). */
export function readEcho(
  change: WebhookChange,
  accountExternalId: string,
  echo: JsonRecord,
): InboundEvent[] {
  const externalMessageId = idOrNull(echo["id"]);
  const occurredAt = change.timeOf(echo["timestamp"]);
  const original = readChangeOfEarlier(echo);
  const phone = phoneOf(echo["to"]);
  const userId = idOrNull(echo["to_user_id"]);
  if (original !== null) {
    const customerExternalIds = idsOf(phone, userId);
    return [{ ...original, accountExternalId, customerExternalIds, occurredAt }];
  }
  const externalId = phone ?? userId ?? idOrNull(echo["to"]);
  const content = readWhatsAppContent(echo)?.content;
  if (externalMessageId === null || externalId === null || content === undefined) return [];
  const other = userId !== null && userId !== externalId;
  const to = { externalId, phone, ...(other && { alternateId: userId }) };
  return [{ kind: "echo", accountExternalId, externalMessageId, to, occurredAt, content }];
}

const idsOf = (...ids: readonly (string | null | undefined)[]): string[] =>
  ids.filter((id) => id !== null && id !== undefined);

function readChangeOfEarlier(
  message: JsonRecord,
): { kind: "edited" | "deleted"; externalMessageId: string; text: string | null } | null {
  if (message["type"] === "revoke") {
    const id = idOrNull(record(message["revoke"])["original_message_id"]);
    return id === null ? null : { kind: "deleted", externalMessageId: id, text: null };
  }
  if (message["type"] === "edit") {
    const edit = record(message["edit"]);
    const id = idOrNull(edit["original_message_id"]);
    const words = readWords(record(edit["message"]));
    return id === null ? null : { kind: "edited", externalMessageId: id, text: words };
  }
  return null;
}

function readNewNumber(
  accountExternalId: string,
  message: JsonRecord,
  system: JsonRecord,
  occurredAt: Date,
): InboundEvent[] {
  // A customer without a visible number is named by the former user id, although the message itself may have the
  // new one.
  const from =
    phoneOf(message["from"]) ??
    idOrNull(system["previous_user_id"]) ??
    idOrNull(message["from_user_id"]) ??
    idOrNull(message["from"]);
  const userId = idOrNull(system["user_id"]);
  const to = idOrNull(system["wa_id"]) ?? idOrNull(system["new_wa_id"]) ?? userId;
  const type = textOrNull(system["type"]) ?? "";
  if (!type.startsWith("user_changed") || from === null || to === null) return [];
  return [
    {
      kind: "number_changed",
      accountExternalId,
      fromExternalId: from,
      toExternalId: to,
      ...(userId !== null && userId !== to && { alternateId: userId }),
      occurredAt,
    },
  ];
}

/**
 * The sender (channels.md §2.5, BSUID): by phone if there is one, else by the user id, with the other id beside
 * it. The name is the one of the contact with the same id, never simply the first of the batch.
 */
function readSender(
  change: WebhookChange,
  message: JsonRecord,
): Extract<InboundEvent, { kind: "message" }>["from"] | null {
  const { byNumber, byUserId, only } = change.contacts;
  const from = idOrNull(message["from"]);
  const named = idOrNull(message["from_user_id"]) ?? (phoneOf(from) === null ? from : null);
  // A message may leave out its sender: then the contact beside it names them.
  const isUnnamed = from === null && named === null;
  const contact = isUnnamed ? only : (byNumber.get(from ?? "") ?? byUserId.get(named ?? ""));
  const userId = isUnnamed ? idOrNull(contact?.["user_id"]) : named;
  const phone = phoneOf(from) ?? phoneOf(contact?.["wa_id"]);
  const externalId = phone ?? userId;
  if (externalId === null) return null;
  const profile = record(contact?.["profile"]);
  const alternateId = userId ?? idOrNull(contact?.["user_id"]);
  return {
    externalId,
    phone,
    name: textOrNull(profile["name"]) ?? textOrNull(profile["username"]),
    ...(alternateId !== null && alternateId !== externalId && { alternateId }),
  };
}

/** The digits of a phone number; null for a user id and for anything else. */
export function phoneOf(value: unknown): string | null {
  const id = idOrNull(value)?.replace(/^\+/, "") ?? "";
  return PHONE.test(id) ? id : null;
}
