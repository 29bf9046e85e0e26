import { SYSTEM } from "../../actor.ts";
import { withTwoFactor } from "../../logins/two-factor.ts";
import { setDisabled } from "../../conversations/disable-member.ts";
import { endMemberSessions, useResetLink } from "../../sessions/manage-member.ts";
import { makeResetLink, updateMember } from "../../workspaces/change-member.ts";
import { askForReset, resetsByMail } from "../../sessions/reset-by-mail.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import {
  acceptInvitation,
  findInvitation,
  inviteMember,
  listInvitations,
  seatsTaken,
  withdrawInvitation,
} from "../../workspaces/invite-member.ts";
import { listMembers } from "../../workspaces/list-members.ts";
import type { Member } from "../../workspaces/member.ts";
import { AppError } from "../../errors.ts";
import type { team } from "./contract/team.ts";
import type { Handlers } from "./handlers.ts";
import { presentMember } from "./bootstrap.ts";
import { enter } from "./people.ts";

/** The team: its members and their roles; links to join it and to choose a new password. */
export const teamHandlers: Handlers<typeof team> = {
  async listTeam(context, { caller: { workspaceId } }) {
    const [members, invitations, seats] = await Promise.all([
      listMembers(context.db, workspaceId),
      listInvitations(context, workspaceId),
      seatsTaken(context, workspaceId),
    ]);
    const secured = await withTwoFactor(
      context.db,
      members.map(({ loginId }) => loginId),
    );
    return {
      members: members.map((member) => ({
        ...presentMember(member),
        twoFactor: secured.has(member.loginId),
      })),
      invitations: invitations.map(({ id, email, role, expiresAt }) => ({
        id,
        email,
        role,
        expiresAt: expiresAt.toISOString(),
      })),
      seats,
    };
  },

  async inviteMember(context, { caller, body }) {
    const made = await inviteMember(caller.actor, context, caller.workspaceId, body);
    const { secret, expiresAt, mailed } = made;
    return { path: `/invite/${secret}`, expiresAt: expiresAt.toISOString(), mailed };
  },

  async withdrawInvitation(context, { caller, params }) {
    await withdrawInvitation(caller.actor, context, caller.workspaceId, params.id);
    return {};
  },

  async changeMember(context, { caller, params, body: { role, disabled } }) {
    const { actor, workspaceId } = caller;
    const known = await listMembers(context.db, workspaceId);
    let member: Member | undefined = known.find(({ id }) => id === params.id);
    if (!member) throw new AppError("NOT_FOUND");
    if (role !== undefined && role !== member.role) {
      member = await updateMember(actor, context, workspaceId, params.id, { role });
      // New rights come with a new session.
      await endMemberSessions(actor, context, workspaceId, params.id);
    }
    if (disabled !== undefined)
      member = await setDisabled(actor, context, { workspaceId, memberId: params.id, disabled });
    return presentMember(member);
  },

  async endMemberSessions(context, { caller, params }) {
    const { actor, workspaceId } = caller;
    return { ended: await endMemberSessions(actor, context, workspaceId, params.id) };
  },

  async makeResetLink(context, { caller, params }) {
    const made = await makeResetLink(caller.actor, context, caller.workspaceId, params.id);
    return { path: `/reset/${made.secret}`, expiresAt: made.expiresAt.toISOString() };
  },

  readResets: async (context) => ({ byMail: resetsByMail(context) }),

  async askForReset(context, { caller: { network }, body }) {
    await askForReset(SYSTEM, context, { ...body, network });
    return {};
  },

  async useResetLink(context, { caller: { network }, params, body }) {
    const { password } = body;
    await useResetLink(SYSTEM, context, { secret: params.token, password, network });
    return {};
  },

  async readInvitation(context, { params }) {
    const { workspaceId, email } = await findInvitation(context, params.token);
    const workspace = await findWorkspace(context, workspaceId);
    return { workspaceName: workspace?.name ?? "", email };
  },

  async useInvitation(context, { caller, params, body, setHeader }) {
    const { network } = caller;
    const joined = await acceptInvitation(SYSTEM, context, params.token, { ...body, network });
    return { codeNeeded: await enter(context, caller, joined, setHeader) };
  },
};
