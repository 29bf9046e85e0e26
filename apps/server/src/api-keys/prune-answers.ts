import type { Context } from "../context.ts";
import { deleteAnswersBefore } from "./key-store.ts";

/** How long an Idempotency-Key answers again (contract §5, Idempotency). */
export const ANSWERS_KEPT_MS = 24 * 3_600_000;

/** Removes answers past their 24 hours, up to a thousand at a time; gives their number. */
export function pruneAnswers(context: Pick<Context, "db" | "clock">): Promise<number> {
  return deleteAnswersBefore(context.db, new Date(context.clock.now().getTime() - ANSWERS_KEPT_MS));
}
