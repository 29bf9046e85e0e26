import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { write } from "../write.ts";
import type { Availability, Member } from "./member.ts";
import { memberOf } from "./member-notice.ts";
import { lockMember, selectAtWork, writeAvailability, writeMember } from "./member-store.ts";
import { checkedName } from "./workspace.ts";
import { audit } from "./write-audit.ts";

/** Saves the acting member's own name. Throws VALIDATION_FAILED, FORBIDDEN for an actor that is no member, NOT_FOUND. */
export const saveProfile = write(
  "member.save_profile",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    workspaceId: string,
    { name }: { readonly name: string },
  ): Promise<Member> => {
    const checked = checkedName(name);
    return context.db.transaction(async (tx) => {
      const before = await lockMember(tx, workspaceId, memberOf(actor));
      if (!before) throw new AppError("NOT_FOUND");
      const after = { ...before, name: checked };
      await writeMember(tx, after);
      await audit(actor, context, tx, workspaceId, {
        action: "member.updated",
        subject: before.id,
        facts: { changed: ["name"], role: before.role },
      });
      return after;
    });
  },
);

/** Sets whether the acting member is present. Throws FORBIDDEN for an actor that is no member, NOT_FOUND. */
export const setAvailability = write(
  "member.set_availability",
  async (
    actor,
    context: Pick<Context, "db">,
    workspaceId: string,
    availability: Availability,
  ): Promise<void> => {
    if (!(await writeAvailability(context.db, workspaceId, memberOf(actor), availability)))
      throw new AppError("NOT_FOUND");
  },
);

export { writeSignedIn as recordSignIn } from "./member-store.ts";

/**
 * The assignee of a conversation that opens again: the same member as before, or nobody when that member is away,
 * disabled, or never signed in.
 */
export async function keptAssignee(
  db: Queryable,
  { workspaceId, assigneeId }: { readonly workspaceId: string; readonly assigneeId: string | null },
): Promise<string | null> {
  const kept = assigneeId !== null && (await selectAtWork(db, workspaceId, assigneeId));
  return kept ? assigneeId : null;
}
