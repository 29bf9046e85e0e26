import { SYSTEM } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { anybodyCanSignIn } from "../../logins/login.ts";
import { proveLogin } from "../../logins/prove-login.ts";
import { changeOwnPassword } from "../../sessions/change-password.ts";
import { endSessions, listSessions } from "../../sessions/end-session.ts";
import { proveSession } from "../../sessions/prove-session.ts";
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
  readSetUp: async (context) => ({ needed: !(await anybodyCanSignIn(context)) }),

  async setUp(context, { caller, body, setHeader }) {
    const { workspaceName, timeZone, ...owner } = body;
    const workspace = { name: workspaceName, ...(timeZone !== undefined && { timeZone }) };
    const made = await setUpWorkspace(SYSTEM, context, workspace, owner);
    return signIn(context, caller, made.owner, setHeader);
  },

  async signIn(context, { caller, body, setHeader }) {
    const email = normalEmail(body.email) ?? "";
    const loginId = await proveLogin(context, email, body.password, caller.network);
    const members = await membersOfLogin(context.db, loginId);
    const { workspaceId } = body;
    const member = members.find(
      (one) =>
        one.disabledAt === null && (workspaceId === undefined || one.workspaceId === workspaceId),
    );
    // A workspace that is not the person's, or where they are disabled, is as unknown as a wrong password.
    if (!member) throw new AppError("INVALID_CREDENTIALS");
    return signIn(context, caller, member, setHeader);
  },

  async readSignedIn(context, { caller }) {
    const members = await membersOfLogin(context.db, caller.loginId);
    const member = members.find((one) => one.id === caller.memberId);
    if (!member) throw new AppError("UNAUTHENTICATED");
    return shown(context, member);
  },

  async signOut(context, { caller, setHeader }) {
    await endSessions(caller.actor, context, caller, { id: caller.sessionId });
    setHeader("set-cookie", sessionCookie(context.config.publicUrl, null));
    return {};
  },

  async listSessions(context, { caller }) {
    const sessions = await listSessions(context, caller);
    return sessions.map(({ id, createdAt, seenAt, ip, agent }) => ({
      id,
      createdAt: createdAt.toISOString(),
      seenAt: seenAt.toISOString(),
      ip,
      agent,
      current: id === caller.sessionId,
    }));
  },

  async endSession(context, { caller, params }) {
    await endSessions(caller.actor, context, caller, { id: params["id"] ?? "" });
    return {};
  },

  async endOtherSessions(context, { caller }) {
    return { ended: await endSessions(caller.actor, context, caller, { but: caller.sessionId }) };
  },

  async proveAgain(context, { caller, body }) {
    await proveSession(caller.actor, context, caller, { ...body, network: caller.network });
    return {};
  },

  checkProven: async () => ({}),

  async changePassword(context, { caller, body }) {
    await changeOwnPassword(caller.actor, context, caller, { ...body, network: caller.network });
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
  const all = (await membersOfLogin(context.db, member.loginId)).filter(
    ({ disabledAt }) => disabledAt === null,
  );
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
