import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import type { MemberRole } from "../actor.ts";
import { normalEmail, type Member } from "./member.ts";
import { countMembers, insertMember } from "./member-store.ts";
import { checkedPassword, hashPassword } from "./password.ts";
import { limitsOf } from "./plan-limits.ts";
import { checkedName } from "./workspace.ts";
import { lockWorkspace } from "./workspace-store.ts";
import { audit } from "./write-audit.ts";
import { permitRole } from "./change-member.ts";
import { write } from "../write.ts";

export interface NewMember {
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  /** At least 10 characters. Without one nobody can sign in as this member until it is set. */
  readonly password?: string;
}

/**
 * Adds a person to a workspace; takes a seat. Throws NOT_FOUND (workspace), VALIDATION_FAILED, CONFLICT (the address
 * is taken in this workspace), SEAT_LIMIT_REACHED.
 */
export const createMember = write(
  "member.create",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    workspaceId: string,
    input: NewMember,
  ): Promise<Member> => {
    const email = normalEmail(input.email);
    if (email === null)
      throw invalid("email", "must be an e-mail address of at most 200 characters");
    const name = checkedName(input.name);
    const { password } = input;
    if (password !== undefined) checkedPassword(password);
    const missing = () => new AppError("NOT_FOUND", { explanation: `no workspace ${workspaceId}` });
    if (!isId(workspaceId)) throw missing();
    permitRole(actor, input.role);
    // Outside the transaction: a tenth of a second of hashing is no time to hold a lock.
    const passwordHash = password === undefined ? null : await hashPassword(password);
    return context.db.transaction(async (tx) => {
      const workspace = await lockWorkspace(tx, workspaceId);
      if (!workspace) throw missing();
      const member: Member = {
        id: context.ids.next(),
        workspaceId,
        email,
        name,
        role: input.role,
        createdAt: context.clock.now(),
      };
      const used = await countMembers(tx, workspaceId);
      if (!(await insertMember(tx, member, passwordHash)))
        throw new AppError("CONFLICT", {
          explanation: `${email} is already a member of this workspace`,
        });
      const limit = limitsOf(workspace).seats;
      if (limit !== null && used >= limit)
        throw new AppError("SEAT_LIMIT_REACHED", {
          limit,
          usage: used,
          explanation: `all ${limit} seats of the plan are taken`,
        });
      await audit(actor, context, tx, workspaceId, {
        action: "member.created",
        subject: member.id,
        facts: { role: member.role },
      });
      return member;
    });
  },
);
