import { type Tx } from "../db/database.ts";
import { type Channel } from "../channels/channel.ts";
import { type Actor } from "../actor.ts";
import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import type { FailedOutcome } from "../channels/adapter.ts";
import { failChannel } from "../channels/fail-channel.ts";
import { findChannel } from "../channels/list-channels.ts";
import { loadAccounts } from "../channels/load-accounts.ts";
import { lockForSync, recordSync } from "../channels/platform-sync.ts";
import { templateSourceFor } from "../channels/registry.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { httpFor } from "../lib/check-address.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { countBodyVariables } from "./template.ts";
import { templateStatusEvent } from "./template-events.ts";
import { headerFormatOf } from "./template-needs.ts";
import { replaceTemplates } from "./template-store.ts";
import { write } from "../write.ts";

/** The result of a sync. `total` counts the listed templates, `changed` those that are new or whose status changed. */
export type SyncReport =
  | { readonly ok: true; readonly total: number; readonly changed: number }
  | { readonly ok: false; readonly code: string; readonly detail: string };

/**
 * Reads a channel's templates from its platform and stores them. New and changed ones are written, and missing ones are
 * marked DELETED. Every change of a status is a `template.status` event, but a channel's first sync announces nothing.
 * A list that cannot be read changes no template. The failure is stored on the channel, and refused credentials turn it
 * to `error`. `trouble` says what the setup just before could not do; it stays the channel's sync error although the
 * list was read. Throws NOT_FOUND, and NOT_ALLOWED_IN_STATE for a channel that is disconnected or whose type has no
 * templates.
 */
export const syncTemplates = write(
  "template.sync",
  async (
    actor,
    context: Pick<
      Context,
      "db" | "clock" | "ids" | "sealer" | "log" | "wake" | "providerHttp" | "guardedHttp"
    >,
    workspaceId: string,
    channelId: string,
    options: { readonly trouble?: string | null } = {},
  ): Promise<SyncReport> => {
    const channel = await findChannel(context, workspaceId, channelId);
    const account = (await loadAccounts(context, [{ workspaceId, channelId }])).get(channelId);
    const source = templateSourceFor(channel.type);
    if (account === undefined || source === null)
      throw new AppError("NOT_ALLOWED_IN_STATE", {
        explanation:
          source === null ? "this channel has no templates" : "the channel is not connected",
      });
    // A push that comes during the reading may be newer than the list.
    const begunAt = context.clock.now();
    const listed = await source.list(httpFor(context, account), account);
    if (!listed.ok) return reportFailure(actor, context, channel, begunAt, listed);
    const rows = listed.templates.map((one) => ({
      ...one,
      id: context.ids.next(),
      bodyVariableCount: countBodyVariables(one.components),
      headerFormat: headerFormatOf(one.components),
    }));
    const now = context.clock.now();
    const moves = await context.db.transaction(async (tx) => {
      await lockForSync(tx, workspaceId, channelId);
      await record(actor, context, tx, channel, null);
      const moved = await replaceTemplates(tx, workspaceId, channelId, rows, {
        readAt: begunAt,
        at: now,
      });
      // A channel in error keeps its reason, because only its setup can see that the error is over.
      const error = options.trouble ?? (channel.status === "error" ? channel.syncError : null);
      await recordSync(context, tx, workspaceId, channelId, { begunAt, error });
      if (channel.syncedAt !== null) {
        const events = moved.map((move) =>
          templateStatusEvent(workspaceId, channelId, move, null, now),
        );
        await emitEvents(context, tx, events);
      }
      return moved;
    });
    return { ok: true, total: rows.length, changed: moves.length };
  },
);

/** Writes the audit entry of a sync. Parley's own hourly syncs have none. */
async function record(
  actor: Actor,
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  { workspaceId, id }: Channel,
  errorCode: string | null,
): Promise<void> {
  if (actor.kind === "system") return;
  const entry: AuditEntry = { action: "template.synced", subject: id, facts: { errorCode } };
  await audit(actor, context, tx, workspaceId, entry);
}

async function reportFailure(
  actor: Actor,
  context: Pick<Context, "db" | "clock" | "ids" | "log" | "wake">,
  channel: Channel,
  begunAt: Date,
  failure: FailedOutcome,
): Promise<SyncReport> {
  const { workspaceId, id: channelId } = channel;
  const { reason, code, detail } = failure;
  context.log.warn({ workspaceId, channelId, reason, code }, "templates could not be read");
  await context.db.transaction(async (tx) => {
    await record(actor, context, tx, channel, code);
    await recordSync(context, tx, workspaceId, channelId, { begunAt, error: `${code}: ${detail}` });
    if (reason === "misconfigured")
      await emitEvents(
        context,
        tx,
        await failChannel(context, tx, workspaceId, channelId, { code, detail }),
      );
  });
  return { ok: false, code, detail };
}
