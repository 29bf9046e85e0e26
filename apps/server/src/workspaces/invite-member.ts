import type { MemberRole } from "../actor.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { freshSecret, hashOfSecret } from "../lib/link-secret.ts";
import { findLogin, lockLogin } from "../logins/login.ts";
import type { LinkSecret } from "../logins/password-reset.ts";
import { countLinkTry } from "../logins/prove-login.ts";
import { write } from "../write.ts";
import { permitRole } from "./change-member.ts";
import { addMember, checkedMember } from "./create-member.ts";
import {
  deleteInvitation,
  deleteInvitationOf,
  insertInvitation,
  selectInvitation,
  selectInvitations,
  type Invitation,
} from "./invitation-store.ts";
import { queueLetter } from "./letter.ts";
import { normalEmail, type Member } from "./member.ts";
import { countSeats, hasEmail } from "./member-store.ts";
import { checkSeats } from "./plan-limits.ts";
import { provePerson } from "./prove-person.ts";
import { publishLists } from "./publish-lists.ts";
import { lockWorkspace } from "./workspace-store.ts";
import { audit } from "./write-audit.ts";

const INVITATION_MS = 7 * 24 * 3_600_000;

/** The workspace's open invitations, the oldest first. */
export const listInvitations = (
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
): Promise<Invitation[]> => selectInvitations(context.db, workspaceId, context.clock.now());

/** How many of the plan's seats are taken, invitations included. */
export const seatsTaken = (
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
): Promise<number> => countSeats(context.db, workspaceId, context.clock.now());

/**
 * Invites an address for seven days, by mail when a mail server is set. Takes a seat. An older invitation of the
 * address ends. Throws VALIDATION_FAILED, NOT_FOUND (workspace), FORBIDDEN when an admin invites an owner,
 * CONFLICT for a member's address, SEAT_LIMIT_REACHED.
 */
export const inviteMember = write(
  "invitation.create",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "config" | "sealer">,
    workspaceId: string,
    input: { readonly email: string; readonly role: MemberRole },
  ): Promise<LinkSecret & { readonly id: string; readonly mailed: boolean }> => {
    const email = normalEmail(input.email);
    if (email === null)
      throw invalid("email", "must be an e-mail address of at most 200 characters");
    permitRole(actor, input.role);
    return context.db.transaction(async (tx) => {
      const workspace = isId(workspaceId) ? await lockWorkspace(tx, workspaceId) : null;
      if (!workspace) throw new AppError("NOT_FOUND");
      if (await hasEmail(tx, workspaceId, email))
        throw new AppError("CONFLICT", {
          explanation: `${email} is already a member of this workspace`,
        });
      await deleteInvitationOf(tx, workspaceId, email);
      const createdAt = context.clock.now();
      checkSeats(workspace, await countSeats(tx, workspaceId, createdAt));
      const id = context.ids.next();
      const secret = freshSecret();
      const expiresAt = new Date(createdAt.getTime() + INVITATION_MS);
      const { role } = input;
      const tokenHash = hashOfSecret(secret);
      await insertInvitation(tx, { id, workspaceId, email, role, createdAt, expiresAt, tokenHash });
      await audit(actor, context, tx, workspaceId, {
        action: "invitation.created",
        subject: id,
        facts: { role },
      });
      const mailed = context.config.smtpUrl !== undefined;
      const locale = workspace.locale ?? "en";
      if (mailed)
        await queueLetter(actor, context, tx, {
          kind: "invitation",
          email,
          locale,
          workspaceName: workspace.name,
          secret,
        });
      return { id, secret, expiresAt, mailed };
    });
  },
);

/** Ends an invitation and frees its seat. Throws NOT_FOUND. */
export const withdrawInvitation = write(
  "invitation.withdraw",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    workspaceId: string,
    id: string,
  ): Promise<void> => {
    if (!isId(workspaceId) || !isId(id)) throw new AppError("NOT_FOUND");
    await context.db.transaction(async (tx) => {
      if (!(await deleteInvitation(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
      await audit(actor, context, tx, workspaceId, { action: "invitation.withdrawn", subject: id });
    });
  },
);

/** The invitation with the secret of a link, and whether its address can already sign in. Throws NOT_FOUND. */
export async function findInvitation(
  context: Pick<Context, "db" | "clock">,
  secret: string,
): Promise<Invitation & { readonly hasLogin: boolean }> {
  const found = await selectInvitation(context.db, hashOfSecret(secret), context.clock.now());
  if (!found) throw new AppError("NOT_FOUND");
  return { ...found, hasLogin: (await findLogin(context.db, found.email)) !== null };
}

/** `network` is the client's (`clientAddress`). */
export interface Joining {
  readonly name: string;
  readonly password: string;
  readonly network: string;
}

/**
 * Makes the invited person a member. When the address can already sign in, the person must give its password: the
 * link alone must not open another workspace of that person. Throws NOT_FOUND (link), VALIDATION_FAILED,
 * INVALID_CREDENTIALS, RATE_LIMITED, SEAT_LIMIT_REACHED after a smaller plan, CONFLICT.
 */
export const acceptInvitation = write(
  "invitation.accept",
  async (
    actor,
    context: Pick<
      Context,
      "db" | "clock" | "ids" | "config" | "sealer" | "log" | "rateLimits" | "topics"
    >,
    secret: string,
    { name, password, network }: Joining,
  ): Promise<Member> => {
    const giveBack = await countLinkTry(context, network);
    const { id, workspaceId, email, role, hasLogin } = await findInvitation(context, secret);
    giveBack();
    if (hasLogin) await provePerson(context, { email, password, network });
    const checked = await checkedMember({ email, name, role, ...(!hasLogin && { password }) });
    return context.db.transaction(async (tx) => {
      const workspace = await lockWorkspace(tx, workspaceId);
      if (!workspace || !(await deleteInvitation(tx, workspaceId, id)))
        throw new AppError("NOT_FOUND");
      // The login was created meanwhile, so its password was not proven.
      if (!hasLogin && (await findLogin(tx, email)) !== null) throw new AppError("CONFLICT");
      await lockLogin(context, tx, email);
      publishLists(context, tx, workspaceId);
      return addMember(actor, context, tx, workspace, checked);
    });
  },
);
