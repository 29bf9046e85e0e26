import { listChannels } from "../channels/list-channels.ts";
import type { Context } from "../context.ts";
import { labelsOf } from "../desk/labels.ts";
import { countDeskViews } from "../desk/read-desk.ts";
import type { DeskCounts } from "../wire/desk-shapes.ts";
import { DESK_VIEWS } from "../wire/words.ts";
import { selectOwnViews } from "./desk-view-store.ts";

/**
 * How many conversations each view in the navigation has, for each of these members: at most 1,000 each. Costs a
 * few statements for all members together, so that one change can be told to 500 open pages.
 */
export async function countViews(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, DeskCounts>> {
  const [views, labels, channels] = await Promise.all([
    selectOwnViews(context.db, workspaceId, memberIds),
    labelsOf(context.db, workspaceId),
    listChannels(context, workspaceId),
  ]);
  return countDeskViews(context, workspaceId, memberIds, [
    ...DESK_VIEWS.map((view) => [view, { kind: "built-in", view }, null] as const),
    ...channels.map(
      ({ id: channelId }) =>
        [`channel-${channelId}`, { kind: "channel", channelId }, null] as const,
    ),
    ...labels.map(({ name: label }) => [`label-${label}`, { kind: "label", label }, null] as const),
    ...views.map(
      ({ id, filter, memberId }) => [`view-${id}`, { kind: "own", filter }, memberId] as const,
    ),
  ]);
}
