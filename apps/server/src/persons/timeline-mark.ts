import { MAX_ID } from "../lib/ids.ts";
/**
 * A place on a timeline: the millisecond, the kind, and an id that tells two items of one moment apart, as text
 * that sorts. Our ids (UUIDv7) begin with their millisecond, so a place among rows with ids is a limit for their
 * ids.
 */
const hexOf = (ms: number): string => ms.toString(16).padStart(12, "0");

/** The place of a thing in the timeline: marks sort as the timeline does. */
export const markOf = (at: Date, kind: string, key: string): string =>
  `${hexOf(at.getTime())}~${kind}~${key}`;

/** The place of an item whose id has its time. */
export const markOfId = (kind: string, id: string): string => `${timeOf(id)}~${kind}~${id}`;

const timeOf = (id: string): string => id.slice(0, 8) + id.slice(9, 13);

/** Whether the text has the form of a mark. It is not checked whether the mark belongs to this contact. */
export const isMark = (text: string): boolean => /^[0-9a-f]{12}~[a-z_]+~[^\0]{1,300}$/.test(text);

/** Rows of this kind that come after a place on the timeline have smaller ids than this one. */
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
