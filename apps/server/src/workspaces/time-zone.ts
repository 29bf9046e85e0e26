import type { Queryable } from "../db/database.ts";
import { invalid } from "../errors.ts";
import { isTimeZone } from "../lib/time-zone.ts";
import { knowsTimeZone } from "./workspace-store.ts";

/**
 * Checks a time zone: an IANA name that this program and its database both know. Throws VALIDATION_FAILED for
 * `timeZone`.
 */
export async function checkedTimeZone(db: Queryable, name: string): Promise<string> {
  if (name === "UTC") return name;
  if (!isTimeZone(name) || !(await knowsTimeZone(db, name)))
    throw invalid("timeZone", "must be a time zone like Asia/Kuwait");
  return name;
}
