import type { Op } from "./segment.ts";

type FieldKind = "text" | "phone" | "tag" | "channelType" | "flag" | "date" | "attribute";

/** A field that a rule can use, and its conditions. */
export interface Field {
  readonly kind: FieldKind;
  /** As the definition names it. */
  readonly name: string;
  /** The key of an attribute. */
  readonly key: string;
  readonly ops: readonly Op[];
}

const SAME: readonly Op[] = ["eq", "neq", "in", "not_in"];
const PRESENT: readonly Op[] = ["exists", "not_exists"];
const PART: readonly Op[] = ["contains", "not_contains", "starts_with"];
const SIZE: readonly Op[] = ["gt", "gte", "lt", "lte"];
const TIME: readonly Op[] = ["before", "after", "within_days", "not_within_days"];

const OPS_OF: Record<FieldKind, readonly Op[]> = {
  text: [...SAME, ...PART, ...PRESENT],
  phone: [...SAME, ...PART, ...PRESENT],
  tag: [...SAME, ...PART, ...PRESENT],
  channelType: [...SAME, ...PRESENT],
  flag: ["eq", "neq"],
  date: [...SIZE, ...TIME, ...PRESENT],
  attribute: [...SAME, ...PART, ...PRESENT, ...SIZE, ...TIME],
};

const KINDS = new Map<string, FieldKind>([
  ["name", "text"],
  ["email", "text"],
  ["phone", "phone"],
  ["tag", "tag"],
  ["channelType", "channelType"],
  ["optedOut", "flag"],
  ["createdAt", "date"],
  ["lastSeenAt", "date"],
]);

const ATTRIBUTE = "attribute.";
const MAX_KEY = 200;

/** The field with that name, or null when there is none (contract §5: the list is closed). */
export function fieldOf(name: string): Field | null {
  const kind = KINDS.get(name);
  if (kind) return { kind, name, key: "", ops: OPS_OF[kind] };
  if (!name.startsWith(ATTRIBUTE)) return null;
  const key = name.slice(ATTRIBUTE.length);
  if (key === "" || key.length > MAX_KEY || !key.isWellFormed() || key.includes("\0")) return null;
  return { kind: "attribute", name, key, ops: OPS_OF.attribute };
}
