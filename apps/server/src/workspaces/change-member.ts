import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import type { Actor, MemberRole } from "../actor.ts";
import { normalEmail, type Member } from "./member.ts";
import {
  countMembersOf,
  countOwners,
  countSeats,
  deleteMember,
  lockMember,
  selectMembersOf,
  selectRole,
  writeDisabled,
  writeEmailOfMembers,
  writeMember,
} from "./member-store.ts";
import { forgetLogin, writeEmail, writePasswordHash } from "../logins/login.ts";
import { checkedPassword, hashPassword } from "../logins/password.ts";
import { makeReset, type LinkSecret, type Reset } from "../logins/password-reset.ts";
import { checkSeats } from "./plan-limits.ts";
import { checkedName } from "./workspace.ts";
import { lockWorkspace } from "./workspace-store.ts";
import { audit } from "./write-audit.ts";
import { permitRight } from "../policies.ts";
import { write } from "../write.ts";

export interface MemberChanges {
  readonly email?: string;
  readonly name?: string;
  readonly role?: MemberRole;
}

const missing = (memberId: string): AppError =>
  new AppError("NOT_FOUND", { explanation: `there is no member ${memberId} in this workspace` });

/**
 * Changes the given fields of a member. Throws NOT_FOUND, VALIDATION_FAILED, and CONFLICT when the address belongs to
 * another person. Throws FORBIDDEN when the address is to change and the person also works in another workspace, and
 * LAST_OWNER when the workspace would have no owner left.
 */
export const updateMember = write(
  "member.update",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    workspaceId: string,
    memberId: string,
    changes: MemberChanges,
  ): Promise<Member> => {
    const email = changes.email === undefined ? undefined : normalEmail(changes.email);
    if (email === null)
      throw invalid("email", "must be an e-mail address of at most 200 characters");
    const name = changes.name === undefined ? undefined : checkedName(changes.name);
    if (!isId(workspaceId) || !isId(memberId)) throw missing(memberId);
    return context.db.transaction(async (tx) => {
      const before = await lockMember(tx, workspaceId, memberId);
      if (!before) throw missing(memberId);
      permitRole(actor, before.role, changes.role);
      const after: Member = {
        ...before,
        email: email ?? before.email,
        name: name ?? before.name,
        role: changes.role ?? before.role,
      };
      if (before.role === "owner" && before.disabledAt === null && after.role !== "owner")
        keepAnOwner(await countOwners(tx, workspaceId));
      await writeMember(tx, after);
      if (after.email !== before.email) await changeEmail(actor, tx, after);
      await audit(actor, context, tx, workspaceId, {
        action: "member.updated",
        subject: memberId,
        facts: {
          changed: Object.keys(changes),
          role: after.role,
          ...(after.role !== before.role && { from: before.role }),
        },
      });
      return after;
    });
  },
);

/**
 * Sets a new password of at least 10 characters. Throws NOT_FOUND, VALIDATION_FAILED, and FORBIDDEN when the person
 * also works in another workspace.
 */
export const resetPassword = write(
  "member.reset_password",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    workspaceId: string,
    memberId: string,
    password: string,
  ): Promise<Member> => {
    checkedPassword(password);
    if (!isId(workspaceId) || !isId(memberId)) throw missing(memberId);
    // Outside the transaction: hashing takes a tenth of a second, too long to hold a lock.
    const hash = await hashPassword(password);
    return context.db.transaction(async (tx) => {
      const member = await lockMember(tx, workspaceId, memberId);
      if (!member) throw missing(memberId);
      permitRole(actor, member.role);
      await permitLogin(actor, tx, member);
      checkedPassword(password, member.email);
      await writePasswordHash(tx, member.loginId, hash);
      await audit(actor, context, tx, workspaceId, {
        action: "member.password_reset",
        subject: memberId,
      });
      return member;
    });
  },
);

/**
 * The first half of a removal: locks the member until the transaction ends, and returns it. Before `removeLocked`, give
 * back what the member holds in other tables. Throws NOT_FOUND, and LAST_OWNER for the last owner.
 */
export async function lockForRemoval(
  actor: Actor,
  tx: Tx,
  workspaceId: string,
  memberId: string,
): Promise<Member> {
  const known = isId(workspaceId) && isId(memberId);
  const member = known ? await lockMember(tx, workspaceId, memberId) : null;
  if (!member) throw missing(memberId);
  permitRole(actor, member.role);
  if (member.role === "owner" && member.disabledAt === null)
    keepAnOwner(await countOwners(tx, workspaceId));
  return member;
}

/** The second half of a removal: deletes the member. The seat is free after the commit. */
export async function removeLocked(
  actor: Actor,
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  { workspaceId, id, role, loginId }: Member,
): Promise<void> {
  await deleteMember(tx, workspaceId, id);
  if ((await countMembersOf(tx, loginId)) === 0) await forgetLogin(tx, loginId);
  await audit(actor, context, tx, workspaceId, {
    action: "member.removed",
    subject: id,
    facts: { role },
  });
}

/**
 * Locks a member out, or lets the member in again. `setDisabled` calls it. Throws NOT_FOUND, LAST_OWNER,
 * SEAT_LIMIT_REACHED.
 */
