import type { Context } from "../../context.ts";
import type { Broadcast } from "../record/broadcast.ts";
import type { Wait } from "../text/header-media.ts";
import { planSending, type NoPlan, type SendPlan } from "../send/plan-sending.ts";
import { armsOf } from "./split.ts";

/**
 * How a campaign sends now, all its variants over the same account: when one of them cannot be sent, nothing of it
 * is, because who is left would no longer be a fair comparison.
 */
export async function planBroadcast(
  context: Context,
  broadcast: Broadcast,
  step: "audience",
): Promise<SendPlan | NoPlan>;
export async function planBroadcast(
  context: Context,
  broadcast: Broadcast,
  step: "send",
): Promise<SendPlan | NoPlan | Wait>;
export async function planBroadcast(
  context: Context,
  broadcast: Broadcast,
  step: "audience" | "send",
): Promise<SendPlan | NoPlan | Wait> {
  const plan = (arm: Broadcast) =>
    step === "send" ? planSending(context, arm, step) : planSending(context, arm, step);
  const [first, ...others] = armsOf(broadcast);
  const lead = await plan(first);
  if (!("send" in lead) || others.length === 0) return lead;
  const plans = [lead];
  for (const arm of others) {
    const planned = await plan(arm);
    if (!("send" in planned)) return planned;
    plans.push(planned);
  }
  const armOf = (variant: number | null) => plans[variant ?? 0] ?? lead;
  return {
    ...lead,
    fill: (content, variant) => armOf(variant).fill(content, variant),
    headerOf: (variant) => armOf(variant).headerOf?.(variant) ?? null,
  };
}
