import type { Context } from "../context.ts";
import type { SmppEvent, SmppPeer } from "../lib/smpp/link.ts";
import { reportOf } from "../sms/providers/smpp/report.ts";
import { receiveSmsReport } from "./receive-sms-report.ts";
import { describeForLog } from "../db/describe-for-log.ts";

/** Takes in what came over a link of the account that owns it. */
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
    context.log.error({ ...describeForLog(error), providerId }, "a gateway's call must come again");
    throw error;
  }
}
