import type { Actor } from "../actor.ts";
import { isGuarded } from "../lib/check-address.ts";
import { permit } from "../policies.ts";
import { checkReplacement } from "./account-form.ts";
import type { Channel } from "./channel.ts";
import { checkAtPlatform } from "./check-at-platform.ts";
import { findChannel } from "./list-channels.ts";
import { loadAccounts } from "./load-accounts.ts";
import { setUpChannel } from "./set-up-channel.ts";
import {
  checkSecretsGiven,
  updateCredentials,
  type CredentialChanges,
} from "./update-credentials.ts";

/**
 * Replaces values of a channel as `updateCredentials` does, after asking its platform about them, and sets it up
 * anew. This is what a person calls. A value that the platform refuses is VALIDATION_FAILED under its name, and
 * nothing changes. Other errors: as `updateCredentials`.
 */
export async function changeAccount(
  actor: Actor,
  context: Parameters<typeof updateCredentials>[1] & Parameters<typeof setUpChannel>[0],
  workspaceId: string,
  channelId: string,
  changes: CredentialChanges,
): Promise<Channel> {
  permit(actor, "channel.update");
  const before = await findChannel(context, workspaceId, channelId);
  const account = (await loadAccounts(context, [{ workspaceId, channelId }])).get(channelId);
  const checked = checkReplacement(before, changes);
  const moved = checked.apiUrl !== undefined && checked.apiUrl !== before.apiUrl;
  if (moved) checkSecretsGiven(actor, before.type, changes);
  const named = Object.keys(changes).some((name) => name !== "name");
  if (account !== undefined && named)
    await checkAtPlatform(context, {
      ...account,
      ...(moved && {
        apiUrl: checked.apiUrl ?? null,
        guarded: await isGuarded(context, checked.apiUrl ?? null),
      }),
      settings: { ...account.settings, ...checked.settings },
      secrets: { ...account.secrets, ...checked.secrets },
    });
  const channel = await updateCredentials(actor, context, workspaceId, channelId, changes);
  if (!named) return channel;
  return setUpChannel(context, workspaceId, channelId, { takeOver: true });
}
