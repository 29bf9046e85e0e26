import type { Bot } from "./bot.ts";
import { badRequest, BotRefusal, resultAnswer } from "./errors.ts";
import type { Answer } from "../core/server.ts";
import type { TelegramEmulator } from "./emulator.ts";
import type { Params } from "./params.ts";
import { sendMessage, type SendOutcome } from "./send.ts";
import { sendFile, WAYS } from "./send-file.ts";

/** The group of a method, for which a fault can be set. */
export function operationOf(method: string): "send" | "media" | "account" | "updates" {
  if (method.startsWith("send") && method !== "sendchataction") return "send";
  if (method === "getupdates") return "updates";
  return method === "getfile" ? "media" : "account";
}

/** Runs a method; names may be in any case. */
export async function runMethod(
  emulator: TelegramEmulator,
  bot: Bot,
  method: string,
  params: Params,
  outcome: SendOutcome,
): Promise<Answer> {
  const way = WAYS.get(method);
  if (way !== undefined) return resultAnswer(sendFile(emulator, bot, way, params, outcome));
  switch (method) {
    case "getme":
      return resultAnswer({
        ...bot.self,
        can_join_groups: true,
        can_read_all_group_messages: false,
        supports_inline_queries: false,
      });
    case "setwebhook":
      return setWebhook(emulator, bot, params);
    case "deletewebhook": {
      const was = bot.updates.webhook !== null;
      bot.updates.setWebhook(null, null, params.boolean("drop_pending_updates"));
      return resultAnswer(true, was ? "Webhook was deleted" : "Webhook is already deleted");
    }
    case "getwebhookinfo":
      return resultAnswer(webhookInfo(bot));
    case "getupdates":
      return resultAnswer(
        await bot.updates.get({
          offset: params.integer("offset"),
          limit: Math.min(Math.max(params.integer("limit") ?? 100, 1), 100),
          timeoutMs: Math.min(Math.max(params.integer("timeout") ?? 0, 0), 50) * 1000,
          allowed: readAllowed(params),
        }),
      );
    case "sendmessage":
      return resultAnswer(sendMessage(emulator, bot, params, outcome));
    case "sendchataction": {
      if (bot.chat(String(params.integer("chat_id"))) === undefined) throw new BotRefusal(400);
      const action = params.text("action");
      if (action === null) throw badRequest("wrong parameter action in request");
      emulator.onAction?.({ botId: bot.id, chatId: String(params.integer("chat_id")), action });
      return resultAnswer(true);
    }
    case "answercallbackquery": {
      const id = params.text("callback_query_id") ?? "";
      if (bot.presses.get(id) !== true)
        throw badRequest("query is too old and response timeout expired or query ID is invalid");
      bot.presses.delete(id);
      return resultAnswer(true);
    }
    case "getfile": {
      const file = bot.file(params.text("file_id") ?? "");
      if (file === undefined) throw badRequest("invalid file_id");
      const { local = false } = emulator.options;
      if (!local && file.bytes.length > 20 * 1024 * 1024) throw badRequest("file is too big");
      const path = bot.issuePath(file, emulator.clock.now());
      return resultAnswer({
        file_id: file.fileId,
        file_unique_id: file.uniqueId,
        file_size: file.bytes.length,
        file_path: local ? `/var/lib/telegram-bot-api/${bot.token}/${path}` : path,
      });
    }
    default:
      throw new BotRefusal(404, "Not Found: method not found");
  }
}

function setWebhook(emulator: TelegramEmulator, bot: Bot, params: Params): Answer {
  const url = params.text("url") ?? "";
  const drop = params.boolean("drop_pending_updates");
  const allowed = readAllowed(params);
  if (url === "") {
    bot.updates.setWebhook(null, allowed, drop);
    return resultAnswer(true, "Webhook was deleted");
  }
  const parsed = URL.parse(url);
  if (parsed === null) throw badRequest("invalid webhook URL specified");
  if (
    parsed.protocol !== "https:" &&
    (emulator.options.httpsOnly === true || parsed.protocol !== "http:")
  )
    throw badRequest("bad webhook: An HTTPS URL must be provided for webhook");
  const secretToken = params.text("secret_token");
  if (secretToken !== null && secretToken !== "" && !/^[A-Za-z0-9_-]{1,256}$/.test(secretToken))
    throw badRequest("secret token contains unallowed characters");
  const connections = params.integer("max_connections") ?? 40;
  const maxConnections = Math.min(Math.max(connections, 1), 100);
  const same = bot.updates.webhook?.url === url;
  bot.updates.setWebhook({ url, secretToken: secretToken || null, maxConnections }, allowed, drop);
  return resultAnswer(true, same ? "Webhook is already set" : "Webhook was set");
}

function webhookInfo({ updates }: Bot): object {
  const { webhook, lastError, allowed } = updates;
  return {
    url: webhook?.url ?? "",
    has_custom_certificate: false,
    pending_update_count: updates.count,
    ...(webhook !== null && { max_connections: webhook.maxConnections }),
    ...(allowed.length > 0 && { allowed_updates: allowed }),
    ...(lastError !== null && {
      last_error_date: lastError.date,
      last_error_message: lastError.message,
    }),
  };
}

function readAllowed(params: Params): readonly string[] | null {
  const value = params.structure("allowed_updates");
  if (value === null) return null;
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
    throw badRequest("expected an Array of String as allowed_updates");
  return value;
}
