import { createHash } from "node:crypto";
import { AppError } from "../../errors.ts";
import type { Versioned } from "./face.ts";

/** The `ETag` of a record's JSON: another text is another version, but for the members that `versioned` leaves out. */
export function tagOf(json: string, versioned: Versioned = true): string {
  const text = versioned === true ? json : without(json, versioned.without);
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

function without(json: string, names: readonly string[]): string {
  const members: [string, unknown][] = Object.entries(JSON.parse(json));
  return JSON.stringify(Object.fromEntries(members.filter(([name]) => !names.includes(name))));
}

/**
 * Throws VERSION_MISMATCH unless an `If-Match` names the version of a record, or `*`. No header names every version.
 * A proxy that compresses answers marks their tags as weak (`W/`), and a shell takes the quotes away: both name the same
 * version here.
 */
export function sameVersion(
  ifMatch: string | undefined,
  current: object,
  versioned?: Versioned,
): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const named = ifMatch.split(",").map(bare);
  if (!named.includes(bare(tagOf(JSON.stringify(current), versioned))))
    throw new AppError("VERSION_MISMATCH");
}

/** A tag without its quotes and the mark of a weak one. */
const bare = (tag: string): string => tag.trim().replace(/^W\//, "").replaceAll('"', "");
