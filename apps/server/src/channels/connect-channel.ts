import { type Actor } from "../actor.ts";
import { audit } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { isGuarded } from "../lib/check-address.ts";
import { isId } from "../lib/ids.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { findWorkspaces } from "../workspaces/find-workspace.ts";
import { limitsOf } from "../workspaces/plan-limits.ts";
import { checkAccount, type ConnectInput, type EnteredAccount } from "./account-form.ts";
import { sealSecrets } from "./account-secrets.ts";
import type { Channel } from "./channel.ts";
import { channelStatusEvent } from "./channel-events.ts";
import {
  countOpenChannels,
  selectByAccountInWorkspace,
  upsertChannel,
  withoutSecrets,
} from "./channel-store.ts";
import { checkReachable } from "../workspaces/test-workspace.ts";
import { lockWorkspace } from "../workspaces/find-workspace.ts";

export type { ConnectInput } from "./account-form.ts";

/**
 * Stores an account of a workspace (contract §4): the second half of `connectAccount` and of `addSandboxChannel`,
 * which check that the actor may do it. The same account may be connected in several workspaces. An account that
 * the workspace knows already, also in error or disconnected, keeps its id and history and gets the new
 * credentials. An `apiUrl` that a workspace sets must be public (`context.operator`). Emits `channel.status` when
 * the status changed; the next sync reads its templates. Errors: VALIDATION_FAILED by field, NOT_FOUND
 * (workspace), CHANNEL_LIMIT_REACHED with `limit` and `usage`, NOT_ALLOWED_IN_STATE for a real account in a test
 * workspace.
 */
export async function connectChannel(
  actor: Actor,
  context: Pick<Context, "db" | "clock" | "ids" | "sealer" | "wake" | "config" | "operator">,
  workspaceId: string,
  input: ConnectInput | EnteredAccount,
  within?: (tx: Tx, channel: Channel) => Promise<void>,
): Promise<Channel> {
  const account = checkAccount(input);
  if (!isId(workspaceId)) throw new AppError("NOT_FOUND", { explanation: "no such workspace" });
  const apiUrlGuarded = await isGuarded(context, account.apiUrl);
  const now = context.clock.now();
  return context.db.transaction(async (tx) => {
    // Locked, so that two connects cannot both take the last place of the plan.
    if (!(await lockWorkspace(tx, workspaceId)))
      throw new AppError("NOT_FOUND", { explanation: "no such workspace" });
    await checkReachable(tx, workspaceId, input.sandbox ?? false);
    const known = await selectByAccountInWorkspace(tx, workspaceId, input.type, account.externalId);
    const takesPlace = known === null || known.status === "disconnected";
    if (takesPlace) await checkChannelLimit(tx, workspaceId);
    const id = known?.id ?? context.ids.next();
    const row = await upsertChannel(tx, {
      workspaceId,
      id,
      type: input.type,
      name: account.name,
      externalId: account.externalId,
      apiUrl: account.apiUrl,
      apiUrlGuarded,
      settings: account.settings,
      secretsSealed: sealSecrets(context.sealer, workspaceId, id, account.secrets),
      sandbox: input.sandbox ?? false,
      // The sandbox syncs a sandbox account once its platform is there.
      syncDueAt: account.synced && input.sandbox !== true ? now : null,
      at: now,
    });
    const channel = withoutSecrets(row);
    await audit(actor, context, tx, workspaceId, {
      action: "channel.connected",
      subject: id,
      facts: { type: channel.type, sandbox: channel.sandbox },
    });
    tx.afterCommit(() => context.wake.nudge("housekeeping"));
    if (known?.status !== "connected")
      await emitEvents(context, tx, [channelStatusEvent(channel, known?.status ?? null, now)]);
    await within?.(tx, channel);
    return channel;
  });
}

/**
 * Checks the plan's number of channels; a disconnected one uses no place. The caller has locked the workspace's
 * row.
 */
async function checkChannelLimit(tx: Tx, workspaceId: string): Promise<void> {
  const workspace = (await findWorkspaces(tx, [workspaceId])).get(workspaceId);
  const limit = workspace === undefined ? null : limitsOf(workspace).channels;
  if (limit === null) return;
  const usage = await countOpenChannels(tx, workspaceId);
  if (usage < limit) return;
  throw new AppError("CHANNEL_LIMIT_REACHED", {
    limit,
    usage,
    explanation: `the plan allows ${limit} channels and ${usage} are connected`,
  });
}
