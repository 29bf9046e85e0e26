import type { Tx } from "../../db/database.ts";
import { selectTextsOfSms } from "../record/message-store.ts";
import { partsOfTexts } from "../../sms/text-parts.ts";
import { refundCredits } from "../../workspaces/credits.ts";
import type { NewEvent } from "../../webhooks/event.ts";

/**
 * Gives back the credits of a campaign's SMS that were paid for and will not go. Either the gateway refused one after
 * the time for its answer; or it had taken none of the tries, and before the next one the contact was skipped or
 * erased, or the campaign was cancelled. `events` tell which messages failed, each once. `partsTaken`, by message id,
 * are the parts that the gateway took all the same.
 */
export async function repayUnsent(
  tx: Tx,
  events: readonly NewEvent[],
  partsTaken: ReadonlyMap<string | null, number> = new Map(),
): Promise<void> {
  const failed = events.flatMap(({ workspaceId, type, data }) =>
    type === "message.status" && data.status === "failed" && data.channelId === null
      ? [{ workspaceId, id: data.messageId }]
      : [],
  );
  if (failed.length === 0) return;
  const rows = await selectTextsOfSms(tx, failed);
  for (const { workspaceId, texts } of rows) {
    const taken = failed
      .filter((one) => one.workspaceId === workspaceId)
      .reduce((sum, { id }) => sum + (partsTaken.get(id) ?? 0), 0);
    const parts = await partsOfTexts(tx, workspaceId, texts);
    await refundCredits(tx, workspaceId, parts - taken);
  }
}
