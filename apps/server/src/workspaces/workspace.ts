import { invalid } from "../errors.ts";
import type { PlanLimits } from "./plan-limits.ts";
import type { Plan, WorkspaceKind } from "../wire/words.ts";

/** A customer of this installation. All other records belong to a workspace. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Set when it is made, and never changed. */
  readonly kind: WorkspaceKind;
  /** Limits set for this workspace alone; a missing key means the plan's. */
  readonly limitOverrides: Partial<PlanLimits>;
  /** The balance of SMS segments; null: not counted. */
  readonly smsCredits: number | null;
  /** Passcodes that one number may get in ten minutes; null: only the workspace's own limit counts. */
  readonly otpPerNumber: number | null;
  /** The countries whose numbers get verification codes, as ISO 3166 codes of two letters. Null: all. */
  readonly otpCountries: readonly string[] | null;
  readonly suspendedAt: Date | null;
  /** IANA name. It applies to campaigns that are given none, and to the days of reports. */
  readonly timeZone: string;
  /** A country in two letters (ISO 3166). Local phone numbers get its country code; with null they get none. */
  readonly country: string | null;
  /** Members without two-factor set it up before anything else. */
  readonly twoFactorRequired: boolean;
  /** The language of members who chose none, and of mails; null: the browser's. */
  readonly locale: "en" | "ar" | null;
  /** When an owner asked for its deletion. From then on nobody is let in, and a worker removes it. */
  readonly removalAskedAt: Date | null;
  readonly createdAt: Date;
}

/** A name as it is stored: trimmed, 1 to 200 characters. Throws VALIDATION_FAILED. */
export function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length < 1 || trimmed.length > 200)
    throw invalid("name", "must be 1 to 200 characters");
  if (trimmed.includes("\0") || !trimmed.isWellFormed())
    throw invalid("name", "must be valid Unicode text without NUL");
  return trimmed;
}

/** Checks a count: a whole number that PostgreSQL's integer can hold, or null. Throws VALIDATION_FAILED for `path`. */
export function checkedCount(path: string, value: number | null): number | null {
  if (value !== null && (!Number.isInteger(value) || value < 0 || value > 2_147_483_647))
    throw invalid(path, "must be a whole number from 0 to 2147483647");
  return value;
}
