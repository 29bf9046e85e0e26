import type { RULE_OPS } from "../wire/words.ts";
import type { SegmentJson } from "../wire/segment.ts";

export type Op = (typeof RULE_OPS)[number];

/** A definition as it is stored and shown: exactly what the caller gave, once it passed `parseDefinition`. */
export type Definition = SegmentJson["definition"];
