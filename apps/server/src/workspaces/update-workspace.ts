import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { checkedCountry } from "./country.ts";
import { LIMIT_NAMES, type LimitName } from "./plan-limits.ts";
import { checkedCount, checkedName, type Workspace } from "./workspace.ts";
import type { Plan } from "../wire/words.ts";
import { checkedTimeZone } from "./time-zone.ts";
import { lockWorkspace, replaceWorkspace, setSmsCredits } from "./workspace-store.ts";
import { audit } from "./write-audit.ts";
import { permitRight } from "../policies.ts";
import { write } from "../write.ts";

export interface WorkspaceChanges {
  readonly name?: string;
  readonly plan?: Plan;
  readonly suspended?: boolean;
  /** The new balance of SMS segments; null does not count them. */
  readonly smsCredits?: number | null;
  /** Passcodes that one number may get in ten minutes, 1 to 1,000; null: no limit. */
  readonly otpPerNumber?: number | null;
  /** The countries whose numbers get verification codes, two letters each; null: all. */
  readonly otpCountries?: readonly string[] | null;
  /** IANA name. It applies to campaigns made from now on, and to the days of reports. */
  readonly timeZone?: string;
  /** Two letters, like "KW"; null: local phone numbers get no country code. */
  readonly country?: string | null;
  /** Members without two-factor set it up before anything else. */
  readonly twoFactorRequired?: boolean;
  /** The language of mails, and of members who chose none; null: the browser's. */
  readonly locale?: "en" | "ar" | null;
  /** For each limit a number, null for unlimited, or "default" to go back to the plan's. */
  readonly limits?: Partial<Record<LimitName, number | null | "default">>;
}

/** The fields that only the operator changes. */
const OPERATORS = [
  "plan",
  "limits",
  "smsCredits",
  "suspended",
] as const satisfies (keyof WorkspaceChanges)[];

/**
 * Changes the given fields and leaves the rest. Under a lowered limit, existing things stay and new ones are refused.
 * Throws NOT_FOUND, VALIDATION_FAILED, and FORBIDDEN when another actor changes an operator's field.
 */
export const updateWorkspace = write(
  "workspace.update",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    id: string,
    changes: WorkspaceChanges,
  ): Promise<Workspace> => {
    const missing = () => new AppError("NOT_FOUND", { explanation: `no workspace ${id}` });
    if (!isId(id)) throw missing();
    if (OPERATORS.some((name) => changes[name] !== undefined))
      permitRight(actor, "workspace.change_plan");
    return context.db.transaction(async (tx) => {
      const before = await lockWorkspace(tx, id);
      if (!before) throw missing();
      const after: Workspace = {
        ...before,
        name: changes.name === undefined ? before.name : checkedName(changes.name),
        plan: changes.plan ?? before.plan,
        limitOverrides: mergedLimits(before.limitOverrides, changes.limits ?? {}),
        timeZone:
          changes.timeZone === undefined
            ? before.timeZone
            : await checkedTimeZone(tx, changes.timeZone),
        country:
          changes.country === undefined
            ? before.country
            : changes.country && checkedCountry(changes.country),
        twoFactorRequired: changes.twoFactorRequired ?? before.twoFactorRequired,
        locale: changes.locale === undefined ? before.locale : changes.locale,
        otpPerNumber:
          changes.otpPerNumber === undefined
            ? before.otpPerNumber
            : checkedPerNumber(changes.otpPerNumber),
        otpCountries:
          changes.otpCountries === undefined
            ? before.otpCountries
            : checkedCountries(changes.otpCountries),
        suspendedAt: suspension(before.suspendedAt, changes.suspended, context.clock.now()),
        smsCredits:
          changes.smsCredits === undefined
            ? before.smsCredits
            : checkedCount("smsCredits", changes.smsCredits),
      };
      await replaceWorkspace(tx, id, after);
      if (changes.smsCredits !== undefined) await setSmsCredits(tx, id, after.smsCredits);
      await audit(actor, context, tx, id, {
        action: "workspace.updated",
        subject: id,
        facts: changes,
      });
      return after;
    });
  },
);

function checkedPerNumber(value: number | null): number | null {
  if (value !== null && !(Number.isInteger(value) && value >= 1 && value <= 1_000))
    throw invalid("otpPerNumber", "must be a whole number from 1 to 1000");
  return value;
}

function checkedCountries(codes: readonly string[] | null): readonly string[] | null {
  if (codes === null) return null;
  if (codes.length < 1 || codes.length > 250)
    throw invalid("otpCountries", "must name 1 to 250 countries");
  return [...new Set(codes.map(checkedCountry))];
}

/** A second suspension keeps the time of the first. */
function suspension(before: Date | null, wanted: boolean | undefined, now: Date): Date | null {
  if (wanted === undefined) return before;
  return wanted ? (before ?? now) : null;
}

function mergedLimits(
  before: Workspace["limitOverrides"],
  changes: NonNullable<WorkspaceChanges["limits"]>,
): Workspace["limitOverrides"] {
  const merged: Partial<Record<LimitName, number | null>> = { ...before };
  for (const name of LIMIT_NAMES) {
    const value = changes[name];
    if (value === "default") delete merged[name];
    else if (value !== undefined) merged[name] = checkedCount(`limits.${name}`, value);
  }
  return merged;
}
