import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { ChannelAccount } from "../../adapter.ts";

export const NUMBER = "106540352242922";

/** An emulated Cloud API with one number, and the account that is connected to it. */
export async function startCloudApi(): Promise<{
  readonly emulator: WhatsAppEmulator;
  readonly account: ChannelAccount;
}> {
  const accessToken = "token-1";
  const emulator = await createWhatsAppEmulator({
    delivery: "manual",
    window: "off",
    numbers: [{ phoneNumberId: NUMBER, wabaId: "1", accessToken, appSecret: "s" }],
  });
  const account: ChannelAccount = {
    channelId: "c",
    workspaceId: "w",
    type: "WHATSAPP",
    externalId: NUMBER,
    apiUrl: emulator.apiUrl,
    settings: {},
    secrets: { accessToken },
  };
  return { emulator, account };
}

/** The smallest real files of these types. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const PDF = Buffer.from("%PDF-1.4\n%%EOF\n");
export const OGG = Buffer.concat([
  Buffer.from("OggS\0\x02"),
  Buffer.alloc(22),
  Buffer.from("OpusHead\x01\x01"),
]);
