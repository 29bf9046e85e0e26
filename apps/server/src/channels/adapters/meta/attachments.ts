import type { MediaKind, MediaRule } from "../../adapter.ts";

const MB = 1024 * 1024;

/** Messenger's and Instagram's word for each kind. They accept no stickers from us. */
export const ATTACHMENT_TYPES = {
  image: "image",
  audio: "audio",
  video: "video",
  document: "file",
} as const satisfies Partial<Record<MediaKind, string>>;

/**
 * A kind of file that they accept. Text and attachment are separate sends (channels.md §3.1), so there is no
 * caption.
 */
export const attachment = (mimeTypes: readonly string[], maxMb: number): MediaRule => ({
  mimeTypes,
  maxBytes: maxMb * MB,
  captionLength: 0,
});
