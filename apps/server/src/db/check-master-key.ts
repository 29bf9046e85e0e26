import { setTimeout as sleep } from "node:timers/promises";
import type { Keyring } from "../lib/seal.ts";
import type { Queryable } from "./database.ts";
import { exchangeStep, insertFirstKey, selectMasterKey } from "./master-keys.ts";
import type { ProcessLife } from "./process-life.ts";

/** A running process learns of a rotation within this time and one statement. */
export const FOLLOW_MS = 1_000;

/**
 * Checks that this process has the master key of the database, and gives the keyring what the database says. The first
 * process stores the mark of its key. A process with another key throws, with one line for the operator. Otherwise it
 * would answer 201 and then fail every reply, and seal secrets that the others cannot read. While there is no workspace
 * nothing is sealed yet, and the key may still change: a restored backup needs its own. While a rotation runs, the key
 * that it replaces and the next one both fit.
 */
export async function checkMasterKey(
  db: Queryable,
  keyring: Keyring,
  { rotates = false } = {},
): Promise<void> {
  const { ownMark } = keyring;
  let row = await selectMasterKey(db);
  if (row?.mark !== ownMark && row?.nextMark !== ownMark) {
    await insertFirstKey(db, ownMark);
    row = await selectMasterKey(db);
  }
  if (row?.mark !== ownMark && row?.nextMark !== ownMark)
    throw new Error(
      row?.previousMark === ownMark
        ? `the master key was rotated at ${row.rotatedAt?.toISOString() ?? "some time"}, and this is the one of before: put the new one (mark ${row.mark}) into PARLEY_MASTER_KEY, or back into the data folder`
        : "the secrets in this database are sealed with another master key: put that one into PARLEY_MASTER_KEY, or back into the data folder",
    );
  keyring.follow(row);
  if (row.nextMark !== null && keyring.next() === null && !rotates)
    throw new Error(
      `a rotation of the master key began while no server ran, and this is the key of before: put the new one (mark ${row.nextMark}) into PARLEY_MASTER_KEY, or finish it: parley key rotate-master`,
    );
}

/**
 * Has the keyring follow rotations until `signal` ends it, and lets them see what this process follows. While the
 * database is away nothing is sealed that could be stored, so a failed look is not reported.
 */
export async function followMasterKey(
  {
    db,
    keyring,
    life,
  }: { readonly db: Queryable; readonly keyring: Keyring; readonly life: Pick<ProcessLife, "id"> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await sleep(FOLLOW_MS, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      const step = await exchangeStep(db, life.id, keyring.step);
      if (step !== null && step !== keyring.step) {
        const row = await selectMasterKey(db);
        if (row) keyring.follow(row);
        await exchangeStep(db, life.id, keyring.step);
      }
    } catch {
      // Tried again.
    }
  }
}

/** One line about a rotation that is not finished; null: none is under way. */
export async function describeRotation(db: Queryable): Promise<string | null> {
  const row = await selectMasterKey(db);
  if (!row || row.nextMark === null) return null;
  const since = row.begunAt?.toISOString() ?? "some time";
  return `a rotation of the master key to the one with the mark ${row.nextMark} began at ${since} and is not finished: run parley key rotate-master once more`;
}
