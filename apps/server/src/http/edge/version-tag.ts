import { createHash } from "node:crypto";
import { AppError } from "../../errors.ts";

/** The `ETag` of a record's JSON: another text is another version. */
export const tagOf = (json: string): string =>
  `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"`;

/**
 * Throws VERSION_MISMATCH unless an `If-Match` names the version of a record, or `*`. No header names every version.
 * A proxy that compresses answers marks their tags as weak (`W/`); they name the same version here.
 */
export function sameVersion(ifMatch: string | undefined, current: object): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const named = ifMatch.split(",").map((one) => one.trim().replace(/^W\//, ""));
  if (!named.includes(tagOf(JSON.stringify(current)))) throw new AppError("VERSION_MISMATCH");
}
