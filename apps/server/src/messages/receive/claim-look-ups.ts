import type { Context } from "../../context.ts";
import { claimDueLookUps, type DueLookUp } from "./look-up-store.ts";

/**
 * Takes up to `limit` messages of campaigns whose receipt must be asked for now. A message comes again, later each
 * time, until its receipt is known.
 */
export function claimLookUps(
  context: Pick<Context, "db" | "clock">,
  limit: number,
): Promise<DueLookUp[]> {
  return limit > 0 ? claimDueLookUps(context.db, context.clock.now(), limit) : Promise.resolve([]);
}
