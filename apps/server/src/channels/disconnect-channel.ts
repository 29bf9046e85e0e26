import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { httpFor } from "../lib/check-address.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { sealSecrets } from "./account-secrets.ts";
import type { Channel } from "./channel.ts";
import { channelStatusEvent } from "./channel-events.ts";
import {
  dueNowBySetting,
  moveStatus,
  replaceSecrets,
  selectChannel,
  withoutSecrets,
} from "./channel-store.ts";
import { hookUrlOf } from "./hook-url.ts";
import { accountsByExternalId, loadAccounts, type LoadedAccount } from "./load-accounts.ts";
import { adapterFor } from "./registry.ts";
import { write } from "../write.ts";

/**
 * Disconnects an account: its secrets are wiped, its place in the plan is free, its history stays, and the
 * platform's calls get 404. After the commit the platform is told to stop calling (Telegram's webhook); a failure
 * of that is only logged. Connecting it again brings it back under the same id. Doing it twice changes nothing.
 * Errors: NOT_FOUND.
 */
export const disconnectChannel = write(
  "channel.disconnect",
  async (
    actor,
    context: Pick<
      Context,
      "db" | "clock" | "ids" | "sealer" | "log" | "wake" | "config" | "providerHttp" | "guardedHttp"
    >,
    workspaceId: string,
    channelId: string,
  ): Promise<Channel> => {
    const missing = () => new AppError("NOT_FOUND", { explanation: "no such channel" });
    if (!isId(workspaceId) || !isId(channelId)) throw missing();
    // Read now, while its secrets are still there.
    const account = (await loadAccounts(context, [{ workspaceId, channelId }])).get(channelId);
    const channel = await context.db.transaction(async (tx) => {
      const row = await selectChannel(tx, workspaceId, channelId, "for update");
      if (row === null) throw missing();
      const open = ["connected", "error"] as const;
      const moved = await moveStatus(tx, workspaceId, channelId, open, "disconnected", null);
      if (moved === null) return withoutSecrets(row);
      const nothing = sealSecrets(context.sealer, workspaceId, channelId, {});
      await replaceSecrets(tx, workspaceId, channelId, nothing);
      const given = withoutSecrets(moved);
      const { type, name } = given;
      const facts = { type, ...(name !== "" && { name }) };
      const entry: AuditEntry = { action: "channel.disconnected", subject: channelId, facts };
      await audit(actor, context, tx, workspaceId, entry);
      await emitEvents(context, tx, [channelStatusEvent(given, row.status, context.clock.now())]);
      return given;
    });
    if (account !== undefined) await tearDown(context, account);
    return channel;
  },
);

async function tearDown(
  context: Pick<
    Context,
    "db" | "clock" | "sealer" | "log" | "wake" | "config" | "providerHttp" | "guardedHttp"
  >,
  account: LoadedAccount,
): Promise<void> {
  const { workspaceId, channelId, type, externalId } = account;
  const hookUrl = hookUrlOf(context.config, type, channelId);
  const adapter = adapterFor(type);
  if (adapter?.sharesSubscription) {
    if ((await accountsByExternalId(context, type, externalId)).length > 0) return;
  }
  const failure = await adapter?.unsubscribe?.(httpFor(context, account), account, hookUrl);
  if (failure)
    context.log.warn(
      { workspaceId, channelId, code: failure.code },
      "the platform still calls a disconnected channel; its calls get 404",
    );
  const shared = adapter?.addressSharedBy;
  const value = shared === undefined ? undefined : account.settings[shared];
  if (shared === undefined || value === undefined) return;
  await dueNowBySetting(context.db, type, [shared, value], context.clock.now());
  context.wake.nudge("housekeeping");
}
