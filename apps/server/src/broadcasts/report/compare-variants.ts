import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { byReason, countBroadcast, funnelOf, type Counts } from "./broadcast-funnel.ts";
import type { FunnelJson } from "../../wire/broadcast-report.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { borders } from "../audience/split-draw.ts";
import { splitRendering } from "../audience/split.ts";
import { newcombe, wilson, Z95, zOf, type Difference, type Rate } from "./split-statistics.ts";

export const METRICS = ["delivered", "read", "replied", "optedOut"] as const;
export type Metric = (typeof METRICS)[number];

export interface VariantResult extends FunnelJson {
  readonly name: string;
  readonly share: number;
  /** The share of those sent, with Wilson's 95 % interval. */
  readonly rates: Readonly<Record<Metric, Rate>>;
}

/** A variant compared with the first one. */
export interface Comparison extends Difference {
  readonly metric: Metric;
  readonly variant: string;
  readonly against: string;
  readonly verdict: "higher" | "lower" | "no clear difference";
}

export interface SplitResult {
  readonly id: string;
  readonly status: Broadcast["status"];
  readonly variants: readonly VariantResult[];
  readonly holdout: { readonly share: number; readonly count: number };
  readonly comparisons: readonly Comparison[];
  /** Reasons not to read more into the figures than they say. */
  readonly warnings: readonly string[];
}

/** With fewer sent than this, or fewer of either outcome, an interval says little. */
const FEW_SENT = 100;
const FEW_OUTCOMES = 5;
const DAY_MS = 86_400_000;

/**
 * The variants of an A/B campaign side by side. Errors: `BROADCAST_NOT_FOUND`; `NOT_ALLOWED_IN_STATE` for a campaign
 * without variants.
 */
export async function compareVariants(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  id: string,
): Promise<SplitResult> {
  const broadcast = await findBroadcast(context, workspaceId, id);
  if (broadcast.variants.length === 0)
    throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "the campaign has no variants" });
  return compare(broadcast, await countBroadcast(context, broadcast), context.clock.now());
}

/** Pure: what the counts say. */
export function compare(broadcast: Broadcast, counts: Counts, now: Date): SplitResult {
  const variants = broadcast.variants.map(({ name, share }, place): VariantResult => {
    const funnel = funnelOf(counts, place);
    const rates = Object.fromEntries(
      METRICS.map((metric) => [metric, wilson(funnel[metric], funnel.sent)]),
    ) as Record<Metric, Rate>;
    return { name, share, ...funnel, rates };
  });
  const held = counts.outcomes.filter((one) => one.reason === "holdout");
  return {
    id: broadcast.id,
    status: broadcast.status,
    variants,
    holdout: {
      share: borders(broadcast).holdout,
      count: held.reduce((sum, one) => sum + (one.status === "skipped" ? one.count : 0), 0),
    },
    comparisons: comparisonsOf(variants),
    warnings: [
      ...untoldOf(broadcast),
      ...unlikeOf(broadcast, counts),
      ...warningsOf(broadcast, variants, now),
    ],
  };
}

/** Events that this platform never reports: a 0 of them is no measurement, however narrow its interval. */
function untoldOf({ kind, channelType }: Broadcast): string[] {
  if (kind === "SMS") return ["read, replied: SMS tells neither, so 0 says nothing."];
  return channelType === "TELEGRAM"
    ? ["delivered, read: Telegram tells neither, so 0 says nothing."]
    : [];
}

/** A recipient who lacks a value of only one variant is left out of that one, so the draw is not fair. */
function unlikeOf(broadcast: Broadcast, counts: Counts): string[] {
  const lacking = byReason(counts, "skipped")["missing_variable"] ?? 0;
  const needs = splitRendering(broadcast).needs.map((groups) =>
    [...new Set(groups.map((facts) => [...new Set(facts)].map(String).toSorted().join("+")))]
      .toSorted()
      .join(),
  );
  if (lacking === 0 || new Set(needs).size < 2) return [];
  return [
    `${lacking} lacked what their variant shows (missing_variable), and the variants do not show the same: they went to different people.`,
  ];
}

function comparisonsOf([first, ...others]: readonly VariantResult[]): Comparison[] {
  if (!first) return [];
  const z = others.length > 1 ? zOf(others.length) : Z95;
  return METRICS.flatMap((metric) =>
    others.map((other): Comparison => {
      const found = newcombe([other[metric], other.sent], [first[metric], first.sent], z);
      const verdict = !found.clear
        ? "no clear difference"
        : found.difference > 0
          ? "higher"
          : "lower";
      return { metric, variant: other.name, against: first.name, ...found, verdict };
    }),
  );
}

function warningsOf(broadcast: Broadcast, variants: readonly VariantResult[], now: Date): string[] {
  const warnings: string[] = [];
  const { status, completedAt, replyDays } = broadcast;
  if (completedAt === null)
    warnings.push(
      `The campaign is ${status}: who looks again and again and stops at a difference finds one that is not there.`,
    );
  else if (now.getTime() < completedAt.getTime() + replyDays * DAY_MS)
    warnings.push(
      `Replies and opt-outs still count until ${replyDays} days after the last send: the figures are not final.`,
    );
  const small = variants.filter((one) => one.sent < FEW_SENT).map((one) => one.name);
  if (small.length > 0)
    warnings.push(`Fewer than ${FEW_SENT} were sent: ${small.join(", ")}. Too few to tell by.`);
  for (const metric of METRICS) {
    const rare = variants.filter(
      (one) => one.sent > 0 && Math.min(one[metric], one.sent - one[metric]) < FEW_OUTCOMES,
    );
    if (small.length === 0 && rare.length > 0)
      warnings.push(
        `${metric}: fewer than ${FEW_OUTCOMES} did, or did not, in ${rare.map((one) => one.name).join(", ")}.`,
      );
  }
  if (variants.length > 2)
    warnings.push(
      `${variants.length - 1} variants are compared with the first: the intervals of the differences are wide enough for all of them.`,
    );
  return warnings;
}
