import type { ChannelAccount, InboundEvent, RawWebhook } from "../../adapter.ts";
import { idOrNull, number, record, records, textOrNull, type JsonRecord } from "../meta/json.ts";
import { fullName, readTelegramContent, readPlace, startPayload } from "./content.ts";
import { withoutNulls } from "../attachment-facts.ts";
import { messageKey } from "./outcome.ts";

/** The updates that we ask the platform for: exactly those that `parseTelegram` reads. */
export const ALLOWED_UPDATES = ["message", "edited_message", "callback_query", "my_chat_member"];

/** Marks the id of a pressed button, so that the platform can be told that it was stored. */
export const CALLBACK_PREFIX = "callback:";

export interface UpdateFacts {
  /** The bot. An update does not name it; the address that was called does. */
  readonly accountExternalId: string;
  readonly receivedAt: Date | undefined;
}

/** The facts in one call. Throws only when the body is not JSON. */
export function parseTelegram(
  request: RawWebhook,
  account: Pick<ChannelAccount, "externalId">,
): InboundEvent[] {
  const update: unknown = JSON.parse(request.body.toString("utf8"));
  const { receivedAt } = request;
  return readUpdate({ accountExternalId: account.externalId, receivedAt }, record(update));
}

/**
 * The facts in one update (channels.md §5.3). Private chats only: a group is not a conversation with one customer.
 * Unknown updates are left out.
 */
export function readUpdate(reading: UpdateFacts, update: JsonRecord): InboundEvent[] {
  if ("message" in update) return readMessage(reading, record(update["message"]));
  if ("edited_message" in update) return readEdit(reading, record(update["edited_message"]));
  if ("callback_query" in update) return readPress(reading, record(update["callback_query"]));
  if ("my_chat_member" in update) return readMembership(reading, record(update["my_chat_member"]));
  return [];
}

function readMessage(reading: UpdateFacts, message: JsonRecord): InboundEvent[] {
  const { accountExternalId } = reading;
  const key = keyOf(message);
  const content = key && readTelegramContent(message, key.chatId);
  if (key === null || content === null) return [];
  const occurredAt = timeOf(reading, message["date"]);
  const from = { externalId: key.chatId, phone: null, name: nameOf(message) };
  const events: InboundEvent[] = [
    {
      kind: "message",
      accountExternalId,
      externalMessageId: key.id,
      from,
      occurredAt,
      content,
      opensWindow: true,
    },
  ];
  // A bare /start is a start word like any other; one with a payload means the same (channels.md §5.3).
  if (startPayload(message) !== null)
    events.push({
      kind: "preference",
      accountExternalId,
      customerExternalId: key.chatId,
      optedOut: false,
      occurredAt,
    });
  return events;
}

function readEdit(reading: UpdateFacts, message: JsonRecord): InboundEvent[] {
  const key = keyOf(message);
  if (key === null) return [];
  const occurredAt = timeOf(reading, message["edit_date"] ?? message["date"]);
  const words = textOrNull(message["text"]) ?? textOrNull(message["caption"]);
  const { accountExternalId } = reading;
  // A live location comes as an edit each time it moves.
  const moves = "location" in message && !("venue" in message);
  const place = moves ? readPlace(record(message["location"])) : null;
  return [
    {
      kind: "edited",
      accountExternalId,
      externalMessageId: key.id,
      text: words,
      ...(place !== null && { place }),
      occurredAt,
    },
  ];
}

/** A pressed button reads as a message with the button's label, together with its payload. */
function readPress(reading: UpdateFacts, query: JsonRecord): InboundEvent[] {
  const id = idOrNull(query["id"]);
  const person = record(query["from"]);
  const message = record(query["message"]);
  const chat = record(message["chat"]);
  const chatId = idOrNull(chat["id"]) ?? idOrNull(person["id"]);
  const messageId = idOrNull(message["message_id"]);
  // No message: the button was pressed in somebody else's chat, where the bot is not.
  if (id === null || chatId === null || messageId === null) return [];
  if (chat["type"] !== undefined && chat["type"] !== "private") return [];
  const payload = textOrNull(query["data"]);
  const label = labelOf(message, payload) ?? payload;
  return [
    {
      kind: "message",
      accountExternalId: reading.accountExternalId,
      externalMessageId: CALLBACK_PREFIX + id,
      from: { externalId: chatId, phone: null, name: fullName(person) },
      // A press has no time of its own.
      occurredAt: timeOf(reading, null),
      content: {
        type: "button",
        text: label,
        attachments: [
          withoutNulls({ type: "button", text: label, payload }),
          { type: "quote", messageId: messageKey(chatId, messageId) },
        ],
      },
      opensWindow: true,
    },
  ];
}

function labelOf(message: JsonRecord, payload: string | null): string | null {
  const rows = record(message["reply_markup"])["inline_keyboard"];
  const buttons = Array.isArray(rows) ? rows.flatMap((row) => records(row)) : [];
  const button = buttons.find((one) => payload !== null && one["callback_data"] === payload);
  return textOrNull(button?.["text"]);
}

/** The customer blocked or unblocked the bot. */
function readMembership(reading: UpdateFacts, change: JsonRecord): InboundEvent[] {
  const chat = record(change["chat"]);
  const customer = idOrNull(chat["id"]);
  const status = record(change["new_chat_member"])["status"];
  if (chat["type"] !== "private" || customer === null) return [];
  if (status !== "kicked" && status !== "member") return [];
  return [
    {
      kind: "preference",
      accountExternalId: reading.accountExternalId,
      customerExternalId: customer,
      optedOut: status === "kicked",
      // Who unblocks a bot has taken back the block, and not a STOP that they wrote before.
      ...(status === "member" && { lifts: "platform" }),
      occurredAt: timeOf(reading, change["date"]),
    },
  ];
}

function keyOf(message: JsonRecord): { chatId: string; id: string } | null {
  const chat = record(message["chat"]);
  const chatId = idOrNull(chat["id"]);
  const messageId = idOrNull(message["message_id"]);
  if (chat["type"] !== "private" || chatId === null || messageId === null) return null;
  return { chatId, id: messageKey(chatId, messageId) };
}

/** The chat of a private conversation carries the person's name as well as `from` does. */
function nameOf(message: JsonRecord): string | null {
  return fullName(record(message["from"])) ?? fullName(record(message["chat"]));
}

/** Seconds. An event without a time, or with a future one, gets the time of the call. */
function timeOf({ receivedAt }: UpdateFacts, value: unknown): Date {
  const latest = receivedAt?.getTime();
  const seconds = number(value);
  const at = seconds !== null && seconds > 0 && seconds < 4e9 ? Math.trunc(seconds) * 1000 : latest;
  return new Date(Math.min(at ?? 0, latest ?? Number.POSITIVE_INFINITY));
}
