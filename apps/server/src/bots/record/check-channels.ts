import { channelStanding } from "../../channels/list-channels.ts";
import { isId } from "../../lib/ids.ts";
import type { BotFault } from "../../wire/bot.ts";
import { CHANNEL_TYPES } from "../../wire/words.ts";
import { triggerOf } from "./live-bot.ts";
import type { CheckBeforePublish } from "./publish-bot.ts";
import { draftFault } from "./shape-faults.ts";

/**
 * What a bot names as its channels is there: a bot of another workspace, or of a channel that was removed, would begin in no
 * conversation, and nothing would say why.
 */
export const checkChannels: CheckBeforePublish = async (_context, tx, { workspaceId, draft }) => {
  const faults: BotFault[] = [];
  for (const [n, one] of triggerOf(draft).channels.entries()) {
    const isKnown =
      TYPES.has(one) || (isId(one) && (await channelStanding(tx, workspaceId, one)) !== null);
    if (!isKnown)
      faults.push(
        draftFault(
          `trigger.channels.${n}`,
          "CHANNEL_UNKNOWN",
          `must be ${CHANNEL_TYPES.join(", ")}, or the id of a channel of the workspace; ${one} is none`,
          { name: one },
        ),
      );
  }
  return faults;
};

const TYPES: ReadonlySet<string> = new Set(CHANNEL_TYPES);
