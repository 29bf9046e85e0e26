import { SYSTEM, type Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { anybodyCanSignIn } from "../../logins/login.ts";
import { countLinkTry } from "../../logins/prove-login.ts";
import { isSetUpCode } from "../../logins/set-up-code.ts";
import { changeOwnPassword } from "../../sessions/change-password.ts";
import { endSessions, listSessions } from "../../sessions/end-session.ts";
import { proveSession } from "../../sessions/prove-session.ts";
import { memberAtStep, openByCode, signInMember } from "../../sessions/sign-in-member.ts";
import { setUpWorkspace } from "../../workspaces/create-workspace.ts";
import { findWorkspaces } from "../../workspaces/find-workspace.ts";
import { membersOfLogin } from "../../workspaces/list-members.ts";
import { normalEmail, type Member } from "../../workspaces/member.ts";
import { provePerson } from "../../workspaces/prove-person.ts";
import type { people, SignedInJson } from "./contract/people.ts";
import type { Handlers } from "./handlers.ts";
import { stepOf } from "./two-factor.ts";
import { actorOfMember, sessionCookie, stepCookie, type Caller } from "./member-door.ts";

/** Set-up, sign-in and a person's own sessions. */
export const peopleHandlers: Handlers<typeof people> = {
  async readSetUp(context, { caller }) {
    const needed = !(await anybodyCanSignIn(context));
    return { needed, ...(needed && !caller.ownMachine && { withCode: true as const }) };
  },

  async setUp(context, { caller, body, setHeader }) {
    const { workspaceName, timeZone, code, ...owner } = body;
    if (!caller.ownMachine && !isSetUpCode(context, code ?? "")) throw noSetUp();
    const plan = context.config.defaultPlan;
    const workspace = { name: workspaceName, plan, ...(timeZone !== undefined && { timeZone }) };
    const giveBack = await countLinkTry(context, caller.network);
    const made = await setUpWorkspace(SYSTEM, context, workspace, owner);
    giveBack();
    await enter(context, caller, made.owner, setHeader);
    return shown(context, made.owner);
  },

  async signIn(context, { caller, body, setHeader }) {
    const email = normalEmail(body.email) ?? "";
    const loginId = await provePerson(context, {
      email,
      password: body.password,
      network: caller.network,
    });
    const members = await membersOfLogin(context.db, loginId);
    const { workspaceId } = body;
    const open = await openWorkspaces(context, members);
    const member = members.find(
      (one) =>
        open.has(one.workspaceId) && (workspaceId === undefined || one.workspaceId === workspaceId),
    );
    // A workspace that the person does not belong to, or in which they are disabled, is answered like a wrong
    // password.
    if (!member) throw new AppError("INVALID_CREDENTIALS");
    const codeNeeded = await enter(context, caller, member, setHeader);
    return codeNeeded ? { codeNeeded: true as const } : shown(context, member);
  },

  async verifyCode(context, { caller, body, setHeader }) {
    const token = caller.kind === "visitor" ? caller.step : undefined;
    const member = await memberAtStep(context, token);
    const { network, from } = caller;
    const { code, recoveryCode } = body;
    const step = stepOf(code, recoveryCode);
    if (!step) throw invalid("code", "is missing");
    const given = { token: token ?? "", given: step, network, from };
    const session = await openByCode(memberActor(member), context, member, given);
    const { publicUrl } = context.config;
    setHeader("set-cookie", sessionCookie(publicUrl, session));
    setHeader("set-cookie", stepCookie(publicUrl, null));
    return shown(context, member);
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

  async changePassword(context, { caller, body, setHeader }) {
    const given = { ...body, network: caller.network };
    const token = await changeOwnPassword(caller.actor, context, caller, given);
    setHeader("set-cookie", sessionCookie(context.config.publicUrl, token));
    return {};
  },
};

/** For a missing code and for a wrong one. */
const noSetUp = () =>
  new AppError("NOT_FOUND", {
    details: [
      {
        path: "code",
        message:
          "must be the set-up code, which the server prints at its start, as does parley set-up-link",
      },
    ],
  });

const memberActor = ({ id, role }: Member): Actor => actorOfMember({ memberId: id, role });

/** Gives the browser a session of the member, or asks for a code; in that case it gives true. */
export async function enter(
  context: Context,
  { from }: Pick<Caller, "from">,
  member: Member,
  setHeader: (name: string, value: string) => void,
): Promise<boolean> {
  const { token, codeNeeded } = await signInMember(memberActor(member), context, member, from);
  const cookie = codeNeeded ? stepCookie : sessionCookie;
  setHeader("set-cookie", cookie(context.config.publicUrl, token));
  return codeNeeded;
}

async function shown(context: Context, member: Member): Promise<SignedInJson> {
  const all = await membersOfLogin(context.db, member.loginId);
  const found = await openWorkspaces(context, all);
  const workspaces = all.flatMap(({ workspaceId }) => found.get(workspaceId) ?? []);
  const { id, name, email, role, workspaceId } = member;
  const workspace = workspaces.find((one) => one.id === workspaceId) ?? {
    id: workspaceId,
    name: "",
  };
  return { member: { id, name, email, role }, workspace, workspaces };
}

/** The workspaces in which these members may sign in, by id. */
async function openWorkspaces(
  context: Context,
  members: readonly Member[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly name: string }>> {
  const ids = members.flatMap((one) => (one.disabledAt === null ? [one.workspaceId] : []));
  const found = [...(await findWorkspaces(context.db, ids)).values()];
  return new Map(
    found.flatMap(({ id, name, removalAskedAt }) =>
      removalAskedAt === null ? [[id, { id, name }] as const] : [],
    ),
  );
}
