import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { readingFrom, type Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { freshSecret, hashOfSecret } from "../lib/link-secret.ts";
import { loginWith } from "../logins/login.ts";
import { countTry } from "../logins/prove-login.ts";
import { useSecondStep, type SecondStep } from "../logins/two-factor.ts";
import { listMembers } from "../workspaces/list-members.ts";
import type { Member } from "../workspaces/member.ts";
import { recordSignIn } from "../workspaces/save-profile.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { SESSION_MS, type SignedIn } from "./session.ts";
import { insertSession, selectSignedIn, writeSeen } from "./session-store.ts";
import { deleteStep, insertStep, selectStep } from "./sign-in-step-store.ts";

/** How exactly a session's last request is stored, so that not every request writes. */
const SEEN_MS = 3_600_000;
const LONGEST_AGENT = 300;
/** How long a person may take to enter the code after the password. */
export const STEP_MS = 600_000;

/** Where a sign-in came from, as the person's list of sessions shows it. */
export interface Origin {
  readonly ip: string;
  readonly agent: string;
}

/** The result of a right password. Its secret goes into the cookie, is new each time and stored nowhere. */
export interface Opened {
  readonly token: string;
  /** There is no session yet: a code is asked for (`openByCode`). */
  readonly codeNeeded: boolean;
}

/** The fields of a member that a sign-in needs. */
export type Entering = Pick<Member, "workspaceId" | "id" | "loginId">;

/**
 * Signs in a member who has proven the password (`proveLogin`): opens a session, or with two-factor asks for the
 * code.
 */
export const signInMember = write(
  "session.open",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    member: Entering,
    from: Origin,
  ): Promise<Opened> => {
    const { workspaceId, id: memberId } = member;
    const login = await loginWith(context.db, member.loginId);
    return context.db.transaction(async (tx) => {
      if (login?.totpSealed == null)
        return { token: await openSession(actor, context, tx, member, from), codeNeeded: false };
      const token = freshSecret();
      const expiresAt = new Date(context.clock.now().getTime() + STEP_MS);
      await insertStep(tx, { tokenHash: hashOfSecret(token), workspaceId, memberId, expiresAt });
      // Somebody knows the password, which is worth an entry although no session follows.
      await audit(actor, context, tx, workspaceId, {
        action: "session.code_asked",
        subject: memberId,
      });
      return { token, codeNeeded: true };
    });
  },
);

/** The member who is asked for the code. Throws UNAUTHENTICATED when the password was given too long ago, or never. */
export async function memberAtStep(
  context: Pick<Context, "db" | "clock">,
  token: string | undefined,
): Promise<Member> {
  const step =
    token === undefined
      ? null
      : await selectStep(context.db, hashOfSecret(token), context.clock.now());
  const member =
    step &&
    (await listMembers(context.db, step.workspaceId)).find(({ id }) => id === step.memberId);
  if (!member || member.disabledAt !== null) throw new AppError("UNAUTHENTICATED");
  return member;
}

/** The second step of a sign-in. `network` is the client's (`clientAddress`). */
export interface CodeGiven {
  readonly token: string;
  readonly given: SecondStep;
  readonly network: string;
  readonly from: Origin;
}

/**
 * Opens the session of a member who gave the password before (`signInMember`) and now the code. Throws
 * INVALID_CREDENTIALS for a wrong or used code, RATE_LIMITED after ten of them, UNAUTHENTICATED when the step has
 * expired.
 */
export const openByCode = write(
  "session.open_by_code",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "rateLimits" | "sealer">,
    member: Entering,
    { token, given, network, from }: CodeGiven,
  ): Promise<string> => {
    const giveBack = await countTry(context, network, member.loginId);
    const opened = await context.db.transaction(async (tx) => {
      const login = await loginWith(tx, member.loginId);
      if (!login || !(await useSecondStep(context, tx, login, given)))
        throw new AppError("INVALID_CREDENTIALS");
      if (!(await deleteStep(tx, hashOfSecret(token)))) throw new AppError("UNAUTHENTICATED");
      return openSession(actor, context, tx, member, from, "recoveryCode" in given);
    });
    giveBack();
    return opened;
  },
);

async function openSession(
  actor: Actor,
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  { workspaceId, id: memberId }: Pick<Entering, "workspaceId" | "id">,
  from: Origin,
  byRecoveryCode = false,
): Promise<string> {
  const token = freshSecret();
  const id = context.ids.next();
  const now = context.clock.now();
  await insertSession(tx, {
    id,
    tokenHash: hashOfSecret(token),
    workspaceId,
    memberId,
    createdAt: now,
    seenAt: now,
    provenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_MS),
    ip: from.ip,
    agent: from.agent.slice(0, LONGEST_AGENT),
  });
  await recordSignIn(tx, workspaceId, memberId, now);
  await audit(actor, context, tx, workspaceId, {
    action: "session.opened",
    subject: memberId,
    facts: { session: id, ...(byRecoveryCode && { byRecoveryCode }) },
  });
  return token;
}

/**
 * The member of a cookie's secret; null: unknown, or the session ended. Reads the database each time, so that an
 * ended session and a changed role take effect with the next request. Each use extends the session to 30 days from
 * then.
 */
export async function signedInBy(
  context: Pick<Context, "db" | "clock">,
  token: string,
): Promise<SignedIn | null> {
  const now = context.clock.now();
  const tokenHash = hashOfSecret(token);
  const found = await selectSignedIn(readingFrom(context.db), tokenHash, now);
  if (found === null) return null;
  const { seenAt, ...signedIn } = found;
  if (now.getTime() - seenAt.getTime() > SEEN_MS)
    await writeSeen(context.db, tokenHash, {
      seenAt: now,
      expiresAt: new Date(now.getTime() + SESSION_MS),
    });
  return signedIn;
}
