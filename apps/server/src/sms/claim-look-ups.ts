import type { Context } from "../context.ts";
import { takeDueLookUps, type DueLookUp } from "./look-up-store.ts";

/** Takes up to `limit` messages of campaigns whose receipt is to be asked for now; each comes again, later, until it is known. */
export function claimLookUps(
  context: Pick<Context, "db" | "clock">,
  limit: number,
): Promise<DueLookUp[]> {
  return limit > 0 ? takeDueLookUps(context.db, context.clock.now(), limit) : Promise.resolve([]);
}
