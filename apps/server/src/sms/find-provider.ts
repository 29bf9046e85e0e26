import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import type { SmsAccount } from "./provider.ts";
import { openAccount, type WorkspaceSmsProvider } from "./sms-provider.ts";
import {
  selectProviderById,
  selectByWorkspace,
  selectUnverified,
  type SmsProviderRow,
} from "./sms-provider-store.ts";

/** The account without its secrets. */
export function presentProvider(row: SmsProviderRow): WorkspaceSmsProvider {
  const { secretsSealed: _secrets, apiUrlGuarded: _guarded, ...rest } = row;
  return rest;
}

/** The workspace's gateway account without its secrets, or null. */
export async function findProvider(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<WorkspaceSmsProvider | null> {
  const row = isId(workspaceId) ? await selectByWorkspace(context.db, workspaceId) : undefined;
  return row ? presentProvider(row) : null;
}

/** The account that waits for its test while the present one keeps sending, without its secrets; null: none. */
export async function findNextProvider(
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<WorkspaceSmsProvider | null> {
  const row = isId(workspaceId) ? await selectUnverified(context.db, workspaceId) : undefined;
  return row ? presentProvider(row) : null;
}

/** An account ready to send with, secrets opened. */
export interface LoadedSmsAccount {
  readonly account: SmsAccount;
  readonly verified: boolean;
}

/** The workspace's account, or null when none is set. With an unverified account only the test may send. */
export async function loadSmsAccount(
  context: Pick<Context, "db" | "sealer" | "config">,
  workspaceId: string,
): Promise<LoadedSmsAccount | null> {
  const row = await selectByWorkspace(context.db, workspaceId);
  return row ? { account: openAccount(context, row), verified: row.verifiedAt !== null } : null;
}

/** The account that a gateway's call names, or null. */
export async function smsAccountById(
  context: Pick<Context, "db" | "sealer" | "config">,
  providerId: string,
): Promise<SmsAccount | null> {
  const row = isId(providerId) ? await selectProviderById(context.db, providerId) : undefined;
  return row ? openAccount(context, row) : null;
}
