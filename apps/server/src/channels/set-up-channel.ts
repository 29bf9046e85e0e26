import type { Context } from "../context.ts";
import { httpFor } from "../lib/check-address.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import type { Tx } from "../db/database.ts";
import { notifyAdmins } from "../workspaces/notify-admins.ts";
import type { SetupFailure } from "./adapter.ts";
import type { Channel } from "./channel.ts";
import { channelStatusEvent } from "./channel-events.ts";
import { moveStatus, selectChannel, withoutSecrets, type ChannelRow } from "./channel-store.ts";
import { failChannel } from "./fail-channel.ts";
import { hookUrlOf } from "./hook-url.ts";
import { findChannel } from "./list-channels.ts";
import { loadAccounts } from "./load-accounts.ts";
import { recordSync, requestSync } from "./platform-sync.ts";
import { selectTrouble } from "./poll-store.ts";
import { adapterFor, templateSourceFor } from "./registry.ts";

/**
 * Makes a connected account known to its platform: checks its credentials there and has the platform call us
 * (Telegram's webhook). Done at a connect, every hour, and ten minutes after a failure. A refusal turns the
 * channel to `error` with the platform's words, and the next success turns it back. A platform that cannot be
 * reached, or an answer that is not its own (a proxy that passes only sends), says nothing about the account: the
 * channel stays as it is with the reason as its `syncError`, because in error every reply would fail. The same
 * holds for polls that fail (another program polls the bot), and for an account that works although its platform does not call
 * us: it goes on sending, and the admins are notified. `takeOver`: a person asked for it, so another
 * program's claim on the account ends. Where a platform has templates, this is the first half of a sync: the reading
 * of the templates stays due as it was, and is due at once after an error ended. Gives the channel as it is then; one
 * of a type without a setup is returned unchanged. Errors: NOT_FOUND.
 */
export async function setUpChannel(
  context: Pick<
    Context,
    "db" | "clock" | "ids" | "sealer" | "log" | "wake" | "config" | "providerHttp" | "guardedHttp"
  >,
  workspaceId: string,
  channelId: string,
  options: { readonly takeOver?: boolean } = {},
): Promise<Channel> {
  const channel = await findChannel(context, workspaceId, channelId);
  const adapter = adapterFor(channel.type);
  const account = (await loadAccounts(context, [{ workspaceId, channelId }])).get(channelId);
  if (adapter?.subscribe === undefined || account === undefined) return channel;
  const first = options.takeOver === true || channel.syncedAt === null;
  const hookUrl = hookUrlOf(context.config, channel.type, channelId);
  const begunAt = context.clock.now();
  const failure = await adapter.subscribe(httpFor(context, account), account, hookUrl, first);
  if (failure !== null)
    context.log.warn(
      { workspaceId, channelId, code: failure.code, detail: failure.detail },
      "a channel was not set up",
    );
  await context.db.transaction(async (tx) => {
    const row = await selectChannel(tx, workspaceId, channelId, "for update");
    if (row === null || row.status === "disconnected") return;
    // A bot that another program polls as well is set up all the same: only the polls show that.
    const error = failure
      ? `${failure.code}: ${failure.detail}`
      : await selectTrouble(tx, workspaceId, channelId);
    const half = templateSourceFor(channel.type) !== null;
    await recordSync(context, tx, workspaceId, channelId, {
      begunAt,
      error,
      half,
      first: row.syncedAt === null,
    });
    const moved = await moveBy(context, tx, row, failure);
    if (failure?.sends && row.syncError !== error)
      await sayReceivesNothing(context, tx, row, error ?? "");
    if (half && failure === null && moved.length > 0)
      await requestSync(context, tx, workspaceId, channelId);
    await emitEvents(context, tx, moved);
  });
  return findChannel(context, workspaceId, channelId);
}

/** Notifies the admins, once until the channel receives again or the reason changes. */
async function sayReceivesNothing(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  { workspaceId, id, name }: ChannelRow,
  reason: string,
): Promise<void> {
  await notifyAdmins(context, tx, workspaceId, {
    kind: "channel.error",
    subject: `Channel ${name} receives nothing`,
    body:
      `Messages go out on channel ${name}, but what customers write there does not arrive (${reason.slice(0, 500)}). ` +
      `Parley tries again every ten minutes.`,
    dedupe: `channel.receives:${id}:${context.clock.now().toISOString()}`,
  });
}

async function moveBy(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  row: ChannelRow,
  failure: SetupFailure | null,
): Promise<NewEvent[]> {
  const { workspaceId, id } = row;
  if (failure !== null && !failure.sends) {
    const refused = failure.reason === "misconfigured" || failure.reason === "rejected";
    return refused ? failChannel(context, tx, workspaceId, id, failure) : [];
  }
  // In error for another reason (a send was refused): a successful setup says nothing about that.
  if (row.status !== "error" || row.syncError === null) return [];
  const moved = await moveStatus(tx, workspaceId, id, ["error"], "connected", null);
  return moved === null
    ? []
    : [channelStatusEvent(withoutSecrets(moved), "error", context.clock.now())];
}
