import type { Context } from "../../context.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { insertFailedCall } from "./inbound-failure-store.ts";

/** Keeps a signed call that could not be taken in, to be looked at: nothing that a platform told us is swallowed. */
export async function storeFailedCall(
  context: Pick<Context, "db" | "clock" | "ids" | "log">,
  account: { readonly workspaceId: string; readonly channelId: string },
  body: Buffer,
  error: unknown,
): Promise<void> {
  const { workspaceId, channelId } = account;
  context.log.error(
    { workspaceId, channelId, ...describeForLog(error) },
    "a platform's call could not be taken in",
  );
  await insertFailedCall(context, account, body, error);
}
