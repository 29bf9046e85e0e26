import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** A file of a message. */
export interface FileOfMessage {
  readonly workspaceId: string;
  readonly messageId: string;
  /** The file's id. */
  readonly id: string;
}

/** Locks the message, so that only one transaction at a time writes its attachments. */
export async function lockMessage(
  tx: Tx,
  { workspaceId, messageId }: Omit<FileOfMessage, "id">,
): Promise<void> {
  await tx.query(sql`
    select 1 from message where workspace_id = ${workspaceId} and id = ${messageId} for no key update`);
}

/** Writes facts of a file into the `attachments` of its message. Writes nothing when they no longer name the file. */
export async function patchAttachment(
  tx: Tx,
  file: FileOfMessage,
  patch: Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.query(sql`
    update message m set attachments = (
      select jsonb_agg(case when a.value ->> 'mediaId' = ${file.id}::text then a.value || ${JSON.stringify(patch)}::jsonb
        else a.value end order by a.ordinality)
      from jsonb_array_elements(m.attachments) with ordinality a)
    where m.workspace_id = ${file.workspaceId} and m.id = ${file.messageId}
      and m.attachments @> jsonb_build_array(jsonb_build_object('mediaId', ${file.id}::text))`);
}

/** Locks these messages, so that only one transaction at a time writes their attachments. */
export async function lockAttachments(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.query(sql`
    select 1 from message where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    order by id for no key update`);
}

/** Writes that these files were deleted, and why, into the `attachments` of their messages. */
export async function markFiles(
  tx: Tx,
  workspaceId: string,
  messageIds: readonly string[],
  fileIds: readonly string[],
  reason: string,
): Promise<void> {
  const patch = JSON.stringify({ status: "failed", reason, fileName: null });
  await tx.query(sql`
    update message m set attachments = (
      select jsonb_agg(case when a.value ->> 'mediaId' = any(${fileIds}::text[]) then a.value || ${patch}::jsonb
        else a.value end order by a.ordinality)
      from jsonb_array_elements(m.attachments) with ordinality a)
    where m.workspace_id = ${workspaceId} and m.id = any(${messageIds}::uuid[])
      and jsonb_array_length(m.attachments) > 0`);
}
