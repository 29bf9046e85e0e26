import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { freshSecret, hashOfSecret } from "../lib/link-secret.ts";
import { deleteReset, deleteResetOf, replaceReset, selectReset } from "./login-store.ts";

const HOUR_MS = 3_600_000;

/** The secret of a link, and when it expires. The secret is stored nowhere. */
export interface LinkSecret {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Who made a reset: a member, or null for a mail to the person and for the operator. */
export type ResetMaker = { readonly workspaceId: string; readonly memberId: string } | null;

/** A reset that was found by its secret. */
export interface Reset {
  readonly loginId: string;
  readonly maker: ResetMaker;
}

/**
 * Makes a secret with which a person can choose a new password once, within `hours` (default 1). An older secret stops
 * working.
 */
export async function makeReset(
  context: Pick<Context, "clock">,
  tx: Tx,
  { loginId, maker, hours = 1 }: Reset & { readonly hours?: number },
): Promise<LinkSecret> {
  const secret = freshSecret();
  const expiresAt = new Date(context.clock.now().getTime() + hours * HOUR_MS);
  await replaceReset(tx, { tokenHash: hashOfSecret(secret), loginId, maker, expiresAt });
  return { secret, expiresAt };
}

/** The address of the login that a reset's secret opens; null: the secret is unknown, used or expired. */
export const findReset = (
  { db, clock }: Pick<Context, "db" | "clock">,
  secret: string,
): Promise<string | null> => selectReset(db, hashOfSecret(secret), clock.now());

/** Uses up a reset's secret and returns the reset; null: the secret is unknown, used or expired. */
export const useReset = (
  context: Pick<Context, "clock">,
  tx: Tx,
  secret: string,
): Promise<Reset | null> => deleteReset(tx, hashOfSecret(secret), context.clock.now());

/** Ends the open reset of a login, if there is one. */
export const endReset = (tx: Tx, loginId: string): Promise<void> => deleteResetOf(tx, loginId);
