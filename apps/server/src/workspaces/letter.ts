import { actorName, type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { findWorkspaces } from "./find-workspace.ts";
import { selectMembersOf, selectSettings } from "./member-store.ts";
import {
  claimLetters,
  deleteLetter,
  insertLetter,
  postponeLetter,
  type DueLetter,
} from "./letter-store.ts";

export { deleteLetters as dropLetters } from "./letter-store.ts";

/** A mail to one person. */
export type Letter =
  /** Somebody asked for a new password. The address may not belong to anybody. */
  | { readonly kind: "reset"; readonly email: string; readonly locale: "en" | "ar" }
  | {
      readonly kind: "invitation";
      readonly email: string;
      readonly locale: "en" | "ar";
      readonly workspaceName: string;
      /** The secret of its link. */
      readonly secret: string;
    }
  /** Something happened to the person's sign-in. */
  | {
      readonly kind: "security";
      readonly email: string;
      readonly locale: "en" | "ar";
      readonly about: SecurityMatter;
    };

/** What a person is written to about. */
export type SecurityMatter =
  | "wrong_passwords"
  | "wrong_codes"
  | "two_factor_on"
  | "two_factor_moved"
  | "two_factor_off";

const BATCH = 20;
/** Longer than one mail may take. */
const LEASE_MS = 120_000;
/**
 * Minutes to wait after each failed try. After the last one the letter is given up, because its link would have expired
 * by then.
 */
const RETRY_MINUTES = [1, 5, 20];

export const letterPlace = (id: string): string => `letter:${id}`;

/**
 * Stores a letter that `sendLetters` sends after the commit. Without a mail server call it for a reset alone: who asked is
 * then passed on to owners and admins.
 */
export async function queueLetter(
  actor: Actor,
  { ids, clock, sealer }: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  letter: Letter,
): Promise<void> {
  const id = ids.next();
  const sealed = sealer.seal(JSON.stringify(letter), letterPlace(id));
  await insertLetter(tx, { id, sealed, author: actorName(actor), dueAt: clock.now() });
}

/**
 * Writes to a person about their sign-in, in the language of the person or else of the first workspace. Without a mail
 * server it does nothing: the audit has it.
 */
export async function writeToPerson(
  actor: Actor,
  context: Pick<Context, "ids" | "clock" | "sealer" | "config">,
  tx: Tx,
  loginId: string,
  about: SecurityMatter,
): Promise<void> {
  if (context.config.smtpUrl === undefined) return;
  const [member] = await selectMembersOf(tx, loginId);
  if (!member) return;
  const { workspaceId, id, email } = member;
  const own = await selectSettings(tx, workspaceId, id);
  const workspace = (await findWorkspaces(tx, [workspaceId])).get(workspaceId);
  const locale = own?.locale ?? workspace?.locale ?? "en";
  await queueLetter(actor, context, tx, { kind: "security", email, locale, about });
}

/**
 * Hands each due letter to `send` at least once, and returns how many. A letter that fails is tried three times more.
 * `failed` is called with every failure.
 */
export async function sendLetters(
  context: Pick<Context, "db" | "clock" | "sealer">,
  send: (letter: Letter) => Promise<void>,
  failed: (error: unknown, attempt: number, email: string) => void,
): Promise<number> {
  const now = context.clock.now();
  const due = await claimLetters(context.db, now, new Date(now.getTime() + LEASE_MS), BATCH);
  await Promise.all(due.map((one) => sendOne(context, one, send, failed)));
  return due.length;
}

async function sendOne(
  { db, clock, sealer }: Pick<Context, "db" | "clock" | "sealer">,
  { id, sealed, attempts }: DueLetter,
  send: (letter: Letter) => Promise<void>,
  failed: (error: unknown, attempt: number, email: string) => void,
): Promise<void> {
  const letter = openLetter(sealer, id, sealed);
  // It was sealed with another master key, so it cannot be read. By the time that key is back, its link would have
  // expired.
  if (letter === null) return deleteLetter(db, id);
  try {
    await send(letter);
    await deleteLetter(db, id);
  } catch (error) {
    failed(error, attempts, letter.email);
    const minutes = RETRY_MINUTES[attempts - 1];
    if (minutes === undefined) await deleteLetter(db, id);
    else await postponeLetter(db, id, new Date(clock.now().getTime() + minutes * 60_000));
  }
}

function openLetter(sealer: Context["sealer"], id: string, sealed: Buffer): Letter | null {
  let text: string;
  try {
    text = sealer.open(sealed, letterPlace(id));
  } catch {
    return null;
  }
  const letter: Letter = JSON.parse(text);
  return letter;
}
