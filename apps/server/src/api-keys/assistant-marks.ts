import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import {
  countMarks,
  deleteMark,
  deleteMarksBefore,
  insertMark,
  putReads,
  selectReads,
  type MarkedKey,
} from "./assistant-mark-store.ts";

export type { MarkedKey } from "./assistant-mark-store.ts";

const MINUTE = 60_000;
/** An assistant writes only to people that it has read shortly before, never to a number or id out of a text. */
const READ_MS = 10 * MINUTE;
/** How often one key may do what customers see. */
const LIMITS = {
  send: { most: 30, windowMs: 60 * MINUTE, what: "30 messages an hour" },
  start: { most: 1, windowMs: 24 * 60 * MINUTE, what: "one campaign start a day" },
} as const;
const LONGEST_MS = LIMITS.start.windowMs;

type MarkContext = Pick<Context, "db" | "clock">;

/** Remembers that an assistant has read these records. */
export async function recordReads(
  { db, clock }: MarkContext,
  key: MarkedKey,
  ids: readonly string[],
): Promise<void> {
  const now = clock.now();
  if (ids.length > 0)
    await putReads(db, key, [...new Set(ids)], now, new Date(now.getTime() - READ_MS));
}

/** Those of these records that an assistant has not read with the key within ten minutes. */
export async function missingReads(
  { db, clock }: MarkContext,
  key: MarkedKey,
  ids: readonly string[],
): Promise<string[]> {
  const known = new Set(await selectReads(db, key, ids, new Date(clock.now().getTime() - READ_MS)));
  return ids.filter((id) => !known.has(id));
}

/**
 * Counts a message or a campaign's start of an assistant, under a number of its own. Throws RATE_LIMITED when the key has
 * done it too often, NOT_ALLOWED_IN_STATE when the number was used before: one consent sends once.
 */
export async function countSending(
  { db, clock }: MarkContext,
  key: MarkedKey,
  kind: keyof typeof LIMITS,
  ref: string,
): Promise<void> {
  const { most, windowMs, what } = LIMITS[kind];
  const now = clock.now();
  await db.transaction(async (tx) => {
    const done = await countMarks(tx, key, kind, new Date(now.getTime() - windowMs));
    if (!(await insertMark(tx, key, kind, ref, now)))
      throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "this was sent before" });
    if (done >= most)
      throw new AppError("RATE_LIMITED", {
        explanation: `an assistant may do ${what} with one key`,
        retryAfterSeconds: Math.ceil(windowMs / 1000),
      });
  });
}

/** What was counted was not done. */
export const uncountSending = (
  { db }: Pick<Context, "db">,
  key: MarkedKey,
  kind: keyof typeof LIMITS,
  ref: string,
): Promise<void> => deleteMark(db, key, kind, ref);

/** Deletes marks that nothing asks for any more. Gives how many. */
export const pruneMarks = ({ db, clock }: MarkContext): Promise<number> =>
  deleteMarksBefore(db, new Date(clock.now().getTime() - LONGEST_MS));
