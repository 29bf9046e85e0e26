import type { InboundContent, InboundMedia } from "../../adapter.ts";
import { idText, record, text, type JsonRecord } from "../meta/json.ts";
import { fileKey } from "./media-source.ts";

/** What a message says, and whether it opens the 48 hours and the ten messages anew. */
export interface ReadContent {
  readonly content: InboundContent;
  readonly opensWindow: boolean;
}

type Attachment = Readonly<Record<string, unknown>>;

/** Messages of a person whose shape is not documented: shown as unsupported, yet they open the window. */
const SAID = new Set(["emoji", "template"]);

/** Reads a message of any type (channels.md §6.4); one that we do not know shows that something came. */
export function readContent(message: JsonRecord): ReadContent {
  // Lower-case in webhooks, upper-case in the lists.
  const type = (text(message["type"]) ?? "unsupported").toLowerCase();
  const own = record(message[type]);
  const quote = idText(record(message["referenced_message_info"])["referenced_message_id"]);
  const extras: Attachment[] = quote === null ? [] : [{ type: "quote", messageId: quote }];
  const said = (
    words: string | null,
    attachments: readonly Attachment[] = [],
    media: readonly InboundMedia[] = [],
  ): ReadContent => ({
    content: {
      type,
      text: words,
      attachments: [...attachments, ...extras],
      ...(media.length > 0 && { media }),
    },
    opensWindow: true,
  });
  switch (type) {
    case "text":
      return said(text(own["body"]));
    case "image":
    case "video": {
      const id = idText(own["media_id"]);
      return said(null, [given({ type, id })], fileOf(type, sourceOf(message, id)));
    }
    case "sticker": {
      // Its address is a public one that needs no token; the lists give it, and events that know it.
      const url = text(own["url"]);
      const about = given({ type, id: idText(own["media_id"]) });
      return said(null, [about], fileOf("sticker", url === null ? null : { url }));
    }
    // A page of TikTok's, not a file: there is nothing to fetch.
    case "share_post":
      return said(null, [
        given({ type, url: text(own["embed_url"]), videoId: idText(own["video_id"]) }),
      ]);
    default: {
      const about = given({ type: "unsupported", originalType: type });
      const content = { type: "unsupported", text: null, attachments: [about, ...extras] };
      return { content, opensWindow: SAID.has(type) };
    }
  }
}

function sourceOf(message: JsonRecord, mediaId: string | null): InboundMedia["source"] | null {
  const conversationId = idText(message["conversation_id"]);
  const messageId = idText(message["message_id"]);
  if (mediaId === null || conversationId === null || messageId === null) return null;
  return { id: fileKey({ conversationId, messageId, mediaId }) };
}

function fileOf(
  kind: "image" | "video" | "sticker",
  source: InboundMedia["source"] | null,
): InboundMedia[] {
  if (source === null) return [];
  return [{ attachment: 0, kind, source, mimeType: null, fileName: null, size: null }];
}

/** Leaves out what was not given. */
function given(facts: Attachment): Attachment {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}
