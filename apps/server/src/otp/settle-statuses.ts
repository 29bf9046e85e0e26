import type { PasscodeStatuses } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { findRecordIds } from "./otp-store.ts";
import { settleOtpReceipts } from "./settle-receipts.ts";

/** What WhatsApp reports of codes that it carried: they are in no thread, so no message has these ids. */
export const passcodeStatuses: PasscodeStatuses = {
  find: (tx, keys) =>
    findRecordIds(
      tx,
      keys.filter(({ id }) => isId(id)),
    ),
  async settle(context, tx, reports) {
    const events = [];
    for (const { account, event } of reports) {
      const { externalMessageId, correlationId, status, occurredAt, errorCode } = event;
      const receipt = { externalMessageId, correlationId, status, occurredAt, errorCode };
      const place = { workspaceId: account.workspaceId, providerId: account.channelId };
      const smsCode = status === "failed" ? ("REJECTED" as const) : null;
      const told = [{ ...receipt, smsCode, errorDetail: null }];
      events.push(...(await settleOtpReceipts(context, tx, place, told)).events);
    }
    return events;
  },
};
