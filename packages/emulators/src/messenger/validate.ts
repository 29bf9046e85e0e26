import { PageRefusal } from "./errors.ts";
import type { Dialect } from "./options.ts";

type Loose = Readonly<Record<string, unknown>>;

/** A call to /messages as the platform read it. */
export type PageSend =
  | { readonly kind: "action"; readonly to: string; readonly action: string }
  | {
      readonly kind: "message";
      readonly to: string;
      readonly text: string | null;
      readonly attachment: Loose | null;
      readonly buttons: readonly { readonly text: string; readonly payload: string }[];
      /** The id of the message that it quotes. */
      readonly quoted: string | null;
      readonly metadata: string | null;
      readonly messagingType: string | null;
      readonly tag: string | null;
    };

const TOP = new Set([
  "recipient",
  "messaging_type",
  "message",
  "tag",
  "sender_action",
  "notification_type",
  "persona_id",
  "reply_to",
  "access_token",
]);
const MESSAGE = new Set(["text", "attachment", "metadata", "quick_replies"]);
const TYPES = new Set(["RESPONSE", "UPDATE", "MESSAGE_TAG"]);
const TAGS = new Set([
  "HUMAN_AGENT",
  "CONFIRMED_EVENT_UPDATE",
  "POST_PURCHASE_UPDATE",
  "ACCOUNT_UPDATE",
]);

function bad(text: string): never {
  throw new PageRefusal(100, undefined, text);
}
const objectOf = (value: unknown, where: string): Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : bad(`param ${where} must be an object.`);
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Checks a send as strictly as the platform does: error 100. */
export function validatePageSend(dialect: Dialect, body: Loose): PageSend {
  for (const key of Object.keys(body))
    if (!TOP.has(key) || (key === "reply_to" && dialect.name !== "messenger"))
      bad(`Unexpected key "${key}".`);
  const to = textOf(objectOf(body["recipient"], "recipient")["id"]);
  if (to === null || !/^\d+$/.test(to)) bad("param recipient[id] must be a numeric string.");
  const action = body["sender_action"];
  if (action !== undefined) {
    if (action !== "typing_on" && action !== "typing_off" && action !== "mark_seen")
      bad("Param sender_action must be one of {TYPING_ON, TYPING_OFF, MARK_SEEN}.");
    if (body["message"] !== undefined) bad("sender_action and message cannot be sent together.");
    return { kind: "action", to, action };
  }
  const type = body["messaging_type"];
  if (type !== undefined && (typeof type !== "string" || !TYPES.has(type)))
    bad("Param messaging_type must be one of {RESPONSE, UPDATE, MESSAGE_TAG}.");
  const tag = body["tag"];
  if (tag !== undefined && (typeof tag !== "string" || !TAGS.has(tag))) bad("Invalid message tag.");
  if ((type === "MESSAGE_TAG") !== (tag !== undefined))
    bad("Param tag is required with messaging_type MESSAGE_TAG, and only with it.");
  const message = objectOf(body["message"], "message");
  for (const key of Object.keys(message))
    if (!MESSAGE.has(key)) bad(`Unexpected key "${key}" on param "message".`);
  const text = checkText(dialect, message["text"]);
  const attachment =
    message["attachment"] === undefined ? null : objectOf(message["attachment"], "attachment");
  if ((text === null) === (attachment === null))
    bad("A message has either a text or an attachment.");
  const { metadata } = message;
  if (metadata !== undefined && (typeof metadata !== "string" || metadata.length > 1000))
    bad("Param message[metadata] must be a string of at most 1000 characters.");
  return {
    kind: "message",
    to,
    text,
    attachment,
    buttons: readQuickReplies(message["quick_replies"]),
    quoted: readQuote(body["reply_to"]),
    metadata: textOf(metadata),
    messagingType: textOf(type),
    tag: textOf(tag),
  };
}

/** Messenger alone documents it (Send API, `reply_to`); of Instagram only quotes by customers are documented. */
function readQuote(value: unknown): string | null {
  if (value === undefined) return null;
  return textOf(objectOf(value, "reply_to")["mid"]) ?? bad("param reply_to[mid] must be a string.");
}

/** At most thirteen, each with a title of twenty characters and a payload of a thousand (Meta, "Quick Replies"). */
function readQuickReplies(value: unknown): { text: string; payload: string }[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0 || value.length > 13)
    bad("param message[quick_replies] must have 1 to 13 quick replies.");
  return value.map((one: unknown) => {
    const reply = objectOf(one, "message[quick_replies]");
    if (reply["content_type"] !== "text") bad("param content_type must be text.");
    const [text, payload] = [textOf(reply["title"]), textOf(reply["payload"])];
    if (text === null || text === "" || text.length > 20)
      bad("param message[quick_replies][title] must have 1 to 20 characters.");
    if (payload === null || payload === "" || payload.length > 1000)
      bad("param message[quick_replies][payload] must have 1 to 1000 characters.");
    return { text, payload };
  });
}

function checkText({ unit, most }: Dialect, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== "string" || value === "") bad("Message cannot be empty.");
  const length = unit === "bytes" ? Buffer.byteLength(value, "utf8") : value.length;
  if (length > most) bad(`Length of param message[text] must be less than or equal to ${most}`);
  return value;
}
