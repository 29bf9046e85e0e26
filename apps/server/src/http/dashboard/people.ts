import { SYSTEM } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { anybodyCanSignIn } from "../../logins/login.ts";
import { proveLogin } from "../../logins/prove-login.ts";
import { changeOwnPassword, proveSession } from "../../sessions/change-password.ts";
import { endSessions, listSessions } from "../../sessions/end-session.ts";
import { signInMember } from "../../sessions/sign-in-member.ts";
import { setUpWorkspace } from "../../workspaces/create-workspace.ts";
import { membersOfLogin } from "../../workspaces/list-members.ts";
import { normalEmail, type Member } from "../../workspaces/member.ts";
import type { people } from "./contract/people.ts";
import type { Handlers } from "./handlers.ts";
import { actorOfMember, sessionCookie, type Caller } from "./member-door.ts";

type Served =
  | "readSetup"
  | "setUp"
  | "signIn"
  | "signOut"
  | "proveAgain"
  | "changePassword"
  | "listSessions"
  | "endSession"
  | "endOtherSessions";

/** Set-up, sign-in and what a person does with the own sessions. */
export const peopleHandlers: Handlers<Pick<typeof people, Served>> = {
  readSetup: async ({ context }) => ({ needed: !(await anybodyCanSignIn(context)) }),

  async setUp({ context, principal, body, setHeader }) {
    const { workspaceName, ...owner } = body;
    const made = await setUpWorkspace(SYSTEM, context, { name: workspaceName }, owner);
    setHeader("set-cookie", await signIn(context, principal, made.owner));
    return {};
  },

  async signIn({ context, principal, body, setHeader }) {
    const email = normalEmail(body.email) ?? "";
    const loginId = await proveLogin(context, email, body.password, principal.network);
    const [member] = await membersOfLogin(context.db, loginId);
    if (!member) throw new AppError("INVALID_CREDENTIALS");
    setHeader("set-cookie", await signIn(context, principal, member));
    return { codeNeeded: false };
  },

  async signOut({ context, principal, actor, setHeader }) {
    await endSessions(actor, context, principal, { id: principal.sessionId });
    setHeader("set-cookie", sessionCookie(context.config.publicUrl, null));
    return {};
  },

  async proveAgain({ context, principal, actor, body }) {
    const { password } = body;
    await proveSession(actor, context, principal, { password, network: principal.network });
    return {};
  },

  async changePassword({ context, principal, actor, body }) {
    await changeOwnPassword(actor, context, principal, body.password);
    return {};
  },

  async listSessions({ context, principal }) {
    const sessions = await listSessions(context, principal);
    return {
      items: sessions.map(({ id, createdAt, seenAt, ip, agent }) => ({
        id,
        current: id === principal.sessionId,
        ip,
        agent,
        createdAt: createdAt.toISOString(),
        seenAt: seenAt.toISOString(),
      })),
    };
  },

  async endSession({ context, principal, actor, params }) {
    await endSessions(actor, context, principal, { id: params["id"] ?? "" });
    return {};
  },

  async endOtherSessions({ context, principal, actor }) {
    return { ended: await endSessions(actor, context, principal, { but: principal.sessionId }) };
  },
};

/** Opens a session of the member and gives its cookie. */
async function signIn(
  context: Context,
  { from }: Pick<Caller, "from">,
  member: Member,
): Promise<string> {
  const actor = actorOfMember({ memberId: member.id, role: member.role });
  const { token } = await signInMember(actor, context, member, from);
  return sessionCookie(context.config.publicUrl, token);
}
