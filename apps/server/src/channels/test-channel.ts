import { AppError } from "../errors.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import type { Channel } from "./channel.ts";
import { accountFault } from "./check-at-platform.ts";
import { findChannel } from "./list-channels.ts";
import { loadAccounts } from "./load-accounts.ts";
import { setUpChannel } from "./set-up-channel.ts";

/** The result of a channel's test. */
export interface ChannelTest {
  readonly channel: Channel;
  /**
   * The value that its platform refuses; null: it accepts everything that can be asked about, or could not be
   * asked.
   */
  readonly fault: {
    readonly field: string;
    readonly orField: string | null;
    readonly code: string;
    readonly detail: string;
  } | null;
}

/**
 * Asks the platform about a channel's values and sets it up there again, now instead of within the hour; nobody is
 * sent anything. Its state changes as after each hourly sync. Writes the audit. Errors: NOT_FOUND,
 * NOT_ALLOWED_IN_STATE when it is disconnected.
 */
export const testChannel = write(
  "channel.test",
  async (
    actor,
    context: Parameters<typeof setUpChannel>[0],
    workspaceId: string,
    channelId: string,
  ): Promise<ChannelTest> => {
    await findChannel(context, workspaceId, channelId);
    const account = (await loadAccounts(context, [{ workspaceId, channelId }])).get(channelId);
    if (account === undefined)
      throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "the channel is disconnected" });
    const found = await accountFault(context, account);
    const channel = await setUpChannel(context, workspaceId, channelId);
    await context.db.transaction((tx) =>
      audit(actor, context, tx, workspaceId, {
        action: "channel.tested",
        subject: channelId,
        facts: { fault: found?.field ?? null },
      }),
    );
    const fault = found && {
      field: found.field,
      orField: found.orField ?? null,
      code: found.code,
      detail: found.detail,
    };
    return { channel, fault };
  },
);
