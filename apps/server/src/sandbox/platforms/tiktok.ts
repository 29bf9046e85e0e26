import { randomInt } from "node:crypto";
import { createTikTokEmulator } from "@parley/emulators";
import type { PhoneAction, SpokenFile } from "../../lib/sandbox-slot.ts";
import { fileKind, switchesOf, type Platform, type PlatformOptions } from "./platform.ts";

const mediaKind = (mimeType: string): "image" | "video" | null => {
  const kind = fileKind(mimeType);
  return kind === "image" || kind === "video" ? kind : null;
};
const asMedia = ({ mimeType, bytes }: SpokenFile) =>
  ({ kind: mediaKind(mimeType) ?? "image", mimeType, bytes }) as const;

/** Emulates one account of TikTok Business Messaging. Customers are opaque ids. */
export async function openTikTok(options: PlatformOptions): Promise<Platform> {
  const { account, clock, delivery, port, onPhone } = options;
  const emulator = await createTikTokEmulator({
    clock,
    delivery,
    port,
    seed: randomInt(2 ** 32),
    // The ledger would hold the texts of everything sent. Nothing is checked with them here.
    ledgerSize: 0,
    // The upper half is the time in seconds, as in the platform's own ids, so no id was used before a restart.
    firstId: BigInt(Math.floor(clock.now().getTime() / 1000)) << 32n,
    events: { echoMs: [100, 300], readMs: [1500, 2500] },
  });
  const businessId = account.externalId;
  emulator.addBusiness({
    businessId,
    accessToken: account.secrets["accessToken"] ?? "",
    appSecret: account.secrets["appSecret"] ?? "",
    ...(account.settings["appId"] !== undefined && { appId: account.settings["appId"] }),
    webhookUrl: account.hookUrl,
  });
  emulator.onAccepted = ({ id, to, text, type, quoted }) =>
    onPhone(to, {
      kind: "message",
      by: "business",
      messageId: id,
      text,
      ...(quoted !== null && { quotes: quoted }),
      type: type.toLowerCase(),
    });
  const act = (customer: string, action: PhoneAction): boolean => {
    if (action.action !== "read") return false;
    emulator.read(businessId, customer);
    return true;
  };
  return {
    apiUrl: emulator.apiUrl,
    storedAs: (_customer, messageId) => messageId,
    faultOf: (customer) =>
      /^[\x21-\x7e]{1,64}$/.test(customer) ? null : "1 to 64 printable characters without spaces",
    fileFaultOf: ({ mimeType }) => (mediaKind(mimeType) === null ? "a picture or a film" : null),
    takesCaption: () => false,
    say: (from, { name, text, file, replyTo }) =>
      emulator.inbound({
        businessId,
        from,
        ...(file === undefined ? { text: text ?? "" } : { file: asMedia(file) }),
        ...(name !== undefined && { name }),
        ...(replyTo !== undefined && { replyTo }),
      }),
    act,
    restore({ externalId, name, wroteAt, replies }) {
      const known = emulator.conversations.open(businessId, {
        id: externalId,
        name: name ?? undefined,
      });
      if (wroteAt !== null) Object.assign(known, { lastInboundAt: wroteAt.getTime(), replies });
    },
    // As on Telegram there is no correlation id, so a repeat proves nothing.
    repeated: () => [],
    ...switchesOf(emulator),
  };
}
