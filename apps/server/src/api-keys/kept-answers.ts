import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { SomeRefused, type Settled } from "../lib/group-commit.ts";
import type { KeyOfCall } from "./idempotency-store.ts";
import { deleteAnswersBefore, rewriteAnswers, selectAnswers } from "./idempotency-store.ts";

export {
  findCall,
  insertCall,
  insertLocked,
  replaceAnswer,
  storeAnswer,
} from "./idempotency-store.ts";
export type { CallerOfKey, KeyOfCall, StoredCall } from "./idempotency-store.ts";

/** What the body of an answer with a secret begins with; base64 follows. No JSON begins so. */
export const SEALED_ANSWER = "sealed ";
export const answerPlace = ({ workspaceId, callerId, key }: KeyOfCall): string =>
  `idempotency_key:${workspaceId}:${callerId}:${key}`;

/** How long an Idempotency-Key repeats its answer (contract §5, Idempotency). */
export const ANSWERS_KEPT_MS = 24 * 3_600_000;

/** Another call with the key was first, or is under way: this one is undone. */
export class CameSecond extends Error {}

/**
 * Runs `keep` of calls that share a transaction, and gives their results. Throws `SomeRefused` with each `CameSecond`: the
 * group commit then refuses those calls, and stores the others without them.
 */
export async function storeEachAnswer<A>(keeps: readonly (() => Promise<A>)[]): Promise<A[]> {
  const kept = await Promise.allSettled(keeps.map((keep) => keep()));
  const second = kept.flatMap((one, index) =>
    one.status === "rejected" && one.reason instanceof CameSecond
      ? [[index, one.reason] as const]
      : [],
  );
  if (second.length > 0) throw new SomeRefused(new Map(second));
  return kept.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

/** The same for calls of which some were refused and some have no key: gives their results as they are. */
export async function storeAnswersOf<V>(
  tx: Tx,
  calls: readonly { readonly keep?: ((tx: Tx, value: V) => Promise<void>) | undefined }[],
  settled: Settled<V>[],
): Promise<Settled<V>[]> {
  await storeEachAnswer(
    settled.map((one, index) => async () => {
      if (one.ok) await calls[index]?.keep?.(tx, one.value);
    }),
  );
  return settled;
}

/** Deletes answers that are older than 24 hours, up to a thousand at a time. Gives how many. */
export function pruneAnswers(context: Pick<Context, "db" | "clock">): Promise<number> {
  return deleteAnswersBefore(context.db, new Date(context.clock.now().getTime() - ANSWERS_KEPT_MS));
}

/**
 * Rewrites kept answers that name one of these ids: `rewrite` gives the new body, or null to leave it. The answers
 * stay, so that a repeated request does not create the contact again. Gives how many were rewritten.
 */
export async function eraseAnswers(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  rewrite: (body: string) => string | null,
): Promise<number> {
  const rows = await selectAnswers(tx, workspaceId, ids);
  const changed = rows.flatMap((row) => {
    const body = rewrite(row.body);
    return body === null ? [] : [{ ...row, body }];
  });
  await rewriteAnswers(tx, workspaceId, changed);
  return changed.length;
}
