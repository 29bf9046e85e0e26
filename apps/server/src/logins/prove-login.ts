import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { hashOfSecret } from "../lib/link-secret.ts";
import type { RateRule } from "../lib/rate-limit/rate-limits.ts";
import { selectLogin } from "./login-store.ts";
import { hashPassword, verifyPassword } from "./password.ts";

/**
 * Tries for one address from one network in ten minutes. Further tries are refused, even with the right password
 * (dashboard §2.2).
 */
const PER_ADDRESS = { limit: 10, windowMs: 600_000 } as const;
/** Tries from one network in ten minutes, for all addresses together. */
const PER_NETWORK = { limit: 50, windowMs: 600_000 } as const;

/** Wrong passwords for one login in an hour, and wrong codes, from all networks together. */
const PER_LOGIN = { limit: 30, windowMs: 3_600_000 } as const;

// The hash to compare with when the address is unknown: that takes as long as a wrong password.
let nobody: Promise<string> | undefined;

/** A try to prove who one is, that was wrong. */
export interface WrongTry {
  readonly loginId: string;
  /** No further try is let through for up to an hour. */
  readonly last: boolean;
}

export interface PasswordGiven {
  readonly email: string;
  readonly password: string;
  /** The client's (`clientAddress`). */
  readonly network: string;
  /**
   * A person who is signed in gives the password again. Such tries are counted apart, so that strangers cannot use them
   * up.
   */
  readonly again?: true;
}

/**
 * The id of the login that has this address and password. Throws INVALID_CREDENTIALS for an unknown address and for a
 * wrong password alike, after the same work, and RATE_LIMITED after too many tries. A try with the right password is
 * counted first and then taken back. `wrong` is called before the refusal when the address is known.
 */
export async function proveLogin(
  context: Pick<Context, "db" | "rateLimits">,
  { email, password, network, again }: PasswordGiven,
  wrong: (one: WrongTry) => void,
): Promise<string> {
  const giveBack = await countTry(context, network, email);
  const login = await selectLogin(context.db, email);
  const hash = login?.passwordHash;
  // A new password begins to count again: whoever is locked out by strangers can choose one by mail.
  const version = hash == null ? "" : hashOfSecret(hash).toString("base64url").slice(0, 16);
  const place = again ? "again" : "of";
  const account = await take(context, [[`sign-in:${place}:${email}:${version}`, PER_LOGIN]]);
  nobody ??= hashPassword("of nobody, and compared with all");
  const right = await verifyPassword(hash ?? (await nobody), password);
  if (!right || !login || hash == null) {
    if (login) wrong({ loginId: login.id, last: account.remaining === 0 });
    throw new AppError("INVALID_CREDENTIALS");
  }
  giveBack();
  account.giveBack();
  return login.id;
}

/**
 * Counts one code for a login over all networks, before it is looked at. Gives a function that takes a right one back,
 * and whether this was the last one that passes. Throws RATE_LIMITED.
 */
export const countCode = (
  context: Pick<Context, "rateLimits">,
  loginId: string,
): Promise<Counted> => take(context, [[`code:of:${loginId}`, PER_LOGIN]]);

/**
 * Counts one try to prove an identity, with a password or a code, and returns a function that takes a right try
 * back. `whose`: the address or login. Throws RATE_LIMITED.
 */
export async function countTry(
  context: Pick<Context, "rateLimits">,
  network: string,
  whose: string,
): Promise<() => void> {
  const { giveBack } = await take(context, [
    [`sign-in:${network}`, PER_NETWORK],
    [`sign-in:${network}:${whose}`, PER_ADDRESS],
  ]);
  return giveBack;
}

/** Counts one try with the secret of a link, among the tries of its network. Otherwise like `countTry`. */
export async function countLinkTry(
  context: Pick<Context, "rateLimits">,
  network: string,
): Promise<() => void> {
  return (await take(context, [[`sign-in:${network}`, PER_NETWORK]])).giveBack;
}

/** A try that was let through. */
interface Counted {
  /** How many more pass now. */
  readonly remaining: number;
  readonly giveBack: () => void;
}

async function take(
  { rateLimits }: Pick<Context, "rateLimits">,
  counts: readonly (readonly [key: string, rule: RateRule])[],
): Promise<Counted> {
  const taken = await Promise.all(counts.map(([key, rule]) => rateLimits.take(key, rule)));
  const refused = taken.find(({ allowed }) => !allowed);
  if (refused)
    throw new AppError("RATE_LIMITED", { retryAfterSeconds: Math.ceil(refused.resetMs / 1000) });
  return {
    remaining: Math.min(...taken.map(({ remaining }) => remaining)),
    giveBack: () => {
      for (const one of taken) one.giveBack();
    },
  };
}
