import type { SegmentJson } from "../wire/segment.ts";

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
export type Definition = SegmentJson["definition"];
