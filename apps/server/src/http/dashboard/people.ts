import { SYSTEM } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { anybodyCanSignIn } from "../../logins/login.ts";
import { proveLogin } from "../../logins/prove-login.ts";
import { changeOwnPassword } from "../../sessions/change-password.ts";
import { endSessions, listSessions } from "../../sessions/end-session.ts";
import { signInMember } from "../../sessions/sign-in-member.ts";
import { setUpWorkspace } from "../../workspaces/create-workspace.ts";
import { findWorkspaces } from "../../workspaces/find-workspace.ts";
import { membersOfLogin } from "../../workspaces/list-members.ts";
import { normalEmail, type Member } from "../../workspaces/member.ts";
import type { people, SignedInJson } from "./contract/people.ts";
import type { Handlers } from "./handlers.ts";
import { actorOfMember, sessionCookie, type Caller } from "./member-door.ts";

/** Set-up, sign-in and what a person does with the own sessions. */
export const peopleHandlers: Handlers<typeof people> = {
  readSetUp: async ({ context }) => ({ needed: !(await anybodyCanSignIn(context)) }),

  async setUp({ context, principal, body, setHeader }) {
    const { workspaceName, timeZone, ...owner } = body;
    const workspace = { name: workspaceName, ...(timeZone !== undefined && { timeZone }) };
    const made = await setUpWorkspace(SYSTEM, context, workspace, owner);
    return signIn(context, principal, made.owner, setHeader);
  },

  async signIn({ context, principal, body, setHeader }) {
    const email = normalEmail(body.email) ?? "";
    const loginId = await proveLogin(context, email, body.password, principal.network);
    const members = await membersOfLogin(context.db, loginId);
    const { workspaceId } = body;
    const member = members.find(
      (one) => workspaceId === undefined || one.workspaceId === workspaceId,
    );
    // A workspace that is not the person's is as unknown as a wrong password.
    if (!member) throw new AppError("INVALID_CREDENTIALS");
    return signIn(context, principal, member, setHeader);
  },

  async readSignedIn({ context, principal }) {
    const members = await membersOfLogin(context.db, principal.loginId);
    const member = members.find((one) => one.id === principal.memberId);
    if (!member) throw new AppError("UNAUTHENTICATED");
    return shown(context, member);
  },

  async signOut({ context, principal, actor, setHeader }) {
    await endSessions(actor, context, principal, { id: principal.sessionId });
    setHeader("set-cookie", sessionCookie(context.config.publicUrl, null));
    return {};
  },

  async listSessions({ context, principal }) {
    const sessions = await listSessions(context, principal);
    return sessions.map(({ id, createdAt, seenAt, ip, agent }) => ({
      id,
      createdAt: createdAt.toISOString(),
      seenAt: seenAt.toISOString(),
      ip,
      agent,
      current: id === principal.sessionId,
    }));
  },

  async endSession({ context, principal, actor, params }) {
    await endSessions(actor, context, principal, { id: params["id"] ?? "" });
    return {};
  },

  async endOtherSessions({ context, principal, actor }) {
    return { ended: await endSessions(actor, context, principal, { but: principal.sessionId }) };
  },

  async changePassword({ context, principal, actor, body }) {
    await changeOwnPassword(actor, context, principal, { ...body, network: principal.network });
    return {};
  },
};

async function signIn(
  context: Context,
  { from }: Pick<Caller, "from">,
  member: Member,
  setHeader: (name: string, value: string) => void,
): Promise<SignedInJson> {
  const actor = actorOfMember({ memberId: member.id, role: member.role });
  const { token } = await signInMember(actor, context, member, from);
  setHeader("set-cookie", sessionCookie(context.config.publicUrl, token));
  return shown(context, member);
}

async function shown(context: Context, member: Member): Promise<SignedInJson> {
  const all = await membersOfLogin(context.db, member.loginId);
  const found = await findWorkspaces(
    context.db,
    all.map(({ workspaceId }) => workspaceId),
  );
  const workspaces = all.map(({ workspaceId: id }) => ({ id, name: found.get(id)?.name ?? "" }));
  const { id, name, email, role, workspaceId } = member;
  const workspace = workspaces.find((one) => one.id === workspaceId) ?? {
    id: workspaceId,
    name: "",
  };
  return { member: { id, name, email, role }, workspace, workspaces };
}
