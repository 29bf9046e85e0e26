import { MEDIA_KINDS, type InboundMedia, type MediaKind } from "../../adapter.ts";
import { textOrNull } from "./json.ts";

/**
 * Our words for the kinds whose address is the file itself. Only the file tells whether a story or a shared post
 * is a picture or a film.
 */
const FILE_KINDS: Readonly<Record<string, MediaKind>> = {
  ...Object.fromEntries(MEDIA_KINDS.map((kind) => [kind, kind])),
  reel: "video",
  share: "image",
  story_mention: "image",
  story_reply: "image",
};

/** Kinds that may be pages for people: a shared post or reel has its page and no file. */
const PAGE_HOST = /^((www|m|web|l)\.)?(facebook|instagram|messenger)\.com$|^fb\.(me|watch)$/;

/** The files behind the attachments of a message, in their order (channels.md §3.2, §4.2). */
export function readAttachedFiles(
  attachments: readonly Readonly<Record<string, unknown>>[],
): InboundMedia[] {
  return attachments.flatMap((attachment, index) => {
    const type = typeof attachment["type"] === "string" ? attachment["type"] : "";
    const kind = Object.hasOwn(FILE_KINDS, type) ? FILE_KINDS[type] : undefined;
    const url = textOrNull(attachment["url"]);
    if (kind === undefined || url === null || !isFile(url)) return [];
    const facts = { mimeType: null, fileName: null, size: null };
    return [{ attachment: index, kind, source: { url }, ...facts }];
  });
}

function isFile(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return false;
  return !PAGE_HOST.test(url.hostname);
}
