import type { InboundEvent, RawWebhook } from "../../adapter.ts";
import { idOrNull, number, parseJsonKeepingIds, record, textOrNull } from "../meta/json.ts";
import type { JsonRecord } from "../meta/json.ts";
import { readTikTokContent, readTikTokReferral } from "./content.ts";

/** A call of the platform: one event of one account. */
interface Call {
  readonly accountExternalId: string;
  /** `content`: JSON inside a string of the JSON. */
  readonly content: JsonRecord;
  readonly timeOf: (value: unknown) => Date;
}

/**
 * The fact in a call (channels.md §6.4). Left out are `im_receive_msg_eu`, which carries no content, events of
 * automatic messages and comments, which are no messages, and everything unknown. Throws when the body, or the
 * content of an event that we read, is not JSON.
 */
export function parseTikTok(request: RawWebhook): InboundEvent[] {
  const envelope = record(parseJsonKeepingIds(request.body.toString("utf8")));
  const accountExternalId = idOrNull(envelope["user_openid"]);
  const read = readerOf(textOrNull(envelope["event"]) ?? "");
  if (accountExternalId === null || read === null) return [];
  const given = envelope["content"];
  const content = record(typeof given === "string" ? parseJsonKeepingIds(given) : given);
  return read({ accountExternalId, content, timeOf: clockOf(envelope, request.receivedAt) });
}

function readerOf(event: string): ((call: Call) => InboundEvent[]) | null {
  switch (event) {
    case "im_receive_msg":
      return readMessage;
    case "im_send_msg":
      return readEcho;
    case "im_referral_msg":
      return readArrival;
    case "im_mark_read_msg":
      return readMark;
    case "authorization.removed":
      return readRemoval;
    default:
      return null;
  }
}

/** The customer who wrote, or came. */
function readSender(
  content: JsonRecord,
): Extract<InboundEvent, { kind: "message" }>["from"] | null {
  const userId = idOrNull(record(content["from_user"])["id"]);
  const uniqueId = idOrNull(content["unique_identifier"]);
  const externalId = userId ?? uniqueId;
  if (externalId === null) return null;
  const other = uniqueId !== null && uniqueId !== externalId;
  return {
    externalId,
    phone: null,
    name: textOrNull(content["from"]),
    ...(other && { alternateId: uniqueId }),
  };
}

/**
 * The customer came by an advertisement or a link and has not written: the 48 hours begin with the first message.
 * The event has no message id. Its sender, time and source identify it as well, also when it is repeated.
 */
function readArrival({ accountExternalId, content, timeOf }: Call): InboundEvent[] {
  const threadId = idOrNull(content["conversation_id"]);
  const from = readSender(content);
  const referral = readTikTokReferral(content["referral"]);
  if (threadId === null || from === null || referral === null) return [];
  const occurredAt = timeOf(content["timestamp"]);
  const stamp = idOrNull(content["timestamp"]) ?? String(occurredAt.getTime());
  const by = textOrNull(referral["adId"]) ?? textOrNull(referral["ref"]) ?? "";
  const externalMessageId = `referral.${from.externalId}.${stamp}.${by}`.slice(0, 500);
  const said = { type: "referral", text: null, attachments: [referral] };
  return [
    {
      kind: "message",
      accountExternalId,
      externalMessageId,
      threadId,
      from,
      occurredAt,
      content: said,
      opensWindow: false,
    },
  ];
}

function readMessage({ accountExternalId, content, timeOf }: Call): InboundEvent[] {
  const externalMessageId = idOrNull(content["message_id"]);
  const threadId = idOrNull(content["conversation_id"]);
  const from = readSender(content);
  if (externalMessageId === null || threadId === null || from === null) return [];
  const occurredAt = timeOf(content["timestamp"]);
  return [
    {
      kind: "message",
      accountExternalId,
      externalMessageId,
      threadId,
      from,
      occurredAt,
      ...readTikTokContent(content),
    },
  ];
}

/** What the business wrote: in TikTok's own app or page, or through the API, which may be our own send. */
function readEcho({ accountExternalId, content, timeOf }: Call): InboundEvent[] {
  const externalMessageId = idOrNull(content["message_id"]);
  const threadId = idOrNull(content["conversation_id"]);
  const externalId =
    idOrNull(record(content["to_user"])["id"]) ?? idOrNull(content["unique_identifier"]);
  if (externalMessageId === null || threadId === null || externalId === null) return [];
  const byHand = ["APP", "WEB"].includes(
    textOrNull(record(content["message_tag"])["source"]) ?? "",
  );
  return [
    {
      kind: "echo",
      accountExternalId,
      externalMessageId,
      threadId,
      to: { externalId, phone: null },
      occurredAt: timeOf(content["timestamp"]),
      content: readTikTokContent(content).content,
      // A welcome message, an answer to a suggested question or an automatic reply (TikTok, "Webhook Events").
      ...(textOrNull(content["auto_message_type"]) !== null && { automatic: true }),
      ...(!byHand && { maybeOurs: true }),
    },
  ];
}

/** The customer read everything up to a time. The business's own reading gives no event. */
function readMark({ accountExternalId, content, timeOf }: Call): InboundEvent[] {
  const reader = record(content["from_user"]);
  const customerExternalId = idOrNull(reader["id"]) ?? idOrNull(content["unique_identifier"]);
  if (customerExternalId === null || reader["role"] === "business_account") return [];
  const until = record(content["read"])["last_read_timestamp"] ?? content["timestamp"];
  return [
    {
      kind: "watermark",
      accountExternalId,
      customerExternalId,
      status: "read",
      occurredAt: timeOf(until),
      externalMessageId: null,
    },
  ];
}

/** The reasons of a removed authorisation, by their number (TikTok, "Webhook Events"). */
const REMOVALS: Readonly<Record<string, string>> = {
  1: "the account was disconnected in the TikTok app",
  2: "the account was deleted",
  3: "the age of the account's owner changed",
  4: "the account was banned",
  5: "the app gave the authorisation up",
};

/** The access token is revoked already: nothing can be sent any more. */
function readRemoval({ accountExternalId, content, timeOf }: Call): InboundEvent[] {
  const reason = idOrNull(content["reason"]) ?? "";
  const why = Object.hasOwn(REMOVALS, reason) ? REMOVALS[reason] : "TikTok does not say why";
  return [
    {
      kind: "account_alert",
      accountExternalId,
      businessId: null,
      code: "AUTHORIZATION_REMOVED",
      detail: `the authorisation was removed (${why}); connect the account again`,
      blocking: true,
      occurredAt: timeOf(undefined),
    },
  ];
}

/** `timestamp` is in ms and `create_time` in s: told apart by size. No time is later than the call. */
function clockOf(envelope: JsonRecord, receivedAt: Date | undefined): (value: unknown) => Date {
  const latest = receivedAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const read = (value: unknown): number | null => {
    const units = number(value);
    if (units === null || units <= 0) return null;
    const ms = units < 1e11 ? units * 1000 : units;
    return ms < 4e12 ? Math.trunc(ms) : null;
  };
  const fallback = read(envelope["create_time"]) ?? receivedAt?.getTime() ?? 0;
  return (value) => new Date(Math.min(read(value) ?? fallback, latest));
}
