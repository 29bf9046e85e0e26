import type { Context } from "../context.ts";
import type { SmppEvent, SmppPeer } from "../lib/smpp/link.ts";
import { reportOf } from "../sms/providers/smpp/report.ts";
import { receiveSmsReport } from "./receive-sms-report.ts";
import { describeForLog } from "../db/describe-for-log.ts";

/** Takes in what came over an SMPP link, for the account that owns the link. */
export async function receiveSmppEvent(
  context: Context,
  owner: SmppPeer["owner"],
  event: SmppEvent,
): Promise<void> {
  const { workspaceId = "", providerId = "", receiptIds, countryCode } = owner;
  try {
    const account = { workspaceId, providerId, settings: countryCode ? { countryCode } : {} };
    await receiveSmsReport(context, account, reportOf(event, receiptIds));
  } catch (error) {
    context.log.error(
      { ...describeForLog(error), providerId },
      "a gateway's report was not taken in; the gateway must send it again",
    );
    throw error;
  }
}
