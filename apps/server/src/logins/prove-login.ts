import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { RateRule } from "../lib/rate-limit/rate-limits.ts";
import { selectLogin, selectLoginById } from "./login-store.ts";
import { hashPassword, verifyPassword } from "./password.ts";

/**
 * Tries for one address from one network in ten minutes. Further tries are refused, even with the right password
 * (dashboard §2.2).
 */
const PER_ADDRESS = { limit: 10, windowMs: 600_000 } as const;
/** Tries from one network in ten minutes, for all addresses together. */
const PER_NETWORK = { limit: 50, windowMs: 600_000 } as const;

// The hash to compare with when the address is unknown: that takes as long as a wrong password.
let nobody: Promise<string> | undefined;

/**
 * The id of the login that has this address and password. Throws INVALID_CREDENTIALS for an unknown address and
 * for a wrong password alike, after the same work, and RATE_LIMITED after too many tries. `network` is the
 * client's (`clientAddress`). A try with the right password is counted first and then taken back.
 */
export async function proveLogin(
  context: Pick<Context, "db" | "rateLimits">,
  email: string,
  password: string,
  network: string,
): Promise<string> {
  const giveBack = await countTry(context, network, email);
  const login = await selectLogin(context.db, email);
  nobody ??= hashPassword("of nobody, and compared with all");
  const right = await verifyPassword(login?.passwordHash ?? (await nobody), password);
  if (!right || login?.passwordHash == null) throw new AppError("INVALID_CREDENTIALS");
  giveBack();
  return login.id;
}

/**
 * Counts one try to prove an identity, with a password or a code, and returns a function that takes a right try
 * back. `whose`: the address or login. Throws RATE_LIMITED.
 */
export function countTry(
  context: Pick<Context, "rateLimits">,
  network: string,
  whose: string,
): Promise<() => void> {
  return take(context, [
    [`sign-in:${network}`, PER_NETWORK],
    [`sign-in:${network}:${whose}`, PER_ADDRESS],
  ]);
}

/** Counts one try with the secret of a link, among the tries of its network. Otherwise like `countTry`. */
export const countLinkTry = (
  context: Pick<Context, "rateLimits">,
  network: string,
): Promise<() => void> => take(context, [[`sign-in:${network}`, PER_NETWORK]]);

async function take(
  { rateLimits }: Pick<Context, "rateLimits">,
  counts: readonly (readonly [key: string, rule: RateRule])[],
): Promise<() => void> {
  const taken = await Promise.all(counts.map(([key, rule]) => rateLimits.take(key, rule)));
  const refused = taken.find(({ allowed }) => !allowed);
  if (refused)
    throw new AppError("RATE_LIMITED", { retryAfterSeconds: Math.ceil(refused.resetMs / 1000) });
  return () => {
    for (const one of taken) one.giveBack();
  };
}

/** Asks a person who is signed in for the password again. Throws as `proveLogin` does. */
export async function proveAgain(
  context: Pick<Context, "db" | "rateLimits">,
  loginId: string,
  password: string,
  network: string,
): Promise<void> {
  const login = await selectLoginById(context.db, loginId);
  if (!login) throw new AppError("INVALID_CREDENTIALS");
  await proveLogin(context, login.email, password, network);
}
