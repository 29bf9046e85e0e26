import { systemClock } from "../lib/clock.ts";
import { createTurns } from "../lib/turns.ts";

// By account, for the whole process: every batch and every campaign of an account stands in one line. As many as
// there are accounts of gateways that want it. Real time, because the waits are.
const lines = new Map<string, () => Promise<void>>();

/** Waits until this account may be called again, when its gateway shuts out fast callers. */
export async function awaitTurn(providerId: string, gapMs: number | undefined): Promise<void> {
  if (gapMs === undefined) return;
  let turn = lines.get(providerId);
  if (!turn) lines.set(providerId, (turn = createTurns(systemClock, gapMs)));
  await turn();
}
