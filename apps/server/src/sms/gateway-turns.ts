import { systemClock } from "../lib/clock.ts";
import { createTurns } from "../lib/turns.ts";

// One line for each account, for the whole process: every batch and every campaign of an account waits in it. Only
// gateways that need it have one. Uses real time, because the waits do.
const lines = new Map<string, () => Promise<void>>();

/** Waits until this account may be called again, at gateways that block fast callers. */
export async function awaitTurn(providerId: string, gapMs: number | undefined): Promise<void> {
  if (gapMs === undefined) return;
  let turn = lines.get(providerId);
  if (!turn) lines.set(providerId, (turn = createTurns(systemClock, gapMs)));
  await turn();
}
