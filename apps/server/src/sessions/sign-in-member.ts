import { SYSTEM, type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { readingFrom, type Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { freshSecret, hashOfSecret } from "../lib/link-secret.ts";
import { loginWith } from "../logins/login.ts";
import { countCode, countTry } from "../logins/prove-login.ts";
import { useSecondStep, type SecondStep } from "../logins/two-factor.ts";
import { listMembers } from "../workspaces/list-members.ts";
import type { Member } from "../workspaces/member.ts";
import { recordRefusal } from "../workspaces/prove-person.ts";
import { recordSignIn } from "../workspaces/save-profile.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { sessionEnd, type SignedIn } from "./session.ts";
import { deleteSessionWith, insertSession, selectSignedIn, writeSeen } from "./session-store.ts";
import { countStepTry, deleteStep, insertStep, selectStep } from "./sign-in-step-store.ts";

/** How exactly a session's last request is stored, so that not every request writes. */
const SEEN_MS = 3_600_000;
const LONGEST_AGENT = 300;
/** How long a person may take to enter the code after the password. */
export const STEP_MS = 600_000;

/** How many wrong codes end a step. */
const MOST_WRONG = 5;

/** Where a sign-in came from: address and browser, as the person's list of sessions shows them. */
export interface Origin {
  readonly ip: string;
  readonly agent: string;
  /** The secret of the session that the browser had until now. It ends when the new one opens. */
  readonly before?: string | undefined;
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
 * INVALID_CREDENTIALS for a wrong or used code, RATE_LIMITED after too many of them, UNAUTHENTICATED when the step has
 * expired or was ended by five wrong codes.
 */
export const openByCode = write(
  "session.open_by_code",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "config" | "rateLimits" | "sealer">,
    member: Entering,
    { token, given, network, from }: CodeGiven,
  ): Promise<string> => {
    const { loginId } = member;
    const giveBack = await countTry(context, network, loginId);
    const account = await countCode(context, loginId);
    const step = hashOfSecret(token);
    const opened = await context.db.transaction(async (tx) => {
      const wrong = await countStepTry(tx, step);
      if (wrong === null) throw new AppError("UNAUTHENTICATED");
      const login = await loginWith(tx, loginId);
      const right = login !== null && (await useSecondStep(context, tx, login, given));
      const stepEnded = !right && wrong >= MOST_WRONG;
      if (right || stepEnded) await deleteStep(tx, step);
      if (!right) return { stepEnded };
      return openSession(actor, context, tx, member, from, "recoveryCode" in given);
    });
    if (typeof opened !== "string") {
      const last = account.remaining === 0;
      await recordRefusal(SYSTEM, context, { loginId, by: "code", last, ...opened });
      throw new AppError("INVALID_CREDENTIALS");
    }
    giveBack();
    account.giveBack();
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
  if (from.before !== undefined) await deleteSessionWith(tx, hashOfSecret(from.before));
  await insertSession(tx, {
    id,
    tokenHash: hashOfSecret(token),
    workspaceId,
    memberId,
    createdAt: now,
    seenAt: now,
    provenAt: now,
    expiresAt: sessionEnd(now, now),
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
 * then, and to 90 days from its beginning at most.
 */
export async function signedInBy(
  context: Pick<Context, "db" | "clock">,
  token: string,
): Promise<SignedIn | null> {
  const now = context.clock.now();
  const tokenHash = hashOfSecret(token);
  const found = await selectSignedIn(readingFrom(context.db), tokenHash, now);
  if (found === null) return null;
  const { seenAt, createdAt, ...signedIn } = found;
  if (now.getTime() - seenAt.getTime() > SEEN_MS)
    await writeSeen(context.db, tokenHash, {
      seenAt: now,
      expiresAt: sessionEnd(now, createdAt),
    });
  return signedIn;
}
