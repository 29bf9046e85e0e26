import { randomInt } from "node:crypto";
import {
  createInstagramEmulator,
  createMessengerEmulator,
  type PageEmulator,
} from "@parley/emulators";
import type { PhoneAction, SayInput, SpokenFile } from "../../lib/sandbox-slot.ts";
import { OfferedButtons } from "./offered.ts";
import {
  fileKind,
  KEPT_SENDS,
  switchesOf,
  type Platform,
  type PlatformOptions,
} from "./platform.ts";

const CREATE = { MESSENGER: createMessengerEmulator, INSTAGRAM: createInstagramEmulator } as const;

const asAttachment = ({ mimeType, ...file }: SpokenFile) => {
  const kind = fileKind(mimeType);
  return { ...file, mimeType, type: kind === "document" ? "file" : kind } as const;
};

/** What the platform says about a customer with this name. Messenger gives the name in two halves. */
function named(name: string) {
  const [firstName = name, ...rest] = name.split(" ");
  return { name, firstName, lastName: rest.length === 0 ? null : rest.join(" ") };
}

/** Emulates one page on Messenger, or one Instagram account. Customers are numeric ids. */
export async function openPage(
  type: keyof typeof CREATE,
  options: PlatformOptions,
): Promise<Platform> {
  const { account, clock, delivery, port, onPhone } = options;
  const emulator = await CREATE[type]({
    clock,
    delivery,
    port,
    seed: randomInt(2 ** 32),
    ledgerSize: KEPT_SENDS,
    marks: { echoMs: [100, 300], deliveredMs: [700, 1400], readMs: [1500, 2500] },
  });
  const pageId = account.externalId;
  emulator.addPage({
    id: pageId,
    accessToken: account.secrets["accessToken"] ?? "",
    appSecret: account.secrets["appSecret"] ?? "",
    webhook: { url: account.hookUrl, verifyToken: account.secrets["verifyToken"] ?? "" },
  });
  const offered = new OfferedButtons();
  emulator.onAccepted = ({ id, to, text, attachment, buttons, quoted }) =>
    onPhone(to, {
      kind: "message",
      by: "business",
      messageId: id,
      text,
      ...(quoted !== null && { quotes: quoted }),
      buttons: offered.note(id, buttons),
      type: typeof attachment?.["type"] === "string" ? attachment["type"] : "text",
    });
  const said = new Map<string, string>();
  emulator.onAction = ({ to, action }) => {
    const messageId = said.get(to);
    if (action !== "mark_seen") onPhone(to, { kind: "typing", active: action === "typing_on" });
    else if (messageId !== undefined) onPhone(to, { kind: "tick", messageId, status: "read" });
  };
  return {
    apiUrl: emulator.apiUrl,
    storedAs: (_customer, messageId) => messageId,
    faultOf: (customer) => (/^\d{5,20}$/.test(customer) ? null : "5 to 20 digits"),
    fileFaultOf: () => null,
    takesCaption: () => false,
    say(from, { name, text, file, replyTo }: SayInput) {
      if (name !== undefined) emulator.setCustomer(from, named(name));
      const message = {
        ...(file === undefined && { text: text ?? "" }),
        ...(replyTo !== undefined && { reply_to: { mid: replyTo } }),
      };
      const files = file && { files: [asAttachment(file)] };
      const id = emulator.inbound({ pageId, from, message, ...files });
      if (said.size > 10_000) said.clear();
      said.set(from, id);
      return id;
    },
    act: (from, action) => actAs({ emulator, pageId, type, offered }, from, action),
    restore({ externalId, name, wroteAt }) {
      if (name !== null) emulator.setCustomer(externalId, named(name));
      // An unknown time counts as long ago: the reply window is closed.
      emulator.restoreWindow(pageId, externalId, wroteAt?.getTime() ?? 0);
    },
    repeated: () => emulator.ledger.repeated(),
    ...switchesOf(emulator),
  };
}

interface Page {
  readonly emulator: PageEmulator;
  readonly pageId: string;
  readonly type: keyof typeof CREATE;
  readonly offered: OfferedButtons;
}

/** Does what a customer can do without writing. False when the platform offers no such act. */
function actAs(
  { emulator, pageId, type, offered }: Page,
  from: string,
  action: PhoneAction,
): boolean {
  switch (action.action) {
    case "press": {
      // A press is a message of its own. It does not name the message with the button.
      const { data: payload, title } = action;
      const chosen = offered.payloadOf(action.messageId, title);
      if (chosen !== undefined) {
        const message = { text: title, quick_reply: { payload: chosen } };
        emulator.inbound({ pageId, from, message });
        return true;
      }
      const mid = emulator.newMessageId();
      emulator.act({ pageId, from }, { postback: { mid, title, payload } });
      return true;
    }
    case "react": {
      const { messageId: mid, emoji } = action;
      const reaction =
        emoji === ""
          ? { mid, action: "unreact" }
          : { mid, action: "react", reaction: "other", emoji };
      emulator.act({ pageId, from }, { reaction });
      return true;
    }
    case "read":
      emulator.mark(pageId, from, "read", type === "INSTAGRAM" ? action.messageId : undefined);
      return true;
    case "unsend":
      // Messenger has no webhook for it.
      if (type === "MESSENGER") return false;
      emulator.unsend(pageId, from, action.messageId);
      return true;
    case "edit": {
      const edit = { mid: action.messageId, text: action.text, num_edit: 1 };
      emulator.act({ pageId, from }, { message_edit: edit });
      return true;
    }
    // These platforms do not report a block, and their customers send neither places nor cards.
    case "locate":
    case "share":
    case "block":
    case "unblock":
      return false;
    default:
      return action satisfies never;
  }
}
