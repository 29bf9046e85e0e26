import type { ControlTable, Given } from "../core/control.ts";
import type { TelegramEmulator } from "./emulator.ts";
import { readInboundFile } from "./inbound-file.ts";

/** The controls over HTTP beside the common ones: the same methods that a test calls on the object. */
export function telegramControl(emulator: TelegramEmulator): ControlTable {
  const who = (given: Given) => [given.text("botId"), given.number("from")] as const;
  return {
    looks: { webhooks: () => emulator.webhooks() },
    acts: {
      inbound: (given) => {
        const message = given.object("message");
        const [botId, from] = who(given);
        const messageId = emulator.inbound({
          botId,
          from,
          ...given.texts("name", "text"),
          ...given.numbers("replyTo", "at", "times", "afterMs"),
          ...(message && { message }),
          ...(given.has("file") && { file: readInboundFile(given.body["file"]) }),
        });
        return { messageId };
      },
      edit: (given) => {
        emulator.edit(...who(given), given.number("messageId"), given.text("text"));
        return {};
      },
      press: (given) => ({
        id: emulator.press(...who(given), given.number("messageId"), given.text("data")),
      }),
      block: (given) => {
        emulator.block(...who(given));
        return {};
      },
      unblock: (given) => {
        emulator.unblock(...who(given));
        return {};
      },
      bot: (given) => ({ id: emulator.addBot({ token: given.text("token") }).id }),
    },
  };
}
