import { randomInt } from "node:crypto";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { PhoneAction, SayInput } from "../../lib/sandbox-slot.ts";
import { OfferedButtons } from "./offered.ts";
import {
  DIGITS,
  fileKind,
  isSticker,
  isVoice,
  KEPT_SENDS,
  switchesOf,
  type Platform,
  type PlatformOptions,
  type Spoken,
} from "./platform.ts";

/** Emulates one number of the WhatsApp Cloud API. Customers are phone numbers. */
export async function openWhatsApp(options: PlatformOptions): Promise<Platform> {
  const { account, clock, delivery, port, onPhone } = options;
  const emulator = await createWhatsAppEmulator({
    clock,
    delivery,
    port,
    seed: randomInt(2 ** 32),
    ledgerSize: KEPT_SENDS,
    // The sandbox shares the processors with the server. When both stand still for a moment, calls come close together.
    // Counted over five seconds, they are within the limit all the same, and a faster pace is still refused.
    limits: { countedOverMs: 5_000 },
    // The wait that a throttled answer names, if it names one.
    regainMinutes: 1,
    // Meta's review takes minutes to a day.
    reviewMs: delivery === "manual" ? 0 : 5_000,
    // Ticks come one after the other, as a person sees them.
    statuses: { sentMs: [300, 600], deliveredMs: [700, 1400], readMs: [1500, 2500] },
  });
  const phoneNumberId = account.externalId;
  const wabaId = account.settings["wabaId"] ?? "";
  emulator.addNumber({
    phoneNumberId,
    wabaId,
    accessToken: account.secrets["accessToken"] ?? "",
    appSecret: account.secrets["appSecret"] ?? "",
    webhook: { url: account.hookUrl, verifyToken: account.secrets["verifyToken"] ?? "" },
  });
  const offered = new OfferedButtons();
  emulator.onAccepted = ({ id, to, type, text, template, buttons, quoted }) =>
    onPhone(to, {
      kind: "message",
      by: "business",
      messageId: id,
      text: template === null ? text : `${template}${text ? `: ${text}` : ""}`,
      type: template === null ? type : "template",
      ...(quoted !== null && { quotes: quoted }),
      buttons:
        template === null
          ? offered.note(id, buttons)
          : quickReplies(emulator.templates.list(wabaId), template),
    });
  const authors = new Map<string, string>();
  emulator.onRead = ({ messageId, typing }) => {
    const customer = authors.get(messageId);
    if (customer === undefined) return;
    onPhone(customer, { kind: "tick", messageId, status: "read" });
    if (typing) onPhone(customer, { kind: "typing", active: true });
  };
  const say = (from: string, { name, text, file, replyTo, afterMs }: Spoken): string => {
    const id = emulator.inbound({
      phoneNumberId,
      from,
      ...(name !== undefined && { name }),
      ...(replyTo !== undefined && { replyTo }),
      ...(afterMs !== undefined && { afterMs }),
      ...(file === undefined ? { text: text ?? "" } : { message: fileMessage(file, text) }),
    });
    if (authors.size > 10_000) authors.clear();
    authors.set(id, from);
    return id;
  };
  const fileMessage = (file: NonNullable<SayInput["file"]>, caption: string | undefined) => {
    const { mimeType } = file;
    const kind = isSticker(mimeType) ? "sticker" : fileKind(mimeType);
    const media = emulator.addMedia(file.bytes, mimeType, phoneNumberId);
    const named = kind === "document" ? { filename: file.fileName } : {};
    const told = caption === undefined ? {} : { caption };
    const marked = {
      ...(kind === "sticker" && { animated: false }),
      ...(isVoice(mimeType) && { voice: true }),
    };
    return { type: kind, [kind]: { ...media, ...named, ...told, ...marked } };
  };
  return {
    apiUrl: emulator.apiUrl,
    storedAs: (_customer, messageId) => messageId,
    faultOf: (customer) => (DIGITS.test(customer) ? null : "5 to 15 digits of a phone number"),
    fileFaultOf: () => null,
    takesCaption: ({ mimeType }) => fileKind(mimeType) !== "audio" && !isSticker(mimeType),
    say,
    act: (from, action) =>
      actAs({ emulator, phoneNumberId, wabaId, authors, clock, offered }, from, action),
    addTemplate: (template) => void emulator.addTemplate(wabaId, template),
    restore({ externalId, name, wroteAt }) {
      const isPhone = DIGITS.test(externalId);
      emulator.addUser({
        phone: isPhone ? externalId : null,
        name: name ?? "Customer",
        ...(isPhone ? {} : { userId: externalId }),
      });
      if (wroteAt !== null) emulator.restoreWindow(phoneNumberId, externalId, wroteAt.getTime());
    },
    repeated: () => emulator.ledger.repeated(),
    ...switchesOf(emulator),
  };
}

