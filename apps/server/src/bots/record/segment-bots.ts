import type { Queryable, Tx } from "../../db/database.ts";
import { lockSegmentsNamed, listSegmentsNamed } from "../../segments/list-segments.ts";
import type { KnownSegment } from "../../segments/segments-of-contact.ts";
import { segmentsIn } from "../../wire/flow.ts";
import { readFlow } from "../flow/read-flow.ts";
import { selectPublishedFlows, type Bot, type NamedSegments } from "./bot-store.ts";

// Branches of a flow ask for a segment by its name. A version keeps the ids that the names had when it was published, so that
// a segment may get another name below a bot that answers.

/** The ids of the segments that a draft names, by name; of those that share one the oldest. None is deleted meanwhile. */
export async function segmentsNamedBy(
  tx: Tx,
  { kind, workspaceId, draft }: Pick<Bot, "kind" | "workspaceId" | "draft">,
): Promise<NamedSegments> {
  const names = kind === "flow" ? segmentsIn(readFlow(draft)) : [];
  if (names.length === 0) return {};
  const found = await lockSegmentsNamed(tx, workspaceId, names);
  return Object.fromEntries(found.toReversed().map(({ id, name }) => [name, id]));
}

/** A flow that asks for segments, and the ids of these. */
export interface SegmentBot {
  readonly id: string;
  readonly name: string;
  readonly segmentIds: readonly string[];
}

/** The flows that answer or are paused, and the segments that their published versions ask for. */
export async function segmentBots(db: Queryable, workspaceId: string): Promise<SegmentBot[]> {
  const flows = await selectPublishedFlows(db, workspaceId);
  const asking = flows.map((flow) => ({ flow, names: segmentsIn(readFlow(flow.document)) }));
  // For versions without ids.
  const names = [...new Set(asking.flatMap((one) => one.names))];
  const named = names.length === 0 ? [] : await listSegmentsNamed(db, workspaceId, names);
  return asking.map(({ flow, names }) => ({
    id: flow.id,
    name: flow.name,
    segmentIds: knownSegments(names, flow.segments).flatMap(({ name, id }) =>
      id === undefined ? named.filter((one) => one.name === name).map((one) => one.id) : id,
    ),
  }));
}

/** Segments that a version names, with their ids. A version of a server that kept none has names alone. */
export const knownSegments = (
  names: readonly string[],
  ids: NamedSegments,
): readonly KnownSegment[] =>
  names.map((name) => ({ name, id: Object.hasOwn(ids, name) ? ids[name] : undefined }));

/** The names of the flows that answer or are paused and ask for a segment. */
export async function botsAskingFor(
  tx: Tx,
  workspaceId: string,
  segmentId: string,
): Promise<string[]> {
  const bots = await segmentBots(tx, workspaceId);
  return bots.filter(({ segmentIds }) => segmentIds.includes(segmentId)).map(({ name }) => name);
}
