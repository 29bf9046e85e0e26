/** A narrower limit of some calls, beside the one of all calls. `name` is what the caller reads of it. */
export interface NamedRate {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** What costs the database much, or begins long work: a key may do it so often (docs/guides/limits.md). */
export const RATES = {
  reports: { name: "reports", limit: 30, windowMs: MINUTE },
  imports: { name: "imports", limit: 10, windowMs: HOUR },
  exports: { name: "exports", limit: 10, windowMs: HOUR },
} as const satisfies Readonly<Record<string, NamedRate>>;
