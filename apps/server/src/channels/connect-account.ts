import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { isGuarded } from "../lib/check-address.ts";
import { checkAccount, type ConnectInput, type EnteredAccount } from "./account-form.ts";
import type { Channel } from "./channel.ts";
import { checkAtPlatform } from "./check-at-platform.ts";
import { connectChannel } from "./connect-channel.ts";
import { adapterFor } from "./registry.ts";
import { setUpChannel } from "./set-up-channel.ts";
import { checkReachable } from "../workspaces/test-workspace.ts";
import { write } from "../write.ts";

/**
 * Connects an account as `connectChannel` does, and sets it up at its platform if needed. This is what a person
 * calls. A value that the platform refuses is VALIDATION_FAILED under its name, and nothing is stored. When the
 * platform refuses the setup itself, the returned channel is in `error` with the reason. When it cannot be asked,
 * the channel is `connected` with a `syncError`. A worker tries again. `within` runs in the transaction that stores the account, or, where
 * the platform is set up afterwards, in one after that. Other errors: as `connectChannel`.
 */
export const connectAccount = write(
  "channel.connect",
  async (
    actor,
    context: Pick<
      Context,
      | "db"
      | "clock"
      | "ids"
      | "sealer"
      | "log"
      | "wake"
      | "config"
      | "operator"
      | "providerHttp"
      | "guardedHttp"
    >,
    workspaceId: string,
    input: ConnectInput | EnteredAccount,
    within?: (tx: Tx, channel: Channel) => Promise<void>,
  ): Promise<Channel> => {
    const adapter = adapterFor(input.type);
    if (adapter?.subscribe === undefined)
      return connectChannel(actor, context, workspaceId, input, within);
    // Before the platform is asked.
    await checkReachable(context.db, workspaceId, input.sandbox ?? false);
    const { externalId, settings, secrets, apiUrl } = checkAccount(input);
    const guarded = await isGuarded(context, apiUrl);
    await checkAtPlatform(context, {
      channelId: "",
      workspaceId,
      type: input.type,
      externalId,
      guarded,
      settings,
      secrets,
      apiUrl,
    });
    const { id } = await connectChannel(actor, context, workspaceId, input);
    const channel = await setUpChannel(context, workspaceId, id, { takeOver: true });
    if (within) await context.db.transaction((tx) => within(tx, channel));
    return channel;
  },
);
