import { actorName, type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import type { AuditAction } from "./audit-actions.ts";
import { insertAudit } from "./audit-store.ts";

/** What an entry says beside its actor and time. */
export interface AuditEntry {
  /** What was done, as noun.verb in the past: "api_key.revoked". */
  readonly action: AuditAction;
  /** The id of the record that was changed. */
  readonly subject: string;
  /**
   * Ids, codes and numbers; never secrets or texts. One exception: what is deleted leaves its `name`, because nothing else
   * keeps it. A person's name is never left, nor that of a record which only one member could see.
   */
  readonly facts?: object;
}

/**
 * Writes an entry of the audit log, in the transaction that makes the change. No other function does. `actor` is a text
 * when a job that stored it (`actorName`) goes on in that actor's name.
 */
export async function audit(
  actor: Actor | string,
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  { facts = {}, ...entry }: AuditEntry,
): Promise<void> {
  await insertAudit(tx, workspaceId, {
    ...entry,
    facts,
    actor: typeof actor === "string" ? actor : actorName(actor),
    id: context.ids.next(),
    createdAt: context.clock.now(),
  });
}
