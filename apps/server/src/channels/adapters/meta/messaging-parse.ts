import type { InboundEvent, RawWebhook } from "../../adapter.ts";
import {
  idOrNull,
  number,
  parseJsonKeepingIds,
  record,
  records,
  textOrNull,
  type JsonRecord,
} from "./json.ts";
import { withoutNulls } from "../attachment-facts.ts";
import { readMessagingContent, readReferral } from "./messaging-content.ts";
import { readMarks } from "./messaging-marks.ts";
import { clockOf } from "./time.ts";

/** One item of `messaging[]`, of `standby[]`, or of a change in their form. */
export interface Item {
  readonly value: JsonRecord;
  /** The page or the Instagram account: `entry.id`. */
  readonly accountExternalId: string;
  readonly senderId: string | null;
  readonly recipientId: string | null;
  readonly occurredAt: Date;
  /** The platform's own time, the same in every call that repeats it. `occurredAt` is never later than our clock. */
  readonly stamp: string;
  readonly timeOf: (value: unknown) => Date;
}

/**
 * Every fact in a call of Messenger (`page`) or Instagram (channels.md §3.2, §4.2): all entries, `messaging`,
 * `standby` (another app owns the thread: stored all the same) and `changes`, each naming its own account. Unknown
 * shapes are left out, and so is the platform's "Test" button, which uses the account 0. Throws only when the body
 * is not JSON.
 */
export function parseMessaging(request: RawWebhook, object: "page" | "instagram"): InboundEvent[] {
  const envelope = record(parseJsonKeepingIds(request.body.toString("utf8")));
  if (envelope["object"] !== object) return [];
  return records(envelope["entry"]).flatMap((entry) => {
    const accountExternalId = idOrNull(entry["id"]);
    if (accountExternalId === null || accountExternalId === "0") return [];
    const timeOf = clockOf(entry["time"], request.receivedAt);
    const values = [
      ...records(entry["messaging"]),
      ...records(entry["standby"]),
      ...records(entry["changes"]).map(fromChange),
    ];
    return values.flatMap((value) => {
      const occurredAt = timeOf(value["timestamp"]);
      return readItem({
        value,
        accountExternalId,
        senderId: idOrNull(record(value["sender"])["id"]),
        recipientId: idOrNull(record(value["recipient"])["id"]),
        occurredAt,
        stamp: idOrNull(value["timestamp"] ?? entry["time"]) ?? String(occurredAt.getTime()),
        timeOf,
      });
    });
  });
}

/** A change names in `field` the member that an item has. */
function fromChange(change: JsonRecord): JsonRecord {
  const value = record(change["value"]);
  const named: JsonRecord = { ...value, sender: value["sender"] ?? value["from"] };
  const bare = (member: string) => Object.keys(record(value[member])).length === 0;
  switch (change["field"]) {
    case "message_edit":
    case "message_edits":
      return bare("message_edit") ? { ...named, message_edit: value } : named;
    case "message_reactions":
      return bare("reaction") ? { ...named, reaction: value } : named;
    case "messaging_seen":
      return bare("read") ? { ...named, read: value } : named;
    default:
      return named;
  }
}

function readItem(item: Item): InboundEvent[] {
  const { value } = item;
  const has = (member: string) => Object.keys(record(value[member])).length > 0;
  if (has("message")) return readMessage(item, record(value["message"]));
  if (has("postback")) return readPostback(item, record(value["postback"]));
  if (has("reaction")) return readReaction(item, record(value["reaction"]));
  if (has("message_edit")) return readEdit(item, record(value["message_edit"]));
  if (has("delivery") || has("read")) return readMarks(item);
  if (has("referral")) return readArrival(item, record(value["referral"]));
  return [];
}

