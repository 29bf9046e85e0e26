import type { Sealer } from "../lib/seal.ts";

export const accountPlace = (workspaceId: string, channelId: string): string =>
  `channel:${workspaceId}:${channelId}`;

/** Encrypts an account's secrets for this one channel: in another row they do not open. */
export function sealSecrets(
  sealer: Sealer,
  workspaceId: string,
  channelId: string,
  secrets: Readonly<Record<string, string>>,
): Buffer {
  return sealer.seal(JSON.stringify(secrets), accountPlace(workspaceId, channelId));
}

/** Throws when the master key is another one or the bytes come from another channel. */
export function openAccountSecrets(
  sealer: Sealer,
  workspaceId: string,
  channelId: string,
  sealed: Buffer,
): Record<string, string> {
  return JSON.parse(sealer.open(sealed, accountPlace(workspaceId, channelId))) as Record<
    string,
    string
  >;
}
