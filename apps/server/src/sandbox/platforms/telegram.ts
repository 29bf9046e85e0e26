import { randomInt } from "node:crypto";
import { createTelegramEmulator } from "@parley/emulators";
import type { PhoneAction, SayInput } from "../../lib/sandbox-slot.ts";
import { OfferedButtons } from "./offered.ts";
import {
  fileKind,
  isSticker,
  isVoice,
  switchesOf,
  type Platform,
  type PlatformOptions,
} from "./platform.ts";

const telegramKind = (mimeType: string) => {
  if (isSticker(mimeType)) return "sticker" as const;
  if (isVoice(mimeType)) return "voice" as const;
  const kind = fileKind(mimeType);
  return kind === "image" ? ("photo" as const) : kind;
};

/** What a customer writes or sends, as the emulator takes it. */
function contentOf({ text, file }: SayInput) {
  if (file === undefined) return { text: text ?? "" };
  const { bytes, mimeType, fileName: name } = file;
  const kind = telegramKind(mimeType);
  return { file: { kind, bytes, mimeType, name, ...(text !== undefined && { caption: text }) } };
}

/** Emulates one bot of Telegram. Customers are numeric ids. Messages are numbered within their chat. */
export async function openTelegram(options: PlatformOptions): Promise<Platform> {
  const { account, clock, delivery, port, onPhone } = options;
  const emulator = await createTelegramEmulator({
    clock,
    delivery,
    port,
    seed: randomInt(2 ** 32),
    // The ledger would hold the texts of everything sent. Nothing is checked with them here.
    ledgerSize: 0,
  });
  const { firstMessageId } = options;
  const bot = emulator.addBot({ token: account.secrets["botToken"] ?? "", firstMessageId });
  const botId = bot.id;
  const offered = new OfferedButtons();
  emulator.onAccepted = ({ chatId, messageId, text, method, buttons, quoted }) =>
    onPhone(chatId, {
      kind: "message",
      by: "business",
      messageId: String(messageId),
      text,
      ...(quoted !== null && { quotes: String(quoted) }),
      buttons: offered.note(`${chatId}:${messageId}`, buttons),
      type: method === "sendMessage" ? "text" : method.replace(/^send/, "").toLowerCase(),
    });
  emulator.onAction = ({ chatId }) => onPhone(chatId, { kind: "typing", active: true });

  const act = (customer: string, action: PhoneAction): boolean => {
    const from = Number(customer);
    switch (action.action) {
      case "press":
        emulator.press(
          botId,
          from,
          Number(action.messageId),
          offered.payloadOf(`${customer}:${action.messageId}`, action.title) ?? action.data,
        );
        return true;
      case "edit":
        if (!bot.message(customer, Number(action.messageId))) return false;
        emulator.edit(botId, from, Number(action.messageId), action.text);
        return true;
      case "locate": {
        const { latitude, longitude } = action;
        emulator.inbound({ botId, from, message: { location: { latitude, longitude } } });
        return true;
      }
      case "share": {
        const contact = { phone_number: action.phone, first_name: action.name };
        emulator.inbound({ botId, from, message: { contact } });
        return true;
      }
      case "block":
        emulator.block(botId, from);
        return true;
      case "unblock":
        emulator.unblock(botId, from);
        return true;
      // A bot in a private chat is told none of these.
      case "react":
      case "read":
      case "unsend":
        return false;
      default:
        return action satisfies never;
    }
  };
  return {
    apiUrl: emulator.url,
    storedAs: (customer, messageId) => `${customer}:${messageId}`,
    faultOf: (customer) => (/^[1-9]\d{4,14}$/.test(customer) ? null : "5 to 15 digits"),
    fileFaultOf: () => null,
    takesCaption: ({ mimeType }) => !isSticker(mimeType),
    say(customer, input) {
      const { name, replyTo } = input;
      return String(
        emulator.inbound({
          botId,
          from: Number(customer),
          ...contentOf(input),
          ...(name !== undefined && { name }),
          ...(replyTo !== undefined && { replyTo: Number(replyTo) }),
        }),
      );
    },
    act,
    restore({ externalId, name, blocked }) {
      const from = Number(externalId);
      if (!Number.isSafeInteger(from)) return;
      emulator.restoreChat(botId, from, name ?? undefined);
      const chat = bot.chat(externalId);
      if (chat) chat.blocked = blocked;
    },
    // Without a correlation id, the same text twice to one chat would count as a repeat, which proves nothing.
    repeated: () => [],
    ...switchesOf(emulator),
  };
}