export async function changeDisabled(
  actor: Actor,
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  { workspaceId, memberId, disabled }: MemberDisabling,
): Promise<Member> {
  const known = isId(workspaceId) && isId(memberId);
  // Every operation that takes or frees a seat locks the workspace first.
  const workspace = known ? await lockWorkspace(tx, workspaceId) : null;
  const before = workspace && (await lockMember(tx, workspaceId, memberId));
  if (!workspace || !before) throw missing(memberId);
  permitRole(actor, before.role);
  if ((before.disabledAt !== null) === disabled) return before;
  const now = context.clock.now();
  if (!disabled) checkSeats(workspace, await countSeats(tx, workspaceId, now));
  else if (before.role === "owner") keepAnOwner(await countOwners(tx, workspaceId));
  const disabledAt = disabled ? now : null;
  await writeDisabled(tx, workspaceId, memberId, disabledAt);
  await audit(actor, context, tx, workspaceId, {
    action: disabled ? "member.disabled" : "member.enabled",
    subject: memberId,
  });
  return { ...before, disabledAt };
}

export interface MemberDisabling {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly disabled: boolean;
}

/**
 * Makes a link with which the person can choose a new password within an hour. Throws NOT_FOUND. Throws FORBIDDEN when
 * the person also works in another workspace, or when an admin makes it for an owner.
 */
export const makeResetLink = write(
  "member.make_reset_link",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    workspaceId: string,
    memberId: string,
  ): Promise<LinkSecret> => {
    if (!isId(workspaceId) || !isId(memberId)) throw missing(memberId);
    return context.db.transaction(async (tx) => {
      const member = await lockMember(tx, workspaceId, memberId);
      if (!member) throw missing(memberId);
      permitRole(actor, member.role);
      await permitLogin(actor, tx, member);
      await audit(actor, context, tx, workspaceId, {
        action: "member.reset_link_made",
        subject: memberId,
      });
      const maker = actor.kind === "member" ? { workspaceId, memberId: actor.memberId } : null;
      return makeReset(context, tx, { loginId: member.loginId, maker });
    });
  },
);

/**
 * Whether the maker of a reset may still open this login, judged when the link is used: the maker may have been removed,
 * and the person may have joined another workspace or become an owner. Locks the person's member.
 */
export async function maySetPassword(tx: Tx, { loginId, maker }: Reset): Promise<boolean> {
  if (maker === null) return true;
  const role = await selectRole(tx, maker.workspaceId, maker.memberId);
  const members = await selectMembersOf(tx, loginId);
  const one = members.find(({ workspaceId }) => workspaceId === maker.workspaceId);
  const member = one && (await lockMember(tx, one.workspaceId, one.id));
  if (role === null || !member) return false;
  const actor: Actor = { kind: "member", memberId: maker.memberId, role };
  try {
    permitRole(actor, member.role);
    await permitLogin(actor, tx, member);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "FORBIDDEN") return false;
    throw error;
  }
}

/**
 * Locks a member and returns its login, for a reset of the second factor. Throws NOT_FOUND. Throws FORBIDDEN when an
 * admin resets another admin or an owner, and when the person also works in another workspace.
 */
export async function lockLoginOf(
  actor: Actor,
  tx: Tx,
  workspaceId: string,
  memberId: string,
): Promise<string> {
  const known = isId(workspaceId) && isId(memberId);
  const member = known ? await lockMember(tx, workspaceId, memberId) : null;
  if (!member) throw missing(memberId);
  if (member.role !== "agent") permitRight(actor, "member.change_owner");
  await permitLogin(actor, tx, member);
  return member.loginId;
}

async function changeEmail(actor: Actor, tx: Tx, { loginId, email }: Member): Promise<void> {
  await permitLogin(actor, tx, { loginId });
  if (!(await writeEmail(tx, loginId, email)))
    throw new AppError("CONFLICT", {
      explanation: `${email} is already a member, here or in another workspace`,
    });
  await writeEmailOfMembers(tx, loginId, email);
}

/**
 * Throws FORBIDDEN when the person also works in another workspace: the admins of one workspace must not take over a
 * person's sign-in to another one. The operator may.
 */
async function permitLogin(
  actor: Actor,
  tx: Tx,
  { loginId }: Pick<Member, "loginId">,
): Promise<void> {
  if (actor.kind === "operator" || (await countMembersOf(tx, loginId)) === 1) return;
  throw new AppError("FORBIDDEN", {
    explanation:
      "this person also works in another workspace, so nobody else here changes their address or password",
  });
}

/**
 * Throws FORBIDDEN when one of the roles is owner and the actor may not change owners: only owners create and change
 * owners.
 */
export function permitRole(actor: Actor, ...roles: readonly (MemberRole | undefined)[]): void {
  if (roles.includes("owner")) permitRight(actor, "member.change_owner");
}

function keepAnOwner(owners: number): void {
  if (owners > 1) return;
  throw new AppError("LAST_OWNER", {
    explanation: "a workspace needs an owner; make somebody else owner first",
  });
}
