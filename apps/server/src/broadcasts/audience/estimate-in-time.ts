import type { Context } from "../../context.ts";
import { QueryTimeout } from "../../db/database.ts";
import type { BroadcastDraft } from "../../wire/broadcast-draft.ts";
import type { BroadcastEstimateJson } from "../../wire/broadcast-report.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { prepareBroadcast } from "../record/create-broadcast.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { asDraft } from "../record/update-broadcast.ts";
import { presentEstimate } from "../report/present-report.ts";
import { paceExcess } from "../send/pace-warning.ts";
import type { BroadcastEstimate } from "./estimate-broadcast.ts";

/** The draft as it would be stored, in place of the stored one that it would replace (`id`). */
export async function draftInQuestion(
  context: Context,
  workspaceId: string,
  id: string | undefined,
  draft: BroadcastDraft,
): Promise<Broadcast> {
  const prepared = await prepareBroadcast(context, workspaceId, draft);
  return id === undefined
    ? prepared
    : asDraft(prepared, await findBroadcast(context, workspaceId, id));
}

/** The estimate as it is shown. Null: counting the audience took too long. The campaign can be started regardless. */
export async function estimateInTime(
  context: Context,
  broadcast: Broadcast,
  counted: Promise<BroadcastEstimate>,
): Promise<BroadcastEstimateJson> {
  try {
    const estimate = await counted;
    return { estimate: presentEstimate(estimate, await paceExcess(context, broadcast)) };
  } catch (error) {
    if (error instanceof QueryTimeout) return { estimate: null };
    throw error;
  }
}
