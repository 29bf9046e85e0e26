import type { Context } from "../context.ts";
import type { ChannelAccount, InboundEvent } from "./adapter.ts";
import { httpFor } from "../lib/check-address.ts";
import { adapterFor } from "./registry.ts";
import { describeForLog } from "../db/describe-for-log.ts";

/** Tells a platform that waits for it that events were stored. Runs after the commit; failures are only logged. */
export async function acknowledgeEvents(
  context: Pick<Context, "log" | "providerHttp" | "guardedHttp">,
  account: ChannelAccount,
  events: readonly InboundEvent[],
): Promise<void> {
  const { workspaceId, channelId, type } = account;
  try {
    const failures = await adapterFor(type).acknowledge?.(
      httpFor(context, account),
      account,
      events,
    );
    for (const { code } of failures ?? [])
      context.log.warn({ workspaceId, channelId, code }, "an inbound event was not acknowledged");
  } catch (error) {
    context.log.error({ workspaceId, channelId, ...describeForLog(error) }, "adapter threw");
  }
}
