import { MAX_ID } from "../lib/ids.ts";
/**
 * Places on a timeline: the millisecond, the kind, and what tells two of one moment apart, as text that sorts. An id of
 * ours (UUIDv7) begins with its millisecond, so that a place among rows with ids is a bound on their ids.
 */
const hexOf = (ms: number): string => ms.toString(16).padStart(12, "0");

/** The place of a thing in the timeline: marks sort as the timeline does. */
export const markOf = (at: Date, kind: string, key: string): string =>
  `${hexOf(at.getTime())}~${kind}~${key}`;

/** The same of a thing whose id has its time. */
export const markOfId = (kind: string, id: string): string => `${timeOf(id)}~${kind}~${id}`;

const timeOf = (id: string): string => id.slice(0, 8) + id.slice(9, 13);

/** Whether it may be a mark of ours; of which contact does not matter. */
export const isMark = (text: string): boolean => /^[0-9a-f]{12}~[a-z_]+~[^\0]{1,300}$/.test(text);

/** Rows of this kind that come after a place on the timeline have ids below this one. */
export function belowId(mark: string | null, kind: string): string {
  if (mark === null) return MAX_ID;
  const [hex = "", markKind = "", key = ""] = mark.split("~");
  if (kind === markKind) return key;
  const at = parseInt(hex, 16);
  return lowestId(kind < markKind ? at + 1 : at);
}

function lowestId(ms: number): string {
  const hex = hexOf(ms);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
