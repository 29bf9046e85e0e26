import { invalid } from "../errors.ts";
import type { PlanLimits } from "./plan-limits.ts";
import type { Plan } from "../wire/words.ts";

/** A customer of this installation: everything else belongs to one. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Limits set for this workspace alone; a missing key means the plan's. */
  readonly limitOverrides: Partial<PlanLimits>;
  /** SMS segments left; null: not counted. */
  readonly smsCredits: number | null;
  readonly suspendedAt: Date | null;
  /** IANA name: of campaigns that are given none, and of the days of reports. */
  readonly timeZone: string;
  /** A country in two letters (ISO 3166): local phone numbers get its code. Null: they get none. */
  readonly country: string | null;
  /** Members without two-factor set it up before anything else. */
  readonly twoFactorRequired: boolean;
  /** The language of members who chose none, and of mails; null: the browser's. */
  readonly locale: "en" | "ar" | null;
  /** An owner had it deleted: nobody is let in, and a worker removes it. */
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

/** A count as PostgreSQL's integer takes it. Throws VALIDATION_FAILED naming `path`. */
export function checkedCount(path: string, value: number | null): number | null {
  if (value !== null && (!Number.isInteger(value) || value < 0 || value > 2_147_483_647))
    throw invalid(path, "must be a whole number from 0 to 2147483647");
  return value;
}
