import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { lockLogin, writePasswordHash } from "../logins/login.ts";
import { checkedPassword, hashPassword } from "../logins/password.ts";
import type { Actor, MemberRole } from "../actor.ts";
import { normalEmail, type Member } from "./member.ts";
import { countSeats, insertMember } from "./member-store.ts";
import { checkSeats } from "./plan-limits.ts";
import { checkedName, type Workspace } from "./workspace.ts";
import { lockWorkspace } from "./workspace-store.ts";
import { audit } from "./write-audit.ts";
import { permitRole } from "./change-member.ts";
import { write } from "../write.ts";

export interface NewMember {
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  /**
   * At least 10 characters. Without a password nobody can sign in as this member until one is set. A person who already
   * has a password from another workspace keeps it, because this call must not give anybody a way to sign in as that
   * person elsewhere.
   */
  readonly password?: string;
}

/** The fields of a `NewMember`, checked, with the password hashed. */
export interface CheckedMember {
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly passwordHash: string | null;
}

/** Checks a new member's fields and hashes the password. Throws VALIDATION_FAILED. */
export async function checkedMember(input: NewMember): Promise<CheckedMember> {
  const email = normalEmail(input.email);
  if (email === null) throw invalid("email", "must be an e-mail address of at most 200 characters");
  const name = checkedName(input.name);
  const { password, role } = input;
  if (password !== undefined) checkedPassword(password);
  // Outside the transaction: hashing takes a tenth of a second, too long to hold a lock.
  return {
    email,
    name,
    role,
    passwordHash: password === undefined ? null : await hashPassword(password),
  };
}

/**
 * Adds a person to a workspace, and takes a seat. Throws NOT_FOUND (workspace), VALIDATION_FAILED, CONFLICT (the
 * address is already a member of this workspace), SEAT_LIMIT_REACHED.
 */
export const createMember = write(
  "member.create",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    workspaceId: string,
    input: NewMember,
  ): Promise<Member> => {
    const missing = () => new AppError("NOT_FOUND", { explanation: `no workspace ${workspaceId}` });
    const checked = await checkedMember(input);
    if (!isId(workspaceId)) throw missing();
    permitRole(actor, input.role);
    return context.db.transaction(async (tx) => {
      const workspace = await lockWorkspace(tx, workspaceId);
      if (!workspace) throw missing();
      return addMember(actor, context, tx, workspace, checked);
    });
  },
);

/** Adds a person to a workspace that is locked, or was created in this transaction. Throws as `createMember` does. */
export async function addMember(
  actor: Actor,
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  workspace: Workspace,
  { email, name, role, passwordHash }: CheckedMember,
): Promise<Member> {
  const login = await lockLogin(context, tx, email);
  const member: Member = {
    id: context.ids.next(),
    workspaceId: workspace.id,
    loginId: login.id,
    email,
    name,
    role,
    createdAt: context.clock.now(),
    disabledAt: null,
    availability: "online",
  };
  const used = await countSeats(tx, workspace.id, member.createdAt);
  if (!(await insertMember(tx, member)))
    throw new AppError("CONFLICT", {
      explanation: `${email} is already a member of this workspace`,
    });
  checkSeats(workspace, used);
  if (passwordHash !== null && login.passwordHash === null)
    await writePasswordHash(tx, login.id, passwordHash);
  await audit(actor, context, tx, workspace.id, {
    action: "member.created",
    subject: member.id,
    facts: { role: member.role },
  });
  return member;
}
