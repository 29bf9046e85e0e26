/** Everything a rule can ask (contract §5, Segments). */
export const OPS = [
  "eq",
  "neq",
  "contains",
  "not_contains",
  "starts_with",
  "in",
  "not_in",
  "exists",
  "not_exists",
  "gt",
  "gte",
  "lt",
  "lte",
  "before",
  "after",
  "within_days",
  "not_within_days",
] as const;
export type Op = (typeof OPS)[number];

/** A definition as it is stored and shown: exactly what the caller gave, once it passed `parseDefinition`. */
export interface Definition {
  readonly match: "all" | "any";
  readonly rules: readonly Readonly<Record<string, unknown>>[];
}

/** A saved audience (spec, Segment). Times are ISO 8601 text. */
export interface Segment {
  readonly id: string;
  readonly name: string;
  readonly definition: Definition;
  /** For display only: a campaign counts its audience itself. */
  readonly cachedCount: number | null;
  readonly cachedAt: string | null;
  readonly createdAt: string;
}
