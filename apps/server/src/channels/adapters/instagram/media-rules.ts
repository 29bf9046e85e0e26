import type { MediaKind, MediaRule } from "../../adapter.ts";

const MB = 1024 * 1024;

/** The platform's word for each kind. */
export const ATTACHMENT_TYPES = {
  image: "image",
  audio: "audio",
  video: "video",
  document: "file",
} as const satisfies Partial<Record<MediaKind, string>>;

const file = (mimeTypes: readonly string[], maxMb: number): MediaRule => ({
  mimeTypes,
  maxBytes: maxMb * MB,
  captionLength: 0,
});

/** The table of "Upload media for Instagram messaging": png, jpeg, gif; aac, m4a, wav, mp4; mp4, ogg, avi, mov, webm; pdf. */
export const INSTAGRAM_MEDIA = {
  image: file(["image/png", "image/jpeg", "image/gif"], 8),
  audio: file(["audio/aac", "audio/mp4", "audio/x-m4a", "audio/wav", "audio/x-wav"], 25),
  video: file(
    ["video/mp4", "video/ogg", "video/x-msvideo", "video/vnd.avi", "video/quicktime", "video/webm"],
    25,
  ),
  document: file(["application/pdf"], 25),
} as const satisfies Partial<Record<MediaKind, MediaRule>>;
