import { TikTokRefusal } from "./answer.ts";

type Loose = Readonly<Record<string, unknown>>;

/** A send of the right form. */
export interface Send {
  readonly conversationId: string;
  readonly type: string;
  readonly text: string | null;
  /** The id of the message that it quotes. */
  readonly quoted?: string;
  /** For an IMAGE: the upload that it shows. */
  readonly mediaId?: string;
  /** Type and content in the words of events. */
  readonly message: Loose;
}

const wrong = (details: string): TikTokRefusal => new TikTokRefusal(40002, details);

/** The content member of each type, which must be the only one. */
const MEMBERS: Readonly<Record<string, string>> = {
  TEXT: "text",
  IMAGE: "image",
  SHARE_POST: "share_post",
  TEMPLATE: "template",
  SENDER_ACTION: "sender_action",
};
const LONGEST_TEXT = 6000;

export function parseObject(body: Buffer): Loose {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Falls through to the same refusal.
  }
  throw wrong("The request body must be a JSON object.");
}

/** Checks the body of `message/send`: one conversation, one type, its member and no other. */
export function validateSend(body: Loose): Send {
  if (body["recipient_type"] !== "CONVERSATION")
    throw wrong("recipient_type: must be CONVERSATION.");
  const conversationId = string(body["recipient"], "recipient");
  const type = string(body["message_type"], "message_type");
  const member = Object.hasOwn(MEMBERS, type) ? MEMBERS[type] : undefined;
  if (member === undefined)
    throw wrong(`message_type: must be one of ${Object.keys(MEMBERS).join(", ")}.`);
  for (const other of Object.values(MEMBERS))
    if (other !== member && body[other] !== undefined)
      throw wrong(`${other}: not allowed when message_type is ${type}.`);
  const quote = body["referenced_message_info"];
  if (quote !== undefined && type !== "TEXT")
    throw wrong("referenced_message_info: only with message_type TEXT.");
  const own = body[member];
  const base = { conversationId, type, text: null };
  switch (type) {
    case "TEXT": {
      const text = string(record(own, "text")["body"], "text.body");
      if (Array.from(text).length > LONGEST_TEXT)
        throw wrong(`text.body: must be at most ${LONGEST_TEXT} characters.`);
      const quoted =
        quote === undefined
          ? {}
          : {
              quoted: string(
                record(quote, "referenced_message_info")["referenced_message_id"],
                "referenced_message_info.referenced_message_id",
              ),
            };
      return { ...base, text, ...quoted, message: { type: "text", text: { body: text } } };
    }
    case "IMAGE": {
      const media_id = string(record(own, "image")["media_id"], "image.media_id");
      const message = { type: "image", image: { media_id } };
      return { ...base, mediaId: media_id, message };
    }
    case "SHARE_POST": {
      const video_id = string(record(own, "share_post")["item_id"], "share_post.item_id");
      return { ...base, message: { type: "share_post", share_post: { video_id } } };
    }
    case "TEMPLATE":
      return { ...base, message: { type: "template", template: record(own, "template") } };
    default:
      if (own !== "TYPING" && own !== "MARK_READ")
        throw wrong("sender_action: must be TYPING or MARK_READ.");
      return { ...base, message: {} };
  }
}

export function string(value: unknown, name: string): string {
  if (typeof value !== "string" || value === "") throw wrong(`${name}: required.`);
  return value;
}

function record(value: unknown, name: string): Loose {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong(`${name}: required.`);
  return { ...value };
}
