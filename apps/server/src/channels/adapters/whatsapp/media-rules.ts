import type { MediaKind, MediaRule } from "../../adapter.ts";
import { OFFICE_TYPES } from "../document-types.ts";

const MB = 1024 * 1024;
const CAPTION = 1024;

/**
 * What `POST /{phone_number_id}/media` accepts (Meta's "Supported media types"). OGG must be Opus, which only the
 * platform checks. A still sticker may have 100 kB and a moving one 500 kB, which only it can tell apart.
 */
export const WHATSAPP_MEDIA = {
  image: { mimeTypes: ["image/jpeg", "image/png"], maxBytes: 5 * MB, captionLength: CAPTION },
  audio: {
    mimeTypes: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"],
    maxBytes: 16 * MB,
    captionLength: 0,
  },
  video: { mimeTypes: ["video/mp4", "video/3gpp"], maxBytes: 16 * MB, captionLength: CAPTION },
  document: {
    mimeTypes: ["text/plain", "application/pdf", ...OFFICE_TYPES],
    maxBytes: 100 * MB,
    captionLength: CAPTION,
  },
  sticker: { mimeTypes: ["image/webp"], maxBytes: 500 * 1024, captionLength: 0 },
} as const satisfies Record<MediaKind, MediaRule>;
