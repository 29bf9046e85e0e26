import type { BotFaultCode } from "../../wire/bot.ts";
import type { CheckBeforePublish } from "../record/publish-bot.ts";
import { selectBotSecret } from "./secret-store.ts";

/** An external bot has an address that can be called, and a secret that signs the calls. */
export const checkExternal: CheckBeforePublish = async (_context, tx, bot) => {
  if (bot.kind !== "external") return [];
  const { url } = bot.draft;
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  const callable = address?.protocol === "https:" || address?.protocol === "http:";
  const secret = await selectBotSecret(tx, bot.workspaceId, bot.id);
  return [
    ...(callable ? [] : [fault("url", "ADDRESS", "must be an address that begins with https://")]),
    ...(secret ? [] : [fault("secret", "NO_SECRET", "must be made first: it signs the calls")]),
  ];
};

const fault = (path: string, code: BotFaultCode, message: string) => ({
  path,
  step: null,
  code,
  message,
});
