import type { Context } from "../context.ts";
import { claimLookUps } from "../messages/receive/claim-look-ups.ts";
import { smsAccountById } from "../sms/find-provider.ts";
import { smsProviderFor } from "../sms/registry.ts";
import { claimReceipts } from "./otp-store.ts";
import { receiveSmsReport } from "./receive-sms-report.ts";
import { describeForLog } from "../db/describe-for-log.ts";

interface DueReceipt {
  readonly providerId: string;
  readonly provider: string;
  readonly providerMessageId: string;
}

/**
 * Asks gateways that send no receipts for the receipts of passcodes and, with the rest of `limit`, of campaigns'
 * messages. It asks a minute after the send, then each time the message is twice as old, for 25 hours. A gateway that
 * does not answer is asked again at the next time. Calls are made one at a time, each when `turn` resolves, because
 * kwtSMS shuts out a caller that asks more than five times a second. Gives how many receipts it asked for.
 */
export async function fetchReceipts(
  context: Context,
  limit: number,
  turn: () => Promise<void>,
): Promise<number> {
  const passcodes = await claimReceipts(context.db, context.clock.now(), limit);
  const campaigns = await claimLookUps(context, limit - passcodes.length);
  for (const one of passcodes) await tryOne(context, one, { requestId: one.id }, turn);
  for (const one of campaigns) await tryOne(context, one, { messageId: one.messageId }, turn);
  return passcodes.length + campaigns.length;
}

async function tryOne(
  context: Context,
  due: DueReceipt,
  about: { readonly requestId: string } | { readonly messageId: string },
  turn: () => Promise<void>,
): Promise<void> {
  try {
    await fetchOne(context, due, turn);
  } catch (error) {
    context.log.warn({ ...about, ...describeForLog(error) }, "a receipt could not be asked for");
  }
}

async function fetchOne(
  context: Context,
  due: DueReceipt,
  turn: () => Promise<void>,
): Promise<void> {
  const account = await smsAccountById(context, due.providerId);
  // The account may have been changed to another gateway.
  if (account?.provider !== due.provider) return;
  const { lookUp } = smsProviderFor(account.provider);
  if (!lookUp) return;
  await turn();
  const receipt = await lookUp(context, account, due.providerMessageId);
  if (receipt) await receiveSmsReport(context, account, { receipts: [receipt], inbound: [] });
}
