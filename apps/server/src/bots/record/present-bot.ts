import type { BotFault, BotJson, BotListed } from "../../wire/bot.ts";
import { BOT_MODES } from "../../wire/words.ts";
import { tagOfRecord } from "../../lib/version-tag.ts";
import type { Bot } from "./bot-store.ts";
import { faultsOf } from "./document-faults.ts";
import { triggerOf } from "./live-bot.ts";

/** What a list and a page show of a bot. */
function presentShared(bot: Bot): Omit<BotListed, "answered" | "handedOver"> {
  const mode = BOT_MODES.find((one) => one === bot.draft["mode"]) ?? null;
  return {
    id: bot.id,
    name: bot.name,
    kind: bot.kind,
    status: bot.status,
    version: bot.version,
    draft: bot.changed,
    channels: triggerOf(bot.published ?? bot.draft).channels,
    mode,
    updatedAt: bot.updatedAt.toISOString(),
  };
}

/** A bot in a list, with what it did in the last seven days. */
export const presentListed = (
  bot: Bot,
  figures: { readonly answered: number; readonly handedOver: number } | undefined,
): BotListed => ({
  ...presentShared(bot),
  answered: figures?.answered ?? 0,
  handedOver: figures?.handedOver ?? 0,
});

/** What the version of a draft is made of: a publication is no change of it. */
export const versioned = ({ draft }: Pick<Bot, "draft">): object => ({ draft });

/** A bot with its draft and its faults; `address`: those of the addresses that it calls. */
export const presentBot = (bot: Bot, address: readonly BotFault[] = []): BotJson => ({
  ...presentShared(bot),
  document: bot.draft,
  etag: tagOfRecord(versioned(bot)),
  faults: [...faultsOf(bot.draft), ...address],
  secretMadeAt: bot.secretMadeAt?.toISOString() ?? null,
  createdAt: bot.createdAt.toISOString(),
});
