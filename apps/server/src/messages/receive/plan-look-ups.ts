import type { Tx } from "../../db/database.ts";
import { upsertLookUps } from "./look-up-store.ts";
import type { SmsAccount } from "../../sms/provider.ts";
import { smsProviderFor } from "../../sms/registry.ts";

/** From the call to the first look-up, for a gateway that sends no receipts. */
const FIRST_LOOK_MS = 60_000;

/**
 * Plans to ask for the receipts of messages, in the transaction that stores the intent to call. Plans nothing for a
 * gateway that sends receipts itself. A message that is called again starts its look-ups again.
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
