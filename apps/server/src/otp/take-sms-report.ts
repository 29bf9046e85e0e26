import { findContactIdsByPhone } from "../contacts/find-by-phone.ts";
import { setConsent } from "../contacts/set-consent.ts";
import { consentWord } from "../contacts/stop-words.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { settleMessages } from "../messages/settle-messages.ts";
import type { InboundSms, SmsAccount, SmsReceipt } from "../sms/provider.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { settleOtpReceipts } from "./settle-receipts.ts";

/** What a gateway told us of an account, in one call, over one link or asked for. */
export interface SmsReport {
  readonly receipts: readonly SmsReceipt[];
  readonly inbound: readonly InboundSms[];
}

/** Takes in what a gateway told us, already known to come from it: statuses move, stop words count, in one transaction. */
export async function takeSmsReport(
  context: Context,
  account: Pick<SmsAccount, "workspaceId" | "providerId">,
  { receipts, inbound }: SmsReport,
): Promise<void> {
  if (receipts.length === 0 && inbound.length === 0) return;
  await context.db.transaction(async (tx) => {
    const events = await settleReceipts(context, tx, account, receipts);
    for (const one of inbound) events.push(...(await applyConsent(context, tx, account, one)));
    await emitEvents(context, tx, events);
  });
}

/** A receipt is about a passcode or about a campaign's message. */
async function settleReceipts(
  context: Context,
  tx: Tx,
  account: Pick<SmsAccount, "workspaceId" | "providerId">,
  receipts: readonly SmsReceipt[],
): Promise<NewEvent[]> {
  const { events, others } = await settleOtpReceipts(context, tx, account, receipts);
  const settlements = others.map((receipt) => ({
    workspaceId: account.workspaceId,
    messageId: receipt.correlationId,
    channelId: null,
    providerMessageId: receipt.externalMessageId,
    status: receipt.status,
    at: receipt.occurredAt ?? context.clock.now(),
    errorCode: receipt.errorCode,
    errorMessage: receipt.errorDetail ?? receipt.smsCode,
    ...(receipt.scope && { scope: receipt.scope }),
  }));
  return [...events, ...(await settleMessages(context, tx, settlements))];
}

/** There is no SMS inbox; a stop word counts all the same, for every contact with that number. */
async function applyConsent(
  context: Context,
  tx: Tx,
  account: Pick<SmsAccount, "workspaceId" | "providerId">,
  inbound: InboundSms,
): Promise<NewEvent[]> {
  const word = consentWord(inbound.text);
  if (word === null) return [];
  const { workspaceId } = account;
  const contacts = await findContactIdsByPhone(tx, workspaceId, inbound.from);
  const at = context.clock.now();
  return setConsent(
    context,
    tx,
    contacts.map((contactId) => ({
      workspaceId,
      contactId,
      optedOut: word === "stop",
      source: "stop_word",
      at,
    })),
  );
}
