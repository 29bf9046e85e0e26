import type {
  BroadcastComparisonJson,
  BroadcastEstimateJson,
  BroadcastPreviewJson,
  BroadcastTimelineJson,
} from "../../wire/broadcast-report.ts";
import type { BroadcastEstimate } from "../audience/estimate-broadcast.ts";
import type { BroadcastTimeline } from "../record/broadcast-timeline.ts";
import type { PaceExcess } from "../send/pace-warning.ts";
import type { BroadcastPreview } from "../text/preview-broadcast.ts";
import type { SplitResult } from "./compare-variants.ts";

// What both APIs show of what is known about a campaign.

export function presentEstimate(
  estimate: BroadcastEstimate,
  pace: PaceExcess | null,
): NonNullable<BroadcastEstimateJson["estimate"]> {
  const { summary: _, unknownPlaceholders, ...shown } = estimate;
  return {
    ...shown,
    unknownPlaceholders: [...unknownPlaceholders],
    pace: pace && { limit: pace.limit, most: pace.most },
  };
}

export const presentPreview = ({
  cannotRun,
  contacts,
}: BroadcastPreview): BroadcastPreviewJson => ({
  cannotRun,
  contacts: contacts.map(({ buttons, ...one }) => ({
    ...one,
    buttons: buttons.map(({ index, text }) => ({ index, text })),
  })),
});

export const presentTimeline = ({
  timeZone,
  entries,
  chart,
}: BroadcastTimeline): BroadcastTimelineJson => ({
  timeZone,
  entries: entries.map(({ at, kind, to, cause, actor, rateFrom, rateTo, until }) => ({
    at: at.toISOString(),
    kind,
    to,
    cause,
    actor,
    rateFrom,
    rateTo,
    until: until?.toISOString() ?? null,
  })),
  chart: chart.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts })),
});

export const presentComparison = (found: SplitResult): BroadcastComparisonJson => ({
  variants: found.variants.map(({ name, share, total, sent, rates }) => ({
    name,
    share,
    total,
    sent,
    rates,
  })),
  holdout: found.holdout,
  comparisons: found.comparisons.map(
    ({ metric, variant, against, difference, low, high, clear }) => ({
      metric,
      variant,
      against,
      difference,
      low,
      high,
      clear,
    }),
  ),
});
