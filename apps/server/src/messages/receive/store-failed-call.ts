import type { Context } from "../../context.ts";
import { describeForLog } from "../../db/describe-for-log.ts";
import { insertFailedCall } from "./inbound-failure-store.ts";

/** Logs and keeps a signed call of a platform that could not be read, for a person to look at. */
export async function storeFailedCall(
  context: Pick<Context, "db" | "clock" | "ids" | "log">,
  account: { readonly workspaceId: string; readonly channelId: string },
  body: Buffer,
  error: unknown,
): Promise<void> {
  const { workspaceId, channelId } = account;
  context.log.error(
    { workspaceId, channelId, ...describeForLog(error) },
    "a platform's call could not be read; its bytes are kept",
  );
  await insertFailedCall(context, account, body, error);
}
