import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import type { SmsResultJson } from "../wire/otp.ts";
import { presentResult } from "./otp-record.ts";
import { selectRecord } from "./otp-store.ts";

export { haltPasscodes } from "./otp-store.ts";

/**
 * The outcome of a send whose answer the caller never got (a repeated Idempotency-Key). Null while the send is still
 * under way.
 */
export async function recoverOtp(
  context: Pick<Context, "db">,
  workspaceId: string,
  requestId: string,
): Promise<SmsResultJson | null> {
  const record = isId(requestId)
    ? await selectRecord(context.db, workspaceId, requestId)
    : undefined;
  return !record || record.status === "calling" ? null : presentResult(record);
}
