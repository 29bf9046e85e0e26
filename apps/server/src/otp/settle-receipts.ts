import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import type { SmsAccount, SmsReceipt } from "../sms/provider.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { OTP_MOVES, otpEvent } from "./otp-record.ts";
import { lockGatewayId, lockRecord, updateRecord } from "./otp-store.ts";

/**
 * Moves the passcode records that these receipts are about, forward only. Gives the events, which the caller emits
 * last; the receipts that are about something else (a campaign's message); and how many segments the gateway refused.
 * The gateway's free words are not kept, because they could quote the passcode.
 */
export async function settleOtpReceipts(
  context: Pick<Context, "clock">,
  tx: Tx,
  account: Pick<SmsAccount, "workspaceId" | "providerId">,
  receipts: readonly SmsReceipt[],
): Promise<{ events: NewEvent[]; others: SmsReceipt[]; refused: number }> {
  const events: NewEvent[] = [];
  const others: SmsReceipt[] = [];
  let refused = 0;
  for (const receipt of receipts) {
    const { correlationId, externalMessageId: providerMessageId } = receipt;
    const id = correlationId !== null && isId(correlationId) ? correlationId : null;
    const key = { id, providerMessageId };
    let record = await lockRecord(tx, account.workspaceId, key);
    if (!record && id === null) {
      // It may have arrived before the gateway's answer, which brings the id.
      await lockGatewayId(tx, account.workspaceId, providerMessageId);
      record = await lockRecord(tx, account.workspaceId, key);
    }
    if (!record || record.providerId !== account.providerId) {
      others.push(receipt);
      continue;
    }
    const status = receipt.status === "read" ? "delivered" : receipt.status;
    if (!OTP_MOVES[status].includes(record.status)) continue;
    const at = receipt.occurredAt ?? context.clock.now();
    const failed = status === "failed";
    const settled = await updateRecord(tx, record, {
      status,
      errorCode: failed ? receipt.smsCode : null,
      error: failed ? receipt.errorCode : null,
      providerMessageId,
      settledAt: at,
    });
    if (receipt.refused) refused += Math.max(0, record.segments - receipt.refused.partsTaken);
    events.push(otpEvent(settled, record.status, at));
  }
  return { events, others, refused };
}
