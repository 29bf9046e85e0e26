import { Given, type ControlTable } from "../core/control.ts";
import type { WhatsAppEmulator } from "./emulator.ts";
import type { InboundFile } from "./options.ts";

/** The controls over HTTP beside the common ones: the same methods that a test calls on the object. */
export function whatsappControl(emulator: WhatsAppEmulator): ControlTable {
  return {
    looks: { webhooks: () => emulator.webhooks(), callbacks: () => emulator.stats },
    acts: {
      inbound: (given) => {
        const message = given.object("message");
        const file = given.object("file");
        const id = emulator.inbound({
          phoneNumberId: given.text("phoneNumberId"),
          ...given.texts("from", "userId", "name", "text", "replyTo", "id"),
          ...given.numbers("at", "times", "afterMs"),
          ...(message && { message }),
          ...(file && { file: inboundFile(file) }),
        });
        return { id };
      },
      status: (given) => {
        emulator.status({
          id: given.text("id"),
          status: given.text("status"),
          ...given.texts("details"),
          ...given.numbers("code", "at", "times"),
        });
        return { queued: emulator.stats.queued };
      },
      template: (given) => template(emulator, given),
      number: (given) => {
        const { webhookUrl, verifyToken } = given.texts("webhookUrl", "verifyToken");
        const webhook =
          webhookUrl === undefined
            ? undefined
            : { url: webhookUrl, ...(verifyToken !== undefined && { verifyToken }) };
        return emulator.addNumber({
          phoneNumberId: given.text("phoneNumberId"),
          wabaId: given.text("wabaId"),
          accessToken: given.text("accessToken"),
          appSecret: given.text("appSecret"),
          ...given.texts("displayPhoneNumber"),
          ...(webhook && { webhook }),
        });
      },
    },
  };
}

/** With `id` and no components: a known template's status changes. */
function template(emulator: WhatsAppEmulator, given: Given): unknown {
  const { components } = given.body;
  const wabaId = given.text("wabaId");
  if (given.has("id") && components === undefined) {
    const { reason } = given.texts("reason");
    emulator.setTemplateStatus(wabaId, given.text("id"), given.text("status"), reason);
    return { id: given.text("id") };
  }
  if (!Array.isArray(components)) throw new Error("components is needed");
  return emulator.addTemplate(wabaId, {
    name: given.text("name"),
    language: given.text("language"),
    components,
    ...given.texts("category", "status", "id"),
    ...(given.body["parameter_format"] === "NAMED" ? { parameter_format: "NAMED" } : {}),
  });
}

const FILE_TYPES = ["image", "audio", "video", "document", "sticker"] as const;

/** `{ type, mimeType, data: base64, fileName?, caption?, voice?, animated? }`. */
function inboundFile(value: Readonly<Record<string, unknown>>): InboundFile {
  const given = new Given(value);
  return {
    type: given.oneOf("type", FILE_TYPES),
    mimeType: given.text("mimeType"),
    bytes: Buffer.from(given.text("data"), "base64"),
    ...given.texts("fileName", "caption"),
    ...(value["voice"] === true ? { voice: true } : {}),
    ...(value["animated"] === true ? { animated: true } : {}),
  };
}
