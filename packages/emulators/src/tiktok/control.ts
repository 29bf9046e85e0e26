import type { ControlTable } from "../core/control.ts";
import type { TikTokEmulator } from "./emulator.ts";
import type { TikTokInbound } from "./options.ts";
import { SIGNINGS } from "./signature.ts";

/** The controls over HTTP beside the common ones: the same methods that a test calls on the object. */
export function tiktokControl(emulator: TikTokEmulator): ControlTable {
  return {
    looks: {
      // Without the bytes of pictures.
      messages: () =>
        emulator.messages().map(({ file, ...rest }) => ({ ...rest, mimeType: file?.mimeType })),
      webhooks: () => emulator.webhooks(),
    },
    acts: {
      inbound: (given) => {
        const message = given.object("message");
        const file = given.object("file");
        const id = emulator.inbound({
          businessId: given.text("businessId"),
          from: given.text("from"),
          ...given.texts("name", "text", "id"),
          ...(message && { message }),
          ...(file && { file: readFile(file) }),
          times: given.numberOr("times", 1),
        });
        return { id };
      },
      reply: (given) => ({
        id: emulator.reply(given.text("businessId"), given.text("to"), given.text("text")),
      }),
      react: (given) => ({
        id: emulator.react(
          { businessId: given.text("businessId"), from: given.text("from") },
          {
            to: given.text("to"),
            emoji: given.text("emoji"),
            taken: given.body["taken"] === true,
          },
        ),
      }),
      refer: (given) => {
        emulator.refer(
          {
            businessId: given.text("businessId"),
            from: given.text("from"),
            ...given.texts("name"),
            times: given.numberOr("times", 1),
          },
          given.object("referral") ?? {},
        );
        return { queued: emulator.stats.queued };
      },
      read: (given) => {
        const at = given.numberOr("at", undefined);
        emulator.read(given.text("businessId"), given.text("customer"), at);
        return { queued: emulator.stats.queued };
      },
      sign: (given) => {
        emulator.sign(given.oneOf("mode", SIGNINGS), given.numberOr("calls", 1));
        return {};
      },
    },
  };
}

/** `{ kind, base64, mimeType? }` */
function readFile(given: Readonly<Record<string, unknown>>): NonNullable<TikTokInbound["file"]> {
  const { kind, base64, mimeType } = given;
  if (kind !== "image" && kind !== "video" && kind !== "sticker")
    throw new Error("file.kind must be image, video or sticker");
  return {
    kind,
    bytes: Buffer.from(String(base64), "base64"),
    mimeType: typeof mimeType === "string" ? mimeType : "application/octet-stream",
  };
}
