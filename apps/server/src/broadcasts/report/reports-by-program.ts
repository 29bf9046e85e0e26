import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { broadcastReports } from "../../operations/broadcast-reports.ts";
import { broadcasts } from "../../operations/broadcasts.ts";
import { PAGE_ITEMS } from "../../operations/page.ts";
import { perform } from "../../write.ts";
import { estimateBroadcast, estimatePrepared } from "../audience/estimate-broadcast.ts";
import { draftInQuestion, estimateInTime } from "../audience/estimate-in-time.ts";
import { broadcastTimeline } from "../record/broadcast-timeline.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { previewBroadcast, previewPrepared } from "../text/preview-broadcast.ts";
import { broadcastBreakdown } from "./broadcast-breakdown.ts";
import { broadcastReport } from "./broadcast-report.ts";
import { compareVariants } from "./compare-variants.ts";
import { repliesAfter, type ReplyPlace } from "./list-replies.ts";
import { presentComparison, presentPreview, presentTimeline } from "./present-report.ts";

// What programs ask about campaigns.

const MOST_ITEMS = 200;

export const estimateDraftByProgram = perform(
  broadcasts.estimateDraft,
  async (_actor, context: Context, workspaceId, { id, draft }, { keep }) => {
    const broadcast = await draftInQuestion(context, workspaceId, id, draft);
    const answer = await estimateInTime(context, broadcast, estimatePrepared(context, broadcast));
    return context.db.transaction((tx) => keep(tx, answer));
  },
);

export const previewDraftByProgram = perform(
  broadcasts.previewDraft,
  async (_actor, context: Context, workspaceId, { id, draft, count }, { keep }) => {
    const broadcast = await draftInQuestion(context, workspaceId, id, draft);
    const answer = presentPreview(await previewPrepared(context, broadcast, { count }));
    return context.db.transaction((tx) => keep(tx, answer));
  },
);

export const estimateBroadcastByProgram = perform(
  broadcasts.estimateBroadcast,
  async (_actor, context: Context, workspaceId, { id }) => {
    const broadcast = await findBroadcast(context, workspaceId, id);
    return estimateInTime(context, broadcast, estimateBroadcast(context, workspaceId, id));
  },
);

export const previewBroadcastByProgram = perform(
  broadcasts.previewBroadcast,
  async (_actor, context: Context, workspaceId, { id, count }) =>
    presentPreview(await previewBroadcast(context, workspaceId, id, { count })),
);

export const readBroadcastReport = perform(
  broadcastReports.readBroadcastReport,
  (_actor, context: Pick<Context, "db">, workspaceId, { id }) =>
    broadcastReport(context, workspaceId, id),
);

export const readBroadcastTimeline = perform(
  broadcastReports.readBroadcastTimeline,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id, by }) =>
    presentTimeline(await broadcastTimeline(context, workspaceId, id, by)),
);

export const compareBroadcastVariants = perform(
  broadcastReports.compareBroadcastVariants,
  async (_actor, context: Pick<Context, "db" | "clock">, workspaceId, { id }) =>
    presentComparison(await compareVariants(context, workspaceId, id)),
);

export const breakBroadcastDown = perform(
  broadcastReports.breakBroadcastDown,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id, by = "tag" }) => {
    const { values, other } = await broadcastBreakdown(context, workspaceId, id, by);
    return { values: [...values], other };
  },
);

/** Throws VALIDATION_FAILED for an invalid cursor. */
export const listBroadcastReplies = perform(
  broadcastReports.listBroadcastReplies,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id, cursor, limit = PAGE_ITEMS }) => {
    const after = cursor === undefined ? null : placeOf(cursor);
    const size = Math.min(limit, MOST_ITEMS);
    const { items, next } = await repliesAfter(context, workspaceId, id, after, size);
    return {
      items: items.map(({ repliedAt, ...one }) => ({ ...one, repliedAt: repliedAt.toISOString() })),
      nextCursor: next && `${next.repliedAt.toISOString()}_${next.contactId}`,
    };
  },
);

function placeOf(cursor: string): ReplyPlace {
  const [time = "", contactId = "", ...more] = cursor.split("_");
  const repliedAt = new Date(time);
  if (more.length > 0 || !isId(contactId) || Number.isNaN(repliedAt.getTime()))
    throw invalid("cursor", "must be the nextCursor of the page before");
  return { repliedAt, contactId };
}
