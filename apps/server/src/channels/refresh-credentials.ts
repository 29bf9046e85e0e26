import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { httpFor } from "../lib/check-address.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { notifyAdmins } from "../workspaces/notify-admins.ts";
import { openAccountSecrets, sealSecrets } from "./account-secrets.ts";
import type { ChannelAccount, ChannelAdapter, FailedOutcome } from "./adapter.ts";
import { channelStatusEvent } from "./channel-events.ts";
import { moveStatus, replaceSecrets, selectChannel, type ChannelRow } from "./channel-store.ts";
import { loadAccounts } from "./load-accounts.ts";
import { adapterFor } from "./registry.ts";
import { dropRenewed, writeRenewed, readRenewed, type Renewed } from "./renewed-credentials.ts";
import { selectSecretTimes, writeSecretTimes, type SecretTimes } from "./secret-times-store.ts";
import { describeForLog } from "../db/describe-for-log.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long before their end an outage of the platform concerns the admins too; for a short life, the last quarter. */
const LATE = 7 * DAY;

type RefreshContext = Pick<
  Context,
  "db" | "clock" | "ids" | "sealer" | "log" | "wake" | "providerHttp" | "guardedHttp" | "config"
>;

/**
 * Renews the credentials of a channel whose platform lets them end (Instagram login, TikTok), when that is due: as
 * soon as the platform allows after they were given, then each time half of their time is over. New secrets
 * replace the old ones, sealed, unless somebody replaced those meanwhile. A channel that failed because they had
 * ended works again. The platform's answer is on the disk before it goes into the database, so that neither a
 * crash nor an unreachable database loses it (a used refresh token is worth nothing). When the platform refuses,
 * or cannot be reached in the last seven days, the admins are told once per credentials. It is tried again every
 * day, in an outage every hour. Called by the hourly sync, which keeps other processes away. Never throws because
 * of the platform.
 */
export async function refreshCredentials(
  context: RefreshContext,
  workspaceId: string,
  channelId: string,
): Promise<void> {
  const before = await selectChannel(context.db, workspaceId, channelId);
  // An emulated account never needs a new authorisation.
  if (before?.sandbox) return;
  const adapter = before === null ? null : adapterFor(before.type);
  if (before === null || adapter?.refreshCredentials === undefined) return;
  const times = await selectSecretTimes(context.db, workspaceId, channelId);
  const key = { workspaceId, channelId };
  const kept = await readRenewed(context, key);
  const asked = context.clock.now();
  if (times === null) return;
  if (kept === null && asked < dueAt(times, adapter.refreshAfterMs ?? 0)) return;
  const account = (await loadAccounts(context, [key])).get(channelId);
  if (account === undefined) return;
  const outcome = kept ?? (await ask(context, account, adapter));
  if (outcome === null) return;
  if (!outcome.ok)
    context.log.warn({ workspaceId, channelId, code: outcome.code }, "credentials not renewed");
  await context.db.transaction(async (tx) => {
    const row = await selectChannel(tx, workspaceId, channelId, "for update");
    // Disconnected, or given other credentials, while the platform was asked.
    if (row === null || row.status === "disconnected") return;
    const held = openAccountSecrets(context.sealer, workspaceId, channelId, row.secretsSealed);
    if (outcome.ok) {
      if (!stillHeld(held, outcome.used, Object.keys(outcome.secrets))) return;
      await emitEvents(context, tx, await keepSecrets(context, tx, row, times, held, outcome));
    } else if (stillHeld(held, account.secrets, Object.keys(account.secrets)))
      await keepFailure(context, tx, row, times, outcome);
  });
  if (outcome.ok) await dropRenewed(context, key);
}

/** Asks the platform, and stores its answer where neither a crash nor an unreachable database loses it. */
async function ask(
  context: RefreshContext,
  account: ChannelAccount,
  adapter: ChannelAdapter,
): Promise<Renewed | FailedOutcome | null> {
  const outcome = await adapter.refreshCredentials?.(httpFor(context, account), account);
  if (!outcome?.ok) return outcome ?? null;
  const { workspaceId, channelId, secrets: used } = account;
  const renewed = { ...outcome, used, at: context.clock.now() };
  await writeRenewed(context, account, renewed).catch((error: unknown) => {
    const facts = { workspaceId, channelId, ...describeForLog(error) };
    context.log.warn(facts, "new credentials could not be kept in the data folder");
  });
  return renewed;
}

/** Whether nobody replaced these meanwhile. A change of only the name seals the same secrets anew. */
const stillHeld = (
  held: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
  names: readonly string[],
): boolean => names.every((name) => held[name] === before[name]);

const dueAt = (times: SecretTimes, refreshAfterMs: number): Date =>
  times.dueAt ?? new Date((times.since?.getTime() ?? 0) + refreshAfterMs);

async function keepSecrets(
  context: Pick<Context, "clock" | "sealer">,
  tx: Tx,
  row: ChannelRow,
  times: SecretTimes,
  held: Readonly<Record<string, string>>,
  { secrets, expiresInMs, at }: Renewed,
): Promise<NewEvent[]> {
  const { workspaceId, id } = row;
  const now = context.clock.now();
  const after = (ms: number) => new Date(at.getTime() + ms);
  const sealed = sealSecrets(context.sealer, workspaceId, id, { ...held, ...secrets });
  await replaceSecrets(tx, workspaceId, id, sealed);
  await writeSecretTimes(tx, workspaceId, id, {
    since: at,
    endAt: expiresInMs === null ? null : after(expiresInMs),
    // Credentials without an end are checked again, because platforms change their minds.
    dueAt: after(expiresInMs === null ? 30 * DAY : expiresInMs / 2),
  });
  const hadEnded = times.endAt !== null && times.endAt <= now;
  if (row.status !== "error" || !hadEnded) return [];
  const moved = await moveStatus(tx, workspaceId, id, ["error"], "connected", null);
  return moved === null ? [] : [channelStatusEvent(moved, "error", now)];
}

async function keepFailure(
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  row: ChannelRow,
  times: SecretTimes,
  failure: FailedOutcome,
): Promise<void> {
  const { workspaceId, id, name } = row;
  const now = context.clock.now();
  const lasting = failure.reason === "misconfigured" || failure.reason === "rejected";
  const retryAt = new Date(now.getTime() + (lasting ? DAY : HOUR));
  await writeSecretTimes(tx, workspaceId, id, { ...times, dueAt: retryAt });
  const life = (times.endAt?.getTime() ?? 0) - (times.since?.getTime() ?? 0);
  const late = Math.min(LATE, life / 4);
  const isLate = times.endAt !== null && times.endAt.getTime() - now.getTime() < late;
  if (!lasting && !isLate) return;
  const end = times.endAt === null ? "soon" : `on ${times.endAt.toISOString().slice(0, 10)}`;
  await notifyAdmins(context, tx, workspaceId, {
    kind: "channel.credentials",
    subject: `Channel ${name} needs a new access token`,
    body:
      `The access token of channel ${name} could not be renewed (${failure.code}: ${failure.detail}). ` +
      `It ends ${end}; replace it before that, or nothing can be sent and received on the channel any more.`,
    dedupe: `channel.credentials:${id}:${times.since?.toISOString() ?? "first"}`,
  });
}
