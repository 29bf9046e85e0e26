import type { Context } from "../../context.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import type { BroadcastStatus } from "../../wire/words.ts";
import { findBroadcast } from "./find-broadcast.ts";
import { selectChart, selectEntries, type ChartPoint } from "./timeline-store.ts";

/** Something that happened to a campaign. */
export interface TimelineEntry {
  readonly at: Date;
  /**
   * A move of the state table (start, due, stored, pause, halt, complete, reopen, cancel, fail, schedule,
   * unschedule), or: halved (the provider throttled), paced (a person set the pace), waited (nothing is sent until
   * then).
   */
  readonly kind: string;
  readonly from: BroadcastStatus | null;
  readonly to: BroadcastStatus | null;
  /** Why: an upper-case word, or the platform's code and words. */
  readonly cause: string | null;
  /** The actor: `key:ID`, `cli`; null: the engine. */
  readonly actor: string | null;
  readonly rateFrom: number | null;
  readonly rateTo: number | null;
  readonly until: Date | null;
}

export interface BroadcastTimeline {
  readonly entries: readonly TimelineEntry[];
  /** The workspace's zone, whose hours and days the counts use. */
  readonly timeZone: string;
  /**
   * How many recipients became sent, delivered, read and failed in each minute, hour or day; empty ones are left
   * out.
   */
  readonly chart: readonly ChartPoint[];
}

export type ChartStep = "minute" | "hour" | "day";

/** The most entries and points that are given: the latest. */
const LIMIT = 2_000;

/** What happened to a campaign, oldest first, and its counts over time. Error: `BROADCAST_NOT_FOUND`. */
export async function broadcastTimeline(
  context: Pick<Context, "db">,
  workspaceId: string,
  id: string,
  step: ChartStep = "minute",
): Promise<BroadcastTimeline> {
  const broadcast = await findBroadcast(context, workspaceId, id);
  const timeZone = (await findWorkspace(context, workspaceId))?.timeZone ?? "UTC";
  const [entries, chart] = await Promise.all([
    selectEntries(context.db, broadcast, LIMIT),
    selectChart(context.db, broadcast, step, timeZone, LIMIT),
  ]);
  return { entries, timeZone, chart };
}
