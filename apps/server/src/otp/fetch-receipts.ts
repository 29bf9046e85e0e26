import type { Context } from "../context.ts";
import { smsAccountById } from "../sms/find-provider.ts";
import { smsProviderFor } from "../sms/registry.ts";
import { claimReceipts, type DueReceipt } from "./otp-store.ts";
import { takeSmsReport } from "./take-sms-report.ts";

/**
 * Asks gateways that call nobody back for the receipts of passcodes: first a minute after the send, then each time the
 * message is twice as old, for 25 hours. A gateway that does not answer is asked again at the next time. One call at a
 * time: kwtSMS shuts out who asks more than five times a second.
 */
export async function fetchReceipts(context: Context, limit: number): Promise<number> {
  const due = await claimReceipts(context.db, context.clock.now(), limit);
  for (const one of due) {
    try {
      await fetchOne(context, one);
    } catch (error) {
      const { id } = one;
      context.log.warn({ requestId: id, error: String(error) }, "a receipt could not be asked for");
    }
  }
  return due.length;
}

async function fetchOne(context: Context, due: DueReceipt): Promise<void> {
  const account = await smsAccountById(context, due.providerId);
  // Another gateway may have taken the account's place.
  if (account?.provider !== due.provider) return;
  const receipt = await smsProviderFor(account.provider).lookUp?.(
    context,
    account,
    due.providerMessageId,
  );
  if (receipt) await takeSmsReport(context, account, { receipts: [receipt], inbound: [] });
}
