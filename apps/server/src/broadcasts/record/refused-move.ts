import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { TRANSITIONS, type Trigger } from "./broadcast.ts";
import { selectBroadcast } from "./broadcast-store.ts";

/** Why a campaign cannot move, by its present state: another call may have moved it a moment ago. */
export async function refusedMove(
  tx: Tx,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  trigger: Trigger,
): Promise<AppError> {
  const from = Object.keys(TRANSITIONS[trigger]).join(", ");
  const status = (await selectBroadcast(tx, workspaceId, id))?.status ?? "deleted";
  return new AppError(trigger === "start" ? "BROADCAST_NOT_STARTABLE" : "NOT_ALLOWED_IN_STATE", {
    explanation: `a ${status} campaign cannot ${trigger}: it must be ${from}`,
  });
}
