import { failChannel } from "../../channels/fail-channel.ts";
import type { Context } from "../../context.ts";
import { applyTemplateStatus } from "../../templates/apply-template-status.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { notifyAdmins } from "../../workspaces/notify-admins.ts";
import type { RoutedEvent } from "./route-events.ts";

/** Hands each fact to the part that knows it: messages and statuses to `messages`, the rest here. */
export async function takeIn(context: Context, routed: readonly RoutedEvent[]): Promise<void> {
  const forMessages = routed.filter(
    ({ event }) => event.kind !== "template_status" && event.kind !== "account_alert",
  );
  if (forMessages.length > 0) throw new Error("receiving messages is not built yet");
  for (const one of routed) await takeAccountNews(context, one);
}

async function takeAccountNews(context: Context, { account, event }: RoutedEvent): Promise<void> {
  const { workspaceId, channelId } = account;
  if (event.kind === "template_status") {
    const { externalTemplateId, status, reason } = event;
    const push = { workspaceId, channelId, externalTemplateId, status, reason };
    await context.db.transaction(async (tx) => {
      await emitEvents(context, tx, await applyTemplateStatus(context, tx, push));
    });
  } else if (event.kind === "account_alert") {
    const { code, detail } = event;
    context.log.warn({ workspaceId, channelId, code, blocking: event.blocking }, "account alert");
    await context.db.transaction(async (tx) => {
      if (event.blocking) {
        const events = await failChannel(context, tx, workspaceId, channelId, { code, detail });
        await emitEvents(context, tx, events);
        return;
      }
      // Once a day for each kind of trouble, however often the platform repeats it.
      const day = context.clock.now().toISOString().slice(0, 10);
      await notifyAdmins(context, tx, workspaceId, {
        kind: "channel.alert",
        subject: `The platform reports trouble with channel ${account.name}`,
        body: `${code}: ${detail}`,
        dedupe: `channel.alert:${channelId}:${code}:${day}`,
      });
    });
  }
}
