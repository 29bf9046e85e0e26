import type { ChannelAdapter, MediaRule } from "../../adapter.ts";
import { WEB_FILE_TYPES, WEB_MAX_FILE_BYTES } from "./files.ts";

const rule = (mimeTypes: readonly string[]): MediaRule => ({
  mimeTypes,
  maxBytes: WEB_MAX_FILE_BYTES,
  captionLength: 4096,
});

/**
 * Web chat: we are the platform (docs/web-chat.md). A stored message is already on its visitor's stream, so a send
 * only names it. The widget reports delivered and read. Nobody calls our hook.
 */
export const web: ChannelAdapter = {
  type: "WEB",
  // Never called: there is no platform.
  defaultApiUrl: "",
  sendsWhole: true,
  media: {
    image: rule(WEB_FILE_TYPES.image),
    audio: rule(WEB_FILE_TYPES.audio),
    video: rule(WEB_FILE_TYPES.video),
    document: rule(WEB_FILE_TYPES.document),
    sticker: rule(WEB_FILE_TYPES.sticker),
  },
  choices: { most: 10, label: 80, payload: 64, text: { unit: "characters", most: 4096 } },
  send: (_http, _account, { id, content }) =>
    Promise.resolve(
      content.kind === "template"
        ? {
            ok: false,
            reason: "rejected",
            code: "TEMPLATE_UNSUPPORTED",
            detail: "Web chat has no templates.",
            scope: "template",
          }
        : { ok: true, externalId: id },
    ),
  verify: () => false,
  parse: () => [],
};
