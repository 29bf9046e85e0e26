import { createHash } from "node:crypto";
import { AppError, MISMATCH } from "../errors.ts";

/** The version of a record by its JSON: another text is another version, but for the members in `without`. */
export function tagOf(json: string, without: readonly string[] = []): string {
  const text = without.length === 0 ? json : leaveOut(json, without);
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

/** The version of a record. */
export const tagOfRecord = (record: object, without?: readonly string[]): string =>
  tagOf(JSON.stringify(record), without);

/** A record with its version: a change of it gives `etag` back as `If-Match`. */
export const withTag = <T extends object>(record: T): T & { readonly etag: string } => ({
  ...record,
  etag: tagOfRecord(record),
});

function leaveOut(json: string, names: readonly string[]): string {
  const members: [string, unknown][] = Object.entries(JSON.parse(json));
  return JSON.stringify(Object.fromEntries(members.filter(([name]) => !names.includes(name))));
}

/**
 * Throws VERSION_MISMATCH, which names the version that there is, unless an `If-Match` names it too, or `*`. No header
 * names every version. A proxy that compresses answers marks their tags as weak (`W/`), and a shell takes the quotes away:
 * both name the same version here.
 */
export function sameVersion(
  ifMatch: string | undefined,
  current: object,
  without?: readonly string[],
): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const named = ifMatch.split(",").map(bare);
  const etag = tagOfRecord(current, without);
  if (!named.includes(bare(etag)))
    throw new AppError("VERSION_MISMATCH", {
      details: [{ path: "", message: MISMATCH, code: "version.changed", params: { etag } }],
    });
}

/** A tag without its quotes and the mark of a weak one. */
const bare = (tag: string): string => tag.trim().replace(/^W\//, "").replaceAll('"', "");
