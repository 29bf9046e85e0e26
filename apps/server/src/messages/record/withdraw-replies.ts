import type { Tx } from "../../db/database.ts";
import { lockProgress } from "./message-store.ts";
import { selectWithdrawn } from "./withdraw-store.ts";

export { lockUnsentOf, SUPERSEDED, type UnsentReply } from "./withdraw-store.ts";

interface Called {
  readonly reply: {
    readonly workspaceId: string;
    readonly id: string;
    readonly author: string | null;
  };
  /** Proven not sent: it would be tried again. */
  readonly again: boolean;
}

/**
 * Which replies of bots must not be tried again although the platform did not take them: a person took the conversation
 * while they were in the air. Locks the messages of all calls, as their settlement does next; costs nothing where no bot's
 * reply would be tried again.
 */
export async function withdrawnInAir(
  tx: Tx,
  calls: readonly Called[],
): Promise<ReadonlySet<string>> {
  const asked = calls.flatMap(({ reply, again }) =>
    again && reply.author?.startsWith("bot:") === true ? [reply] : [],
  );
  if (asked.length === 0) return new Set();
  await lockProgress(
    tx,
    calls.map(({ reply }) => reply),
  );
  return selectWithdrawn(tx, asked);
}
