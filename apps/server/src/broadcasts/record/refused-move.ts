import type { Tx } from "../../db/database.ts";
import { AppError, notInState } from "../../errors.ts";
import { TRANSITIONS, type Trigger } from "./broadcast.ts";
import { selectBroadcast } from "./broadcast-store.ts";

/** Why a campaign cannot move, by its present state: another call may have moved it a moment ago. */
export async function refusedMove(
  tx: Tx,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  trigger: Trigger,
): Promise<AppError> {
  const from = Object.keys(TRANSITIONS[trigger]);
  const status = (await selectBroadcast(tx, workspaceId, id))?.status ?? "deleted";
  const explanation = `a ${status} campaign cannot ${trigger}: it must be ${from.join(", ")}`;
  const refused = notInState(status, from, explanation);
  // The specification names the code of a refused start.
  return trigger === "start" ? new AppError("BROADCAST_NOT_STARTABLE", refused.facts) : refused;
}
