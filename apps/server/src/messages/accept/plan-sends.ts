import type { ChannelAdapter } from "../../channels/adapter.ts";
import { fits, splitText } from "../../channels/split-text.ts";
import { attachedMedia } from "../../media/media.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";

/** What one call sends: a text, or a file with its caption. */
export interface SendContent {
  readonly text: string | null;
  readonly mediaId: string | null;
}

type Takes = Pick<ChannelAdapter, "partLimit" | "media">;

/**
 * The sends that a reply needs on a channel, in order. The text is the caption of the first file when the channel takes
 * a caption of that length. Otherwise the text goes before the files, and a text longer than one send is cut. Pure: the
 * same reply always gives the same sends.
 */
export function planSends(
  reply: { readonly text: string | null; readonly attachments: readonly AttachmentJson[] },
  channel: Takes,
): SendContent[] {
  const files = attachedMedia(reply.attachments).map(({ mediaId }) => ({ text: null, mediaId }));
  const [first, ...others] = files;
  if (reply.text === null || reply.text === "") return files;
  if (first && reply.text.length <= captionOf(reply.attachments, channel))
    return [{ ...first, text: reply.text }, ...others];
  const { partLimit } = channel;
  const texts = partLimit ? splitText(reply.text, partLimit) : [reply.text];
  return [...texts.map((text) => ({ text, mediaId: null })), ...files];
}

/** Whether a reply may need more than one plain text call. Decides without cutting the text. */
export function needsPlan(
  reply: { readonly text: string | null; readonly attachments: readonly AttachmentJson[] },
  { partLimit }: Takes,
): boolean {
  if (reply.attachments.length > 0) return true;
  return partLimit !== undefined && reply.text !== null && !fits(reply.text, partLimit);
}

/** The longest caption of the first file, in UTF-16 units: the strictest way in which platforms count. */
function captionOf(attachments: readonly AttachmentJson[], { media }: Takes): number {
  const kind = attachedMedia(attachments)[0]?.kind;
  const rules: Readonly<Record<string, { readonly captionLength: number } | undefined>> =
    media ?? {};
  return rules[kind ?? ""]?.captionLength ?? 0;
}
