import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { lastAudit } from "../../workspaces/list-audit.ts";
import type { Caller } from "./member-door.ts";

/** What changes the documents that members edit as a whole, as the audit names it. */
const CHANGES = [
  "broadcast.updated",
  "bot.draft_saved",
  "bot.version_restored",
  "segment.updated",
  "saved_reply.updated",
  "desk_view.updated",
  "knowledge.updated",
  "knowledge.synonyms_saved",
  "hours.saved",
] as const;

/**
 * Runs a change. When it is refused because somebody made another version meanwhile, its VERSION_MISMATCH also says who
 * did (`by`, an actor as the audit names it) and when (`at`), as far as the audit knows.
 */
export async function tellingWho<A>(
  context: Pick<Context, "db">,
  caller: Caller,
  { id }: Readonly<Record<string, string>>,
  change: () => Promise<A>,
): Promise<A> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "VERSION_MISMATCH") throw error;
    const [fault] = error.facts.details ?? [];
    if (caller.kind !== "member" || !fault) throw error;
    const last = await lastAudit(context.db, caller.workspaceId, id ?? caller.workspaceId, CHANGES);
    if (!last) throw error;
    const params = { ...fault.params, by: last.actor, at: last.createdAt.toISOString() };
    throw new AppError("VERSION_MISMATCH", { details: [{ ...fault, params }] });
  }
}
