import { selectBotSecret } from "../external/secret-store.ts";
import type { CheckBeforePublish } from "../record/publish-bot.ts";

/** What signs the look-ups of an AI bot is there. */
export const checkLookups: CheckBeforePublish = async (
  _context,
  tx,
  { kind, workspaceId, id, draft },
) => {
  const { lookups } = draft;
  if (kind !== "ai" || !Array.isArray(lookups) || lookups.length === 0) return [];
  if (await selectBotSecret(tx, workspaceId, id)) return [];
  const message = "need the bot's secret, which signs them: make it first";
  return [{ path: "lookups", step: null, code: "NO_SECRET", message }];
};
