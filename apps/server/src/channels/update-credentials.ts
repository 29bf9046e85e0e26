import { audit } from "../workspaces/write-audit.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isGuarded } from "../lib/check-address.ts";
import { isId } from "../lib/ids.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { accountFields, checkReplacement } from "./account-form.ts";
import { openAccountSecrets, sealSecrets } from "./account-secrets.ts";
import type { Channel } from "./channel.ts";
import { channelStatusEvent } from "./channel-events.ts";
import { selectChannel, upsertChannel, withoutSecrets } from "./channel-store.ts";
import { replaceLogo } from "./web-logo-store.ts";
import type { WebLogo } from "./web-logo.ts";
import { checkReachable } from "../workspaces/test-workspace.ts";
import { write } from "../write.ts";
import type { Actor } from "../actor.ts";
import type { ChannelType } from "../wire/words.ts";

/** The values that can be replaced on a connected channel. A value that is left out stays; an empty one is removed. */
export type CredentialChanges = Readonly<
  Partial<
    Record<
      | "name"
      | "accessToken"
      | "appSecret"
      | "verifyToken"
      | "wabaId"
      | "botToken"
      | "secretToken"
      | "polling"
      | "appId"
      | "refreshToken"
      | "allowedOrigins"
      | "title"
      | "logo"
      | "ask"
      | "askWhen"
      | "greeting"
      | "color"
      | "position"
      | "locale"
      | "maxFileBytes"
      | "identitySecret"
      | "tokenVersion"
      | "apiUrl",
      string
    >
  >
>;

/**
 * Replaces credentials of a channel (a new access token, for example) and takes it out of `error`. Without a
 * change it only does the latter, after a fault was cured at the platform. Emits `channel.status` when the status
 * changed. Errors: VALIDATION_FAILED by field, NOT_FOUND, NOT_ALLOWED_IN_STATE when it is disconnected.
 */
export const updateCredentials = write(
  "channel.update",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids" | "sealer" | "wake" | "config" | "operator">,
    workspaceId: string,
    channelId: string,
    changes: CredentialChanges,
    /** The picture that the setting `logo` names from now on; null: none. */
    logo?: WebLogo | null,
  ): Promise<Channel> => {
    const missing = () => new AppError("NOT_FOUND", { explanation: "no such channel" });
    if (!isId(workspaceId) || !isId(channelId)) throw missing();
    const now = context.clock.now();
    const apiUrlGuarded = await isGuarded(context, changes.apiUrl?.trim() ?? null);
    return context.db.transaction(async (tx) => {
      const row = await selectChannel(tx, workspaceId, channelId, "for update");
      if (row === null) throw missing();
      if (row.status === "disconnected")
        throw new AppError("NOT_ALLOWED_IN_STATE", {
          explanation: "the channel is disconnected; connect the account again",
        });
      const checked = checkReplacement(row, changes);
      const apiUrl = checked.apiUrl === undefined ? row.apiUrl : checked.apiUrl;
      if (apiUrl !== row.apiUrl) {
        checkSecretsGiven(actor, row.type, changes);
        // Another address than the emulator's would reach people.
        if (actor.kind !== "operator" && actor.kind !== "system")
          await checkReachable(tx, workspaceId, false);
      }
      const kept = (before: Readonly<Record<string, string>>) =>
        Object.fromEntries(
          Object.entries(before).filter(([field]) => !checked.cleared.includes(field)),
        );
      const secrets = {
        ...kept(openAccountSecrets(context.sealer, workspaceId, channelId, row.secretsSealed)),
        ...checked.secrets,
      };
      const written = await upsertChannel(tx, {
        workspaceId,
        id: channelId,
        type: row.type,
        name: checked.name ?? row.name,
        externalId: row.externalId,
        apiUrl,
        apiUrlGuarded: checked.apiUrl === undefined ? row.apiUrlGuarded : apiUrlGuarded,
        settings: { ...kept(row.settings), ...checked.settings },
        secretsSealed: sealSecrets(context.sealer, workspaceId, channelId, secrets),
        sandbox: row.sandbox,
        syncDueAt: checked.synced ? now : null,
        at: now,
      });
      const channel = withoutSecrets(written);
      if (logo !== undefined) await replaceLogo(tx, workspaceId, channelId, logo);
      await audit(actor, context, tx, workspaceId, {
        action: "channel.updated",
        subject: channelId,
        facts: { changed: Object.keys(changes) },
      });
      tx.afterCommit(() => context.wake.nudge("housekeeping"));
      if (row.status !== "connected")
        await emitEvents(context, tx, [channelStatusEvent(channel, row.status, now)]);
      return channel;
    });
  },
);

/**
 * Secrets must be given again for another address. Otherwise an admin could read secrets, which are shown to
 * nobody, by having them sent to a server of their own.
 */
export function checkSecretsGiven(
  actor: Actor,
  type: ChannelType,
  changes: CredentialChanges,
): void {
  if (actor.kind === "operator" || actor.kind === "system") return;
  const given: Readonly<Record<string, string | undefined>> = changes;
  const missing = accountFields(type).find(
    ({ name, secret, required }) => secret && required && (given[name] ?? "") === "",
  );
  if (missing) throw invalid(missing.name, "is required with another address");
}
