import type { Tx } from "../../db/database.ts";
import { freeRunsOf } from "../thread/run-store.ts";
import { freeTurnsOf } from "./turn-store.ts";

/** Frees the runs that a lost process had claimed and the AI replies that it had reserved. Gives how many. */
export async function freeBots(tx: Tx, processId: string, now: Date): Promise<number> {
  const runs = await freeRunsOf(tx, processId, now);
  return runs + (await freeTurnsOf(tx, processId, now));
}
