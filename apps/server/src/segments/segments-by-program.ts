import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { segmentOperations } from "../operations/segments.ts";
import type { SegmentJson } from "../wire/segment.ts";
import { keeping, perform } from "../write.ts";
import { createSegment } from "./create-segment.ts";
import { deleteSegment } from "./delete-segment.ts";
import { findSegment } from "./find-segment.ts";
import { previewSegment } from "./preview-segment.ts";
import { sampleSegment } from "./sample-segment.ts";
import { updateSegment } from "./update-segment.ts";

type WriteContext = Pick<Context, "db" | "ids" | "clock" | "wake">;

/** As `createSegment`; the answer is kept with the segment. */
export const saveSegment = perform(
  segmentOperations.createSegment,
  (actor, context: WriteContext, workspaceId, input, { keep }) =>
    keeping(
      keep,
      (segment: SegmentJson) => segment,
      (within) => createSegment(actor, context, workspaceId, input, { within }),
    ),
);

/** One segment. Throws NOT_FOUND. */
export const showSegment = perform(
  segmentOperations.readSegment,
  async (_actor, { db }: Pick<Context, "db">, workspaceId, { id }) => {
    const segment = await findSegment(db, workspaceId, id);
    if (!segment) throw new AppError("NOT_FOUND", { explanation: "there is no such segment" });
    return segment;
  },
);

/** As `updateSegment`. Throws VERSION_MISMATCH too. */
export const changeSegment = perform(
  segmentOperations.updateSegment,
  (actor, context: WriteContext, workspaceId, { id, ...patch }, { match }) =>
    updateSegment(actor, context, workspaceId, id, patch, match),
);

/** As `deleteSegment`. Throws VERSION_MISMATCH too. */
export const removeSegment = perform(
  segmentOperations.deleteSegment,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "segmentUsers">,
    workspaceId,
    { id },
    { match },
  ) => {
    await deleteSegment(actor, context, workspaceId, id, match);
    return {};
  },
);

/** How many contacts a definition names, in five seconds at most. Throws VALIDATION_FAILED. */
export const countDefinition = perform(
  segmentOperations.countDefinition,
  async (_actor, context: Pick<Context, "db" | "clock">, workspaceId, { definition }, { keep }) => {
    const { count, exact } = await previewSegment(context, workspaceId, definition);
    return context.db.transaction((tx) => keep(tx, { count, exact }));
  },
);

/** The newest ten contacts that a definition names. Throws VALIDATION_FAILED. */
export const sampleDefinition = perform(
  segmentOperations.sampleDefinition,
  async (_actor, context: Pick<Context, "db" | "clock">, workspaceId, { definition }, { keep }) => {
    const { contacts, whole, total } = await sampleSegment(context, workspaceId, definition);
    return context.db.transaction((tx) => keep(tx, { contacts, whole, total }));
  },
);
