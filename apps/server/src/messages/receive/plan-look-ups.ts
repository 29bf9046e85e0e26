import type { Tx } from "../../db/database.ts";
import { upsertLookUps } from "./look-up-store.ts";
import type { SmsAccount } from "../../sms/provider.ts";
import { smsProviderFor } from "../../sms/registry.ts";

/** After the call, where the gateway calls nobody back. */
const FIRST_LOOK_MS = 60_000;

/**
 * Plans to ask for the receipts of messages when their intent to call is stored in `tx`. Plans nothing where the
 * gateway tells by itself. Calling a message again starts its plan anew.
 */
export async function planLookUps(
  tx: Tx,
  account: Pick<SmsAccount, "workspaceId" | "providerId" | "provider">,
  messageIds: readonly string[],
  calledAt: Date,
): Promise<void> {
  if (messageIds.length === 0 || !smsProviderFor(account.provider).lookUp) return;
  const dueAt = new Date(calledAt.getTime() + FIRST_LOOK_MS);
  await upsertLookUps(tx, account.workspaceId, account, messageIds, calledAt, dueAt);
}
