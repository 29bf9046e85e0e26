import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { freshSecret, hashOfSecret } from "../lib/link-secret.ts";
import { replaceReset, deleteReset } from "./login-store.ts";

const RESET_MS = 3_600_000;

/** The secret of a link, and when it expires. The secret is stored nowhere. */
export interface LinkSecret {
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Makes a secret with which a person can choose a new password once, within an hour. An older secret stops working. */
export async function makeReset(
  context: Pick<Context, "clock">,
  tx: Tx,
  loginId: string,
): Promise<LinkSecret> {
  const secret = freshSecret();
  const expiresAt = new Date(context.clock.now().getTime() + RESET_MS);
  await replaceReset(tx, { tokenHash: hashOfSecret(secret), loginId, expiresAt });
  return { secret, expiresAt };
}

/** Uses up a reset's secret and returns its login; null: the secret is unknown, used or expired. */
export const useReset = (
  context: Pick<Context, "clock">,
  tx: Tx,
  secret: string,
): Promise<string | null> => deleteReset(tx, hashOfSecret(secret), context.clock.now());
