import type { Context } from "../../context.ts";
import { describeForLog, describeInLine } from "../../db/describe-for-log.ts";
import { sql } from "../../db/sql.ts";

/** Keeps a signed call that could not be taken in, to be looked at: nothing that a platform told us is swallowed. */
export async function keepCall(
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
  await context.db.query(
    sql`insert into inbound_failure (id, workspace_id, channel_id, body, error, received_at)
      values (${context.ids.next()}, ${workspaceId}, ${channelId}, ${body},
        ${describeInLine(error)}, ${context.clock.now()})`,
  );
}
