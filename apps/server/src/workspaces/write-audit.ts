import { actorName, type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { insertAudit } from "./audit-store.ts";

export interface AuditEntry {
  /** Who: "cli", "system", "member:<id>", "key:<id>". */
  readonly actor: string;
  /** What, as noun.verb in the past: "api_key.revoked". */
  readonly action: string;
  /** The id it was done to. */
  readonly subject: string;
  /** Ids, codes and numbers; never secrets or texts. */
  readonly facts?: object;
}

/** Writes one entry of the audit log, in the transaction that makes the change. */
export function audit(
  actor: Actor,
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  entry: Omit<AuditEntry, "actor">,
): Promise<void> {
  return writeAudit(context, tx, workspaceId, { ...entry, actor: actorName(actor) });
}

/** Notes who did what, in the transaction that did it. */
export async function writeAudit(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  entry: AuditEntry,
): Promise<void> {
  const { facts = {}, ...rest } = entry;
  const row = { ...rest, facts, id: context.ids.next(), createdAt: context.clock.now() };
  await insertAudit(tx, workspaceId, row);
}
