import type { MediaKind, MediaRule } from "../../adapter.ts";
import { attachment } from "../meta/attachments.ts";

/** The table of "Upload media for Instagram messaging": png, jpeg, gif; aac, m4a, wav, mp4; mp4, ogg, avi, mov, webm; pdf. */
export const INSTAGRAM_MEDIA = {
  image: attachment(["image/png", "image/jpeg", "image/gif"], 8),
  audio: attachment(["audio/aac", "audio/mp4", "audio/x-m4a", "audio/wav", "audio/x-wav"], 25),
  video: attachment(
    ["video/mp4", "video/ogg", "video/x-msvideo", "video/vnd.avi", "video/quicktime", "video/webm"],
    25,
  ),
  document: attachment(["application/pdf"], 25),
} as const satisfies Partial<Record<MediaKind, MediaRule>>;
