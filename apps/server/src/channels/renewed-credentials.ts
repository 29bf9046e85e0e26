import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Context } from "../context.ts";
import type { RefreshedCredentials } from "./adapter.ts";

/** New secrets from a platform, and the secrets that they replace. */
export interface Renewed {
  readonly ok: true;
  readonly secrets: RefreshedCredentials["secrets"];
  readonly expiresInMs: number | null;
  readonly used: Readonly<Record<string, string>>;
  readonly at: Date;
}

interface Key {
  readonly workspaceId: string;
  readonly channelId: string;
}
type KeepContext = Pick<Context, "config" | "sealer">;

const folderOf = ({ config }: KeepContext) => path.join(config.dataDir, "renewed-credentials");
const fileOf = (context: KeepContext, { channelId }: Key) =>
  path.join(folderOf(context), channelId);
const placeOf = ({ workspaceId, channelId }: Key) => `renewed:${workspaceId}:${channelId}`;

/**
 * Writes them, sealed, to the data folder until the database has them. A platform that replaces the refresh token
 * at each use (TikTok) gives it once: if a process died, or the database was gone, at that moment, only a person
 * could get a new one. The file is complete on the disk, or not there at all.
 */
export async function writeRenewed(
  context: KeepContext,
  key: Key,
  renewed: Renewed,
): Promise<void> {
  await mkdir(folderOf(context), { recursive: true, mode: 0o700 });
  const file = fileOf(context, key);
  const handle = await open(`${file}.part`, "w", 0o600);
  try {
    await handle.writeFile(context.sealer.seal(JSON.stringify(renewed), placeOf(key)));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.part`, file);
}

/** What an earlier try could not store in the database, or null. A file of another master key cannot be read. */
export async function readRenewed(context: KeepContext, key: Key): Promise<Renewed | null> {
  try {
    const sealed = await readFile(fileOf(context, key));
    const renewed = JSON.parse(context.sealer.open(sealed, placeOf(key))) as Renewed;
    return { ...renewed, at: new Date(renewed.at) };
  } catch {
    return null;
  }
}

/** Called once the database has them, or nobody wants them any more. */
export async function dropRenewed(context: KeepContext, key: Key): Promise<void> {
  await rm(fileOf(context, key), { force: true });
}