function readMessage(item: Item, message: JsonRecord): InboundEvent[] {
  const { accountExternalId, senderId, recipientId, occurredAt } = item;
  const externalMessageId = idOrNull(message["mid"]);
  if (externalMessageId === null) return [];
  // Withdrawn, by either side.
  if (message["is_deleted"] === true)
    return [{ kind: "deleted", accountExternalId, externalMessageId, text: null, occurredAt }];
  const content = readMessagingContent(message, item.value);
  if (message["is_echo"] === true || senderId === accountExternalId) {
    // The customer is the recipient. An account that writes to itself (`is_self`) has none.
    if (recipientId === null || recipientId === accountExternalId) return [];
    return [
      {
        kind: "echo",
        accountExternalId,
        externalMessageId,
        to: { externalId: recipientId, phone: null },
        occurredAt,
        content,
        maybeOurs: true,
        correlationId: textOrNull(message["metadata"]),
      },
    ];
  }
  // Whatever a customer sends opens the window, even when it is not shown to us (channels.md §3.3).
  return inbound(item, externalMessageId, content, true);
}

function inbound(
  { accountExternalId, senderId, occurredAt }: Item,
  externalMessageId: string,
  content: Extract<InboundEvent, { kind: "message" }>["content"],
  opensWindow: boolean,
): InboundEvent[] {
  if (senderId === null || senderId === accountExternalId) return [];
  const from = { externalId: senderId, phone: null, name: null };
  return [
    {
      kind: "message",
      accountExternalId,
      externalMessageId,
      from,
      occurredAt,
      content,
      opensWindow,
    },
  ];
}

/** A pressed button. Old ones have no id, but their text, sender and time identify them as well. */
function readPostback(item: Item, postback: JsonRecord): InboundEvent[] {
  const words = textOrNull(postback["title"]);
  const payload = textOrNull(postback["payload"]);
  const made = `postback.${item.senderId}.${item.stamp}.${payload ?? words}`;
  const referral = readReferral(postback["referral"]) ?? readReferral(item.value["referral"]);
  const pressed = withoutNulls({ type: "button", text: words, payload });
  const attachments = referral === null ? [pressed] : [pressed, referral];
  const id = idOrNull(postback["mid"]) ?? made.slice(0, 500);
  return inbound(item, id, { type: "button", text: words, attachments }, true);
}

/**
 * A reaction to a message, or its withdrawal (no emoji). It is not a message of the customer: the window stays
 * closed.
 */
function readReaction(item: Item, reaction: JsonRecord): InboundEvent[] {
  const messageId = idOrNull(reaction["mid"]);
  if (messageId === null) return [];
  const taken = reaction["action"] === "unreact";
  const emoji = taken ? null : (textOrNull(reaction["emoji"]) ?? textOrNull(reaction["reaction"]));
  const attachments = [withoutNulls({ type: "reaction", messageId, emoji })];
  const id = `reaction.${messageId}.${item.senderId}.${item.stamp}`;
  return inbound(item, id, { type: "reaction", text: emoji, attachments }, false);
}

function readEdit(item: Item, edit: JsonRecord): InboundEvent[] {
  const externalMessageId = idOrNull(edit["mid"]);
  const words = textOrNull(edit["text"]);
  // Instagram also tells of new messages as edits without an editor: without words, and with `num_edit` 0.
  if (externalMessageId === null || number(edit["num_edit"]) === 0) return [];
  const { accountExternalId, occurredAt } = item;
  return [{ kind: "edited", accountExternalId, externalMessageId, text: words, occurredAt }];
}

/** The customer came by a link or an advertisement and has not written. Only an advertisement opens the window. */
function readArrival(item: Item, value: JsonRecord): InboundEvent[] {
  const referral = readReferral(value);
  if (referral === null) return [];
  const ref = textOrNull(value["ref"]) ?? idOrNull(value["ad_id"]) ?? "";
  const id = `referral.${item.senderId}.${item.stamp}.${ref}`.slice(0, 500);
  const content = { type: "referral", text: null, attachments: [referral] };
  return inbound(item, id, content, value["source"] === "ADS");
}
