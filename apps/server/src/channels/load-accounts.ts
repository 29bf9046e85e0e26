import type { Context } from "../context.ts";
import type { Db } from "../db/database.ts";
import { gather } from "../lib/gather.ts";
import { isId } from "../lib/ids.ts";
import { openAccountSecrets } from "./account-secrets.ts";
import type { ChannelAccount } from "./adapter.ts";
import type { ChannelType, ChannelStatus } from "../wire/words.ts";
import {
  selectByKeys,
  selectHooked,
  selectOpenChannels,
  type ChannelRow,
} from "./channel-store.ts";
import { adapterFor } from "./registry.ts";

/** An account ready for its adapter, with what decides whether to use it now. */
export interface LoadedAccount extends ChannelAccount {
  readonly name: string;
  /** `error`: the platform refused it. Inbound calls are still accepted, but nothing should be sent. */
  readonly status: Exclude<ChannelStatus, "disconnected">;
  readonly throttledUntil: Date | null;
  /** Since when the account has these secrets: the platform's answers about other secrets do not concern it. */
  readonly secretsSince: Date | null;
  readonly sandbox: boolean;
}

type LoadContext = Pick<Context, "db" | "sealer" | "log">;

/**
 * The accounts of these channels with their secrets opened, by channel id. One read for the whole batch and no
 * cache: replaced credentials apply from the next batch on, in every process. Left out are disconnected channels,
 * and those whose secrets do not open (another master key), which is logged.
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

/** Every open channel with this account, in any workspace: where a platform's call may belong. */
export async function accountsByExternalId(
  context: LoadContext,
  type: ChannelType,
  externalId: string,
): Promise<LoadedAccount[]> {
  return accountsOfCall(context, type, { externalIds: [externalId], businessIds: [] });
}

/**
 * As `accountsByExternalId`, for everything that one call names, in one statement: accounts, and businesses behind
 * the numbers (WhatsApp: WABA ids). An account that is named both ways comes once.
 */
export async function accountsOfCall(
  context: LoadContext,
  type: ChannelType,
  named: { readonly externalIds: readonly string[]; readonly businessIds: readonly string[] },
): Promise<LoadedAccount[]> {
  return openAll(context, await selectOpenChannels(context.db, type, named));
}

/** The open channel that a platform calls at `/hooks/{type}/{id}`, or null. */
export async function accountOfHook(
  context: LoadContext,
  type: ChannelType,
  channelId: string,
): Promise<LoadedAccount | null> {
  const { called } = await accountsOfHook(context, type, channelId);
  return called;
}

/**
 * As `accountOfHook`, with every open channel with this account, in any workspace: what `accountsByExternalId`
 * gives for it. Calls that arrive together are looked up in one statement.
 */
export async function accountsOfHook(
  context: LoadContext,
  type: ChannelType,
  channelId: string,
): Promise<{ readonly called: LoadedAccount | null; readonly sharing: readonly LoadedAccount[] }> {
  const rows = isId(channelId) ? await hookedRows(context.db)(channelId) : undefined;
  // The path names the platform too, so another platform's channel is not found.
  const sharing = openAll(
    context,
    (rows ?? []).filter((row) => row.type === type),
  );
  return { called: sharing.find((one) => one.channelId === channelId) ?? null, sharing };
}

const finders = new WeakMap<Db, (channelId: string) => Promise<ChannelRow[] | undefined>>();

function hookedRows(db: Db): (channelId: string) => Promise<ChannelRow[] | undefined> {
  let find = finders.get(db);
  if (!find) {
    find = gather(async (ids) => {
      const accountOf = (row: ChannelRow) => JSON.stringify([row.type, row.externalId]);
      const rows = await selectHooked(db, ids);
      const sharing = Map.groupBy(rows, accountOf);
      return new Map(rows.map((row) => [row.id, sharing.get(accountOf(row)) ?? []]));
    });
    finders.set(db, find);
  }
  return find;
}

function openAll(context: LoadContext, rows: readonly ChannelRow[]): LoadedAccount[] {
  return rows.flatMap((row) => {
    const { defaultApiUrl } = adapterFor(row.type);
    if (row.status === "disconnected") return [];
    try {
      const { workspaceId, id: channelId, status, ...rest } = row;
      const { type, externalId, settings, name, throttledUntil, secretsSince, sandbox } = rest;
      const secrets = openAccountSecrets(context.sealer, workspaceId, channelId, row.secretsSealed);
      const apiUrl = row.apiUrl ?? defaultApiUrl;
      const account = { channelId, workspaceId, type, externalId, apiUrl, settings, secrets };
      const guarded = row.apiUrlGuarded && ({ guarded: true } as const);
      return [{ ...account, ...guarded, name, status, throttledUntil, secretsSince, sandbox }];
    } catch {
      context.log.error(
        { workspaceId: row.workspaceId, channelId: row.id },
        "channel secrets do not open: is PARLEY_MASTER_KEY the one they were sealed with?",
      );
      return [];
    }
  });
}
