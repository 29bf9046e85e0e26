import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { lockLogin, writePasswordHash } from "../logins/login.ts";
import { checkedPassword, hashPassword } from "../logins/password.ts";
import { endReset, makeReset, type LinkSecret } from "../logins/password-reset.ts";
import { SYSTEM, type Actor, type MemberRole } from "../actor.ts";
import { normalEmail, type Member } from "./member.ts";
import { deleteInvitationsTo } from "./invitation-store.ts";
import { countMembersOf, countSeats, insertMember } from "./member-store.ts";
import { checkSeats } from "./plan-limits.ts";
import { publishLists } from "./publish-lists.ts";
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
   * At least 10 characters. Without a password the person chooses one by a link, which `createMember` returns. A person
   * who already has a password from another workspace keeps it, because this call must not give anybody a way to sign in
   * as that person elsewhere.
   */
  readonly password?: string;
  /**
   * The caller knows that the address signs in already, and vouches for it: whoever knows its password enters this
   * workspace too.
   */
  readonly existingLogin?: boolean;
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
  if (password !== undefined) checkedPassword(password, email);
  // Outside the transaction: hashing takes a tenth of a second, too long to hold a lock.
  return {
    email,
    name,
    role,
    passwordHash: password === undefined ? null : await hashPassword(password),
  };
}

/** A new member, and how the person gets in. */
export interface Added extends Member {
  /** The person already had a password, which stays. */
  readonly existingLogin: boolean;
  /** With this secret the person chooses a password (`/reset/SECRET`). Null: there is a password. */
  readonly link: LinkSecret | null;
}

/** A first link is handed over by hand, so it lasts as long as an invitation. */
const LINK_HOURS = 7 * 24;

/**
 * Adds a person to a workspace, and takes a seat. Throws NOT_FOUND (workspace), VALIDATION_FAILED, CONFLICT (the
 * address is already a member of this workspace, or signs in elsewhere and `existingLogin` was not said),
 * SEAT_LIMIT_REACHED.
 */
export const createMember = write(
  "member.create",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "topics">,
    workspaceId: string,
    input: NewMember,
  ): Promise<Added> => {
    const missing = () => new AppError("NOT_FOUND", { explanation: `no workspace ${workspaceId}` });
    const checked = await checkedMember(input);
    if (!isId(workspaceId)) throw missing();
    permitRole(actor, input.role);
    return context.db.transaction(async (tx) => {
      const workspace = await lockWorkspace(tx, workspaceId);
      if (!workspace) throw missing();
      const login = await lockLogin(context, tx, checked.email);
      const existingLogin = login.passwordHash !== null;
      const member = await addMember(actor, context, tx, workspace, checked);
      if (existingLogin && input.existingLogin !== true)
        throw new AppError("CONFLICT", {
          explanation: `${checked.email} already signs in to another workspace, with a password that somebody chose there. Whoever knows that password would enter this workspace too. Ask the person whether the address and the password are theirs, then repeat the command with --existing-login`,
        });
      const open = existingLogin || checked.passwordHash !== null;
      const link = open
        ? null
        : await makeReset(context, tx, { loginId: login.id, maker: null, hours: LINK_HOURS });
      publishLists(context, tx, workspaceId);
      return { ...member, existingLogin, link };
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
  await closeHeldLinks(context, tx, member);
  await audit(actor, context, tx, workspace.id, {
    action: "member.created",
    subject: member.id,
    facts: { role: member.role },
  });
  return member;
}

/**
 * A login that opens a second workspace ends the links that were made while it opened one: whoever holds such a link
 * must not enter the new workspace by it.
 */
async function closeHeldLinks(
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  { loginId, email }: Member,
): Promise<void> {
  if ((await countMembersOf(tx, loginId)) === 1) return;
  await endReset(tx, loginId);
  for (const { workspaceId, id } of await deleteInvitationsTo(tx, email))
    await audit(SYSTEM, context, tx, workspaceId, { action: "invitation.withdrawn", subject: id });
}
