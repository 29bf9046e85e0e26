import { createHmac, randomBytes } from "node:crypto";
import { generateSecret, generateURI, verifySync } from "otplib";
import type { Context } from "../context.ts";
import { hashesThrough } from "../lib/seal.ts";
import { latinDigits } from "../lib/latin-digits.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import type { Login } from "./login-store.ts";
import {
  countRecoveryCodes,
  deleteRecoveryCode,
  replaceRecoveryCodes,
  selectWithTwoFactor,
  useTotpStep,
  writeTotp,
} from "./two-factor-store.ts";

/** A clock may be wrong by this many seconds: the code before and the code after count too. */
const TOLERANCE = 30;
const PROPOSAL_MS = 15 * 60_000;
const RECOVERY_CODES = 10;
/** Letters and digits, without those that look alike. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** A secret that was shown and is not in use yet. */
export interface Proposal {
  /** In base32, as an app takes it. */
  readonly secret: string;
  /** What an app scans (`otpauth:`). */
  readonly address: string;
  /** The secret, sealed. The app gives it back with the first code; nothing is stored before. */
  readonly proposal: string;
}

export const totpPlace = (loginId: string): string => `login:${loginId}:totp`;

/** Makes a secret for a person's app. It takes effect with its first code (`switchOn`). */
export function proposeSecret(
  { clock, sealer }: Pick<Context, "clock" | "sealer">,
  { id, email }: Pick<Login, "id" | "email">,
): Proposal {
  const secret = generateSecret();
  const until = clock.now().getTime() + PROPOSAL_MS;
  const sealed = sealer.seal(JSON.stringify({ secret, until }), `${totpPlace(id)}:proposal`);
  return {
    secret,
    address: generateURI({ issuer: "Parley", label: email, secret }),
    proposal: sealed.toString("base64url"),
  };
}

/**
 * Switches two-factor on with a proposed secret and a code made from it. Returns the recovery codes, which are
 * stored nowhere. Throws VALIDATION_FAILED for a wrong code or an old proposal.
 */
export async function switchOn(
  context: Pick<Context, "clock" | "sealer">,
  tx: Tx,
  loginId: string,
  { proposal, code }: { readonly proposal: string; readonly code: string },
): Promise<string[]> {
  const { sealer } = context;
  const secret = openProposal(context, loginId, proposal);
  if (secret === null) throw invalid("proposal", "has run out; begin again");
  const step = stepOf(context, secret, code);
  if (step === null) throw invalid("code", "is not the code that the app shows now");
  await writeTotp(tx, loginId, { sealed: sealer.seal(secret, totpPlace(loginId)), step });
  return freshRecoveryCodes(context, tx, loginId);
}

/** Switches two-factor off. */
export const switchOff = (tx: Tx, loginId: string): Promise<void> => writeTotp(tx, loginId, null);

/** Makes recovery codes in place of the old ones. */
export async function freshRecoveryCodes(
  context: Pick<Context, "sealer">,
  tx: Tx,
  loginId: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, freshCode);
  const hashes = codes.flatMap((code) => hashesOfCode(context, loginId, code).slice(0, 1));
  await replaceRecoveryCodes(tx, loginId, hashes);
  return codes;
}

/** The input of the second step: a code of the app, or one of the recovery codes. */
export type SecondStep = { readonly code: string } | { readonly recoveryCode: string };

/** Whether the code is right. A right code is used up. Throws VALIDATION_FAILED when two-factor is off. */
export async function useSecondStep(
  context: Pick<Context, "clock" | "sealer">,
  tx: Tx,
  { id, totpSealed }: Login,
  given: SecondStep,
): Promise<boolean> {
  if (totpSealed === null) throw new AppError("UNAUTHENTICATED");
  if ("recoveryCode" in given)
    return deleteRecoveryCode(tx, id, hashesOfCode(context, id, given.recoveryCode));
  const step = stepOf(context, context.sealer.open(totpSealed, totpPlace(id)), given.code);
  return step !== null && useTotpStep(tx, id, step);
}

/** How many recovery codes the person has left. */
export const recoveryCodesLeft = (db: Queryable, loginId: string): Promise<number> =>
  countRecoveryCodes(db, loginId);

/** The logins among these that have two-factor on. */
export const withTwoFactor = async (
  db: Queryable,
  loginIds: readonly string[],
): Promise<ReadonlySet<string>> => new Set(await selectWithTwoFactor(db, loginIds));

function openProposal(
  { clock, sealer }: Pick<Context, "clock" | "sealer">,
  loginId: string,
  proposal: string,
): string | null {
  let known: unknown;
  try {
    const sealed = Buffer.from(proposal, "base64url");
    known = JSON.parse(sealer.open(sealed, `${totpPlace(loginId)}:proposal`));
  } catch {
    return null;
  }
  if (typeof known !== "object" || known === null) return null;
  if (!("secret" in known && "until" in known)) return null;
  const { secret, until } = known;
  return typeof secret === "string" && Number(until) > clock.now().getTime() ? secret : null;
}

/** The half minute to which a code belongs; null: it is not valid now. */
function stepOf({ clock }: Pick<Context, "clock">, secret: string, given: string): number | null {
  const token = latinDigits(given).replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const epoch = Math.floor(clock.now().getTime() / 1000);
  const result = verifySync({ secret, token, epoch, epochTolerance: TOLERANCE });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}

/** Like `k4mz-9tqa-x2hd`: 59 bits. */
function freshCode(): string {
  const letters: string[] = [];
  while (letters.length < 12)
    for (const byte of randomBytes(16))
      // Larger bytes are dropped: they would make the first letters of the alphabet more frequent.
      if (byte < 248 && letters.length < 12) letters.push(ALPHABET[byte % ALPHABET.length] ?? "");
  return letters.join("").replace(/(.{4})(?=.)/g, "$1-");
}

/**
 * Keyed. So nobody who steals the database can find the codes by trying all of them. The first hash is how a new code is
 * stored.
 */
function hashesOfCode(
  { sealer }: Pick<Context, "sealer">,
  loginId: string,
  code: string,
): Buffer[] {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  return hashesThrough(sealer, "recovery-code", (key) =>
    createHmac("sha256", key).update(`${loginId}:${plain}`).digest(),
  ).map(recoveryHash.write);
}

/** A hash of a recovery code as text, and as it is stored: bare, or with the mark of the master key that it ends with. */
export const recoveryHash = {
  write: (hash: string): Buffer =>
    hash.includes(".") ? Buffer.from(hash) : Buffer.from(hash, "base64url"),
  read: (stored: Buffer): string =>
    stored.length === 32 ? stored.toString("base64url") : stored.toString(),
};
