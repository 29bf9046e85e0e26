import { usageReport } from "../../usage/usage-report.ts";
import type { usage } from "./contract/usage.ts";
import type { Handlers } from "./handlers.ts";

/** What was used of the plan this month, and the forecast. */
export const usageHandlers: Handlers<typeof usage> = {
  async readUsage(context, { caller }) {
    const { summary, days, forecast, smsCredits } = await usageReport(context, caller.workspaceId);
    const { plan, limits, usage: used, periodStart, periodEnd, percentUsed } = summary;
    const { messages, seats, bots, channels, aiReplies, byChannel } = used;
    return {
      plan,
      limits,
      used: { messages, seats, bots, channels, aiReplies },
      channels: byChannel,
      days,
      forecast,
      smsCredits,
      periodStart,
      periodEnd,
      percentUsed,
    };
  },
};