/** The texts of the quick replies below a template. */
function quickReplies(
  templates: readonly { readonly name: string; readonly components: readonly object[] }[],
  name: string,
): readonly string[] {
  const components = templates.find((one) => one.name === name)?.components ?? [];
  return components.flatMap((one) =>
    "buttons" in one && Array.isArray(one.buttons)
      ? one.buttons.flatMap((button: { type?: unknown; text?: unknown }) =>
          button.type === "QUICK_REPLY" ? [String(button.text)] : [],
        )
      : [],
  );
}

interface BusinessNumber extends Pick<PlatformOptions, "clock"> {
  readonly emulator: WhatsAppEmulator;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  /** The customer who wrote each message. */
  readonly authors: ReadonlyMap<string, string>;
  readonly offered: OfferedButtons;
}

/**
 * Does what a customer can do without writing. False when the platform offers no such act, or there is no such message.
 */
function actAs(
  { emulator, phoneNumberId, wabaId, authors, clock, offered }: BusinessNumber,
  from: string,
  action: PhoneAction,
): boolean {
  const inbound = (message: Readonly<Record<string, unknown>>, replyTo?: string) =>
    emulator.inbound({ phoneNumberId, from, message, ...(replyTo !== undefined && { replyTo }) });
  switch (action.action) {
    case "press": {
      const { messageId, data, title } = action;
      const chosen = offered.payloadOf(messageId, title);
      if (chosen !== undefined) {
        const reply = { id: chosen, title };
        const interactive = { type: "button_reply", button_reply: reply };
        inbound({ type: "interactive", interactive }, messageId);
        return true;
      }
      inbound({ type: "button", button: { payload: data, text: title } }, messageId);
      return true;
    }
    case "react": {
      const reaction = { message_id: action.messageId, emoji: action.emoji };
      inbound({ type: "reaction", reaction });
      return true;
    }
    case "read":
      if (emulator.message(action.messageId) === undefined) return false;
      emulator.status({ id: action.messageId, status: "read" });
      return true;
    case "locate": {
      const { latitude, longitude } = action;
      inbound({ type: "location", location: { latitude, longitude } });
      return true;
    }
    case "share": {
      const [first_name = ""] = action.name.split(" ", 1);
      const name = { first_name, formatted_name: action.name };
      const phones = [{ phone: action.phone, type: "CELL" }];
      inbound({ type: "contacts", contacts: [{ name, phones }] });
      return true;
    }
    case "block":
    case "unblock":
      // These are the customer's choices below a marketing message.
      emulator.push(wabaId, "user_preferences", {
        messaging_product: "whatsapp",
        metadata: {
          display_phone_number: emulator.number(phoneNumberId).displayPhoneNumber,
          phone_number_id: phoneNumberId,
        },
        contacts: [{ profile: { name: emulator.user(from).name }, wa_id: from }],
        user_preferences: [
          {
            wa_id: from,
            detail: "The customer changed what marketing messages may come.",
            category: "marketing_messages",
            value: action.action === "block" ? "stop" : "resume",
            timestamp: Math.floor(clock.now().getTime() / 1000),
          },
        ],
      });
      return true;
    case "edit": {
      if (authors.get(action.messageId) !== from) return false;
      const message = { type: "text", text: { body: action.text } };
      const edit = { original_message_id: action.messageId, message };
      inbound({ type: "edit", edit });
      return true;
    }
    case "unsend":
      if (authors.get(action.messageId) !== from) return false;
      inbound({ type: "revoke", revoke: { original_message_id: action.messageId } });
      return true;
    default:
      return action satisfies never;
  }
}
