import { lockForSync, requestSync } from "../channels/platform-sync.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { statusAfter } from "./template.ts";
import { templateStatusEvent } from "./template-events.ts";
import { moveTemplate } from "./template-store.ts";

/** What the platform pushed about a template of a channel's business. */
export interface TemplatePush {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly externalTemplateId: string;
  /** The platform's event word: APPROVED, PAUSED, FLAGGED … */
  readonly status: string;
  readonly reason: string | null;
  /** The platform's sentences for a person, which say why and what to change. */
  readonly detail?: string | null;
}

/** Statuses with a reason; any other status removes the reason. */
const REASONED = ["REJECTED", "PAUSED", "DISABLED"];

/**
 * Stores a push about a template. When the push names no new status, or the template is unknown, the whole list becomes
 * due. Returns the `template.status` event for the caller to emit last, or none when nothing changed.
 */
export async function applyTemplateStatus(
  context: Pick<Context, "clock" | "wake">,
  tx: Tx,
  push: TemplatePush,
): Promise<NewEvent[]> {
  const { workspaceId, channelId } = push;
  const status = statusAfter(push.status);
  await lockForSync(tx, workspaceId, channelId);
  const now = context.clock.now();
  const move =
    status === null
      ? "unknown"
      : await moveTemplate(tx, workspaceId, channelId, push.externalTemplateId, {
          status,
          reason: REASONED.includes(status) ? push.reason : null,
          detail: REASONED.includes(status) ? (push.detail ?? null) : null,
          at: now,
        });
  if (move === null) return [];
  if (move === "unknown") {
    await requestSync(context, tx, workspaceId, channelId);
    tx.afterCommit(() => context.wake.nudge("housekeeping"));
    return [];
  }
  return [templateStatusEvent(workspaceId, channelId, move, push.reason, now)];
}
