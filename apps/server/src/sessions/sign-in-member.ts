import { createHash, randomBytes } from "node:crypto";
import type { Context } from "../context.ts";
import { readingFrom } from "../db/database.ts";
import { audit } from "../workspaces/write-audit.ts";
import type { Member } from "../workspaces/member.ts";
import { write } from "../write.ts";
import { SESSION_MS, type SignedIn } from "./session.ts";
import { insertSession, selectSignedIn, writeSeen } from "./session-store.ts";

/** A session's last request is stored this exactly, so that not each request writes. */
const SEEN_MS = 3_600_000;
const LONGEST_AGENT = 300;

/** Where a sign-in came from, as the person's list of sessions shows it. */
export interface Origin {
  readonly ip: string;
  readonly agent: string;
}

/** Secrets are stored by their hash alone: who reads the database signs in as nobody. */
const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Signs a member in. The caller has proven who it is (`proveLogin`). Gives the secret of the cookie, which is new each
 * time and stored nowhere.
 */
export const signInMember = write(
  "session.open",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    member: Pick<Member, "workspaceId" | "id">,
    from: Origin,
  ): Promise<{ readonly id: string; readonly token: string }> => {
    const token = randomBytes(32).toString("base64url");
    const id = context.ids.next();
    const now = context.clock.now();
    await context.db.transaction(async (tx) => {
      await insertSession(tx, {
        id,
        tokenHash: hashOf(token),
        workspaceId: member.workspaceId,
        memberId: member.id,
        createdAt: now,
        seenAt: now,
        provenAt: now,
        expiresAt: new Date(now.getTime() + SESSION_MS),
        ip: from.ip,
        agent: from.agent.slice(0, LONGEST_AGENT),
      });
      await audit(actor, context, tx, member.workspaceId, {
        action: "session.opened",
        subject: member.id,
        facts: { session: id },
      });
    });
    return { id, token };
  },
);

/**
 * Who a cookie's secret stands for; null: nobody, or the session ended. Asked of the database each time, so that an ended
 * session and a changed role count from the next request on. A session that is used lasts 30 more days.
 */
export async function signedInBy(
  context: Pick<Context, "db" | "clock">,
  token: string,
): Promise<SignedIn | null> {
  const now = context.clock.now();
  const tokenHash = hashOf(token);
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
