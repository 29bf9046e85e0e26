import type { ChannelAdapter } from "../../channels/adapter.ts";
import { numberedText, takesChoices, type Choice } from "../../channels/choices.ts";
import { fits, splitText } from "../../channels/split-text.ts";
import { attachedMedia } from "../../media/media.ts";
import type { AttachmentJson } from "../../wire/attachment.ts";
import { choicesOf } from "../record/choices.ts";

/** What one call sends: a text, or a file with its caption. */
export interface SendContent {
  readonly text: string | null;
  readonly mediaId: string | null;
}

type Takes = Pick<ChannelAdapter, "partLimit" | "media" | "choices">;

/** What a reply says on a channel: with buttons, or with its choices as numbered lines where there are none. */
export function shownText(
  reply: { readonly text: string | null; readonly attachments: readonly AttachmentJson[] },
  { choices: rule }: Pick<ChannelAdapter, "choices">,
): { readonly text: string | null; readonly choices: readonly Choice[] } {
  const { text } = reply;
  const choices = choicesOf(reply.attachments);
  if (text === null || choices.length === 0) return { text, choices: [] };
  return takesChoices(rule, text, choices)
    ? { text, choices }
    : { text: numberedText(text, choices), choices: [] };
}

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
  const { text, choices } = shownText(reply, channel);
  if (text === null || text === "") return files;
  // Buttons stand at the end of the thread.
  if (choices.length > 0) return [...files, { text, mediaId: null }];
  if (first && text.length <= captionOf(reply.attachments, channel))
    return [{ ...first, text }, ...others];
  const { partLimit } = channel;
  const texts = partLimit ? splitText(text, partLimit) : [text];
  return [...texts.map((one) => ({ text: one, mediaId: null })), ...files];
}

/** Whether a reply may need more than one plain text call. Decides without cutting the text. */
export function needsPlan(
  reply: { readonly text: string | null; readonly attachments: readonly AttachmentJson[] },
  channel: Takes,
): boolean {
  const { partLimit } = channel;
  if (attachedMedia(reply.attachments).length > 0) return true;
  const { text } = shownText(reply, channel);
  return partLimit !== undefined && text !== null && !fits(text, partLimit);
}

/** The longest caption of the first file, in UTF-16 units: the strictest way in which platforms count. */
function captionOf(attachments: readonly AttachmentJson[], { media }: Takes): number {
  const kind = attachedMedia(attachments)[0]?.kind;
  const rules: Readonly<Record<string, { readonly captionLength: number } | undefined>> =
    media ?? {};
  return rules[kind ?? ""]?.captionLength ?? 0;
}
