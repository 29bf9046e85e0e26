import type { FailedOutcome, MediaKind, MediaRule, OutboundMedia } from "../../adapter.ts";
import { refuseFile } from "../media-refusal.ts";

/** A media type without its parameters, lower-case: platforms list `audio/ogg`, files say `audio/ogg; codecs=opus`. */
export const bareType = (mimeType: string): string =>
  (mimeType.split(";")[0] ?? "").trim().toLowerCase();

/** The reason why the platform would refuse a file or its caption, without a call; null when it may be sent. */
export function checkMedia(
  rules: Readonly<Partial<Record<MediaKind, MediaRule>>>,
  media: OutboundMedia,
  caption: string | null,
): FailedOutcome | null {
  const rule = rules[media.kind];
  if (rule === undefined)
    return refuseFile("MEDIA_UNSUPPORTED", `this channel takes no file of the kind ${media.kind}`);
  if (!rule.mimeTypes.includes(bareType(media.mimeType)))
    return refuseFile("MEDIA_UNSUPPORTED", `${media.mimeType} cannot be sent as ${media.kind}`);
  if (media.size > rule.maxBytes)
    return refuseFile("MEDIA_TOO_LARGE", `${media.kind} holds at most ${rule.maxBytes} bytes`);
  if (caption !== null && (caption === "" || Array.from(caption).length > rule.captionLength))
    return refuseFile("CAPTION_TOO_LONG", `a caption holds 1 to ${rule.captionLength} characters`);
  return null;
}
