import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import type { Session, SignedIn } from "./session.ts";
import { deleteEnded, deleteSessions, selectSessions } from "./session-store.ts";
import { deleteStepsEnded } from "./sign-in-step-store.ts";

/** Where a member is signed in, the newest first. */
export const listSessions = (
  context: Pick<Context, "db" | "clock">,
  { workspaceId, memberId }: SignedIn,
): Promise<Session[]> => selectSessions(context.db, workspaceId, memberId, context.clock.now());

/**
 * Ends sessions of a member: one by its id, or all except the current one. Takes effect with the next request.
 * Gives how many. Throws NOT_FOUND when the session is not the member's.
 */
export const endSessions = write(
  "session.end",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    { workspaceId, memberId }: Pick<SignedIn, "workspaceId" | "memberId">,
    which: { readonly id: string } | { readonly but: string },
  ): Promise<number> => {
    if ("id" in which && !isId(which.id)) throw new AppError("NOT_FOUND");
    return context.db.transaction(async (tx) => {
      const ended = await deleteSessions(tx, workspaceId, memberId, which);
      if ("id" in which && ended === 0) throw new AppError("NOT_FOUND");
      await audit(actor, context, tx, workspaceId, {
        action: "session.ended",
        subject: memberId,
        facts: { ended },
      });
      return ended;
    });
  },
);

/** Removes expired sessions and unfinished sign-ins, a thousand at a time. Gives how many. */
export async function pruneSessions(context: {
  readonly db: Db;
  readonly clock: Context["clock"];
}): Promise<number> {
  const now = context.clock.now();
  return (
    (await deleteEnded(context.db, now, 1_000)) + (await deleteStepsEnded(context.db, now, 1_000))
  );
}
