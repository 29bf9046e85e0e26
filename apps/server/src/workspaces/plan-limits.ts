import { AppError } from "../errors.ts";
import type { UsageSummaryJson } from "../wire/usage.ts";
import type { Plan } from "../wire/words.ts";

/** What a plan allows. Messages and AI replies count per UTC month, everything else at any time. Null is unlimited. */
export type PlanLimits = UsageSummaryJson["limits"];
export type LimitName = keyof PlanLimits;
export const LIMIT_NAMES = ["messages", "seats", "bots", "channels", "aiReplies"] as const;

/** The one table of plan limits (contract §5, Quota). Change it here and nowhere else. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { messages: 500, seats: 2, bots: 1, channels: 2, aiReplies: 50 },
  starter: { messages: 5_000, seats: 5, bots: 3, channels: 5, aiReplies: 1_000 },
  growth: { messages: 50_000, seats: 20, bots: 10, channels: 15, aiReplies: 10_000 },
  business: { messages: null, seats: null, bots: null, channels: null, aiReplies: null },
};

/** The limits in force: the plan's, replaced by those that were set for this workspace. */
export function limitsOf(workspace: {
  readonly plan: Plan;
  readonly limitOverrides: Partial<PlanLimits>;
}): PlanLimits {
  return { ...PLAN_LIMITS[workspace.plan], ...workspace.limitOverrides };
}

/** Whether the name is in the closed list of limits. */
export function isLimitName(text: string): text is LimitName {
  return LIMIT_NAMES.some((name) => name === text);
}

/** Throws SEAT_LIMIT_REACHED when all seats are `used`. */
export function checkSeats(workspace: Parameters<typeof limitsOf>[0], used: number): void {
  const limit = limitsOf(workspace).seats;
  if (limit !== null && used >= limit)
    throw new AppError("SEAT_LIMIT_REACHED", {
      limit,
      usage: used,
      explanation: `all ${limit} seats of the plan are taken`,
    });
}
