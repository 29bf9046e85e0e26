import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { WebLogo } from "./web-logo.ts";

/** The channel's logo with that digest. A former digest finds nothing. */
export async function selectLogo(
  db: Queryable,
  workspaceId: string,
  channelId: string,
  digest: string,
): Promise<WebLogo | null> {
  const [row] = await db.query<WebLogo>(sql`
    select digest, mime_type as "mimeType", bytes from chat_logo
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and digest = ${digest}`);
  return row ?? null;
}

/** Puts the picture in the place of the former one; null: there is none any more. */
export async function replaceLogo(
  tx: Tx,
  workspaceId: string,
  channelId: string,
  logo: WebLogo | null,
): Promise<void> {
  if (logo === null) {
    await tx.query(sql`
      delete from chat_logo where workspace_id = ${workspaceId} and channel_id = ${channelId}`);
    return;
  }
  const { digest, mimeType, bytes } = logo;
  await tx.query(sql`
    insert into chat_logo (workspace_id, channel_id, digest, mime_type, bytes)
    values (${workspaceId}, ${channelId}, ${digest}, ${mimeType}, ${bytes})
    on conflict (workspace_id, channel_id) do update
    set digest = excluded.digest, mime_type = excluded.mime_type, bytes = excluded.bytes`);
}
