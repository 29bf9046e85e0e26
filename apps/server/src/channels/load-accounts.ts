import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { openSecrets } from "./account-secrets.ts";
import type { ChannelAccount, ChannelType } from "./adapter.ts";
import type { ChannelStatus } from "./channel.ts";
import { selectByKeys, selectOpenChannels, type ChannelRow } from "./channel-store.ts";
import { adapterFor } from "./registry.ts";

/** An account ready for its adapter, with what decides whether to use it now. */
export interface LoadedAccount extends ChannelAccount {
  readonly name: string;
  /** `error`: the platform refused it; inbound calls are still taken, nothing should be sent. */
  readonly status: Exclude<ChannelStatus, "disconnected">;
  readonly throttledUntil: Date | null;
  readonly sandbox: boolean;
}

type LoadContext = Pick<Context, "db" | "sealer" | "log">;

/**
 * The accounts of these channels with their secrets opened, by channel id. One read for the whole batch and no cache:
 * replaced credentials hold from the next batch on, in every process. Disconnected channels are not in it, nor those
 * whose secrets do not open (another master key): that is logged.
 */
export async function loadAccounts(
  context: LoadContext,
  keys: readonly { readonly workspaceId: string; readonly channelId: string }[],
): Promise<Map<string, LoadedAccount>> {
  const unique = [...new Map(keys.map((key) => [key.channelId, key])).values()].filter(
    (key) => isId(key.channelId) && isId(key.workspaceId),
  );
  if (unique.length === 0) return new Map();
  const accounts = openAll(context, await selectByKeys(context.db, unique));
  return new Map(accounts.map((account) => [account.channelId, account]));
}

/** Every open channel, of whatever workspace, that holds this account: where a platform's call may belong. */
export async function accountsByExternalId(
  context: LoadContext,
  type: ChannelType,
  externalId: string,
): Promise<LoadedAccount[]> {
  return openAll(context, await selectOpenChannels(context.db, type, { externalId }));
}

/** The same for calls that name the business behind the numbers (WhatsApp: WABA id). */
export async function accountsByBusinessId(
  context: LoadContext,
  type: ChannelType,
  businessId: string,
): Promise<LoadedAccount[]> {
  return openAll(context, await selectOpenChannels(context.db, type, { wabaId: businessId }));
}

/** The open channel that a platform calls at `/hooks/{type}/{id}`, or null. */
export async function accountOfHook(
  context: LoadContext,
  type: ChannelType,
  channelId: string,
): Promise<LoadedAccount | null> {
  if (!isId(channelId)) return null;
  const rows = await selectOpenChannels(context.db, type, { id: channelId });
  return openAll(context, rows)[0] ?? null;
}

function openAll(context: LoadContext, rows: readonly ChannelRow[]): LoadedAccount[] {
  return rows.flatMap((row) => {
    const { defaultApiUrl } = adapterFor(row.type);
    if (row.status === "disconnected") return [];
    try {
      const { workspaceId, id: channelId, status, ...rest } = row;
      const { type, externalId, settings, name, throttledUntil, sandbox } = rest;
      const secrets = openSecrets(context.sealer, workspaceId, channelId, row.secretsSealed);
      const apiUrl = row.apiUrl ?? defaultApiUrl;
      const account = { channelId, workspaceId, type, externalId, apiUrl, settings, secrets };
      return [{ ...account, name, status, throttledUntil, sandbox }];
    } catch {
      context.log.error(
        { workspaceId: row.workspaceId, channelId: row.id },
        "channel secrets do not open: is PARLEY_MASTER_KEY the one they were sealed with?",
      );
      return [];
    }
  });
}
