import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";
import { latinDigits } from "../lib/latin-digits.ts";
import type { VerificationJson } from "../wire/verification.ts";
import type { VerificationStatus } from "../wire/words.ts";

/** How many checks may be wrong. */
export const MOST_TRIES = 5;

/** A code that was sent to a number. Of the code itself only a hash is kept, while it can be checked. */
export interface Verification {
  readonly id: string;
  readonly workspaceId: string;
  /** The passcode's record, which has the gateway and the receipt. */
  readonly requestId: string;
  /** Digits. */
  readonly mobile: string;
  /** How the code was sent. */
  readonly channel: VerificationJson["channel"];
  readonly purpose: string | null;
  readonly status: VerificationStatus;
  /** Null: it has ended. */
  readonly codeMac: Buffer | null;
  /** Its digits; null: made before this was known. */
  readonly codeLength: number | null;
  readonly tries: number;
  readonly errorCode: string | null;
  /** The actor that asked for it (`actorName`). */
  readonly author: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
}

/** So many random digits. */
export const newCode = (length: number): string =>
  String(randomInt(10 ** length)).padStart(length, "0");

/**
 * The hash of a code, under a key that is in no database: a code of six digits could be guessed from a plain hash. The
 * same code of two verifications has two hashes.
 */
export const codeMac = (
  { sealer }: Pick<Context, "sealer">,
  verification: Pick<Verification, "workspaceId" | "id">,
  code: string,
): Buffer => macWith(sealer.derive("verification code"), verification, code);

const macWith = (
  key: Buffer,
  { workspaceId, id }: Pick<Verification, "workspaceId" | "id">,
  code: string,
): Buffer => createHmac("sha256", key).update(`${workspaceId}/${id}/${code}`).digest();

const typedCode = (typed: string): string => latinDigits(typed).replaceAll(/[\s-]/g, "");

/** What a code must be that can be the one that was sent; null: this one can. The length is no secret: the text shows it. */
export function codeFault({ codeLength }: Verification, typed: string): string | null {
  const code = typedCode(typed);
  const fits = codeLength === null ? /^\d{4,10}$/.test(code) : code.length === codeLength;
  if (fits && /^\d+$/.test(code)) return null;
  return `must be the ${codeLength ?? "4 to 10"} digits that were sent; this uses no try`;
}

/** Whether a person typed the code. Spaces, hyphens and Arabic digits are read as people mean them. */
export function isCode(
  context: Pick<Context, "sealer">,
  verification: Verification,
  typed: string,
): boolean {
  const { codeMac: kept } = verification;
  const code = typedCode(typed);
  if (kept === null) return false;
  const keys = context.sealer.accepted("verification code");
  return keys.some((key) => timingSafeEqual(kept, macWith(key, verification, code)));
}

/** The text with a code, in one SMS where the workspace's name is short. `minutes`: how long it is valid. */
export function codeText(
  locale: "en" | "ar",
  {
    code,
    name,
    minutes,
  }: { readonly code: string; readonly name: string; readonly minutes: number },
): string {
  const shop = name.slice(0, 30).trim();
  return locale === "ar"
    ? `${code} هو رمز التحقق من ${shop}، صالح ${minutes} د. لا تشاركه مع أحد.`
    : `${code} is your code for ${shop}. It is valid for ${minutes} min. Do not share it.`;
}

/** The status at a time: what is pending expires without anybody's doing. */
const statusAt = ({ status, expiresAt }: Verification, now: Date): VerificationStatus =>
  status === "pending" && now >= expiresAt ? "expired" : status;

/** What the API shows of a verification now. */
export function presentVerification(one: Verification, now: Date): VerificationJson {
  return {
    id: one.id,
    status: statusAt(one, now),
    // The answer is kept for repeats, where an erasure does not look for numbers.
    to: `··${one.mobile.slice(-4)}`,
    channel: one.channel,
    purpose: one.purpose,
    requestId: one.requestId,
    triesLeft: MOST_TRIES - one.tries,
    errorCode: one.errorCode,
    createdAt: one.createdAt.toISOString(),
    expiresAt: one.expiresAt.toISOString(),
    endedAt: one.endedAt?.toISOString() ?? null,
  };
}
