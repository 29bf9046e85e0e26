import { SYSTEM, type Actor } from "../actor.ts";
import { listKeys } from "../api-keys/list-keys.ts";
import { revokeKey } from "../api-keys/revoke-key.ts";
import { disconnectChannel } from "../channels/disconnect-channel.ts";
import { listChannels } from "../channels/list-channels.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { forgetLoginsBut } from "../logins/login.ts";
import { removeAllMedia } from "../media/remove-all-media.ts";
import { disableEndpoint } from "../webhooks/disable-endpoint.ts";
import { listEndpoints } from "../webhooks/list-endpoints.ts";
import { deleteWorkspaceRow } from "../workspaces/delete-workspace-row.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { updateWorkspace } from "../workspaces/update-workspace.ts";
import { loginsOfMembers } from "../workspaces/workspace-sql.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { deleteSome, listWorkspaceTables } from "./removal-store.ts";

/** Rows that one statement deletes. It takes some tens of milliseconds, so that other workspaces hardly notice. */
const BATCH = 5_000;
/** A worker that was busy for the workspace may store a last row. After that round nothing is left to do for it. */
const ROUNDS = 20;

/** How far a deletion is. */
export interface RemovalProgress {
  readonly step: "closing" | "files" | "rows";
  /** Files or rows deleted so far in this step. */
  readonly done: number;
}

export interface Removed {
  readonly id: string;
  readonly name: string;
  readonly files: number;
  readonly rows: number;
}

/**
 * Deletes a workspace with everything in it, for good. First it is closed: it is suspended, its keys are revoked, its
 * endpoints disabled, and its channels disconnected at the platforms. Then its files and its rows are deleted in
 * batches. When a deletion broke off, calling this again resumes it. Until the end its audit names the actor that began
 * it. `name` must be the workspace's name, as a person typed it. Throws NOT_FOUND, and VALIDATION_FAILED for another
 * name.
 */
export const deleteWorkspace = write(
  "workspace.delete",
  async (
    actor,
    context: Context,
    workspaceId: string,
    name: string,
    told: (progress: RemovalProgress) => void = () => {},
  ): Promise<Removed> => {
    const workspace = await findWorkspace(context, workspaceId);
    if (!workspace)
      throw new AppError("NOT_FOUND", { explanation: `there is no workspace ${workspaceId}` });
    if (name.trim() !== workspace.name)
      throw invalid("name", `is not the name of this workspace, which is "${workspace.name}"`);
    told({ step: "closing", done: 0 });
    await close(actor, context, workspaceId);
    const files = await removeAllMedia(context, workspaceId, (done) =>
      told({ step: "files", done }),
    );
    const rows = await deleteWorkspaceRows(context, workspaceId, (done) =>
      told({ step: "rows", done }),
    );
    return { id: workspaceId, name: workspace.name, files, rows };
  },
);

async function close(actor: Actor, context: Context, workspaceId: string): Promise<void> {
  await context.db.transaction((tx) =>
    audit(actor, context, tx, workspaceId, {
      action: "workspace.deletion_started",
      subject: workspaceId,
    }),
  );
  // Done by the system: an owner may delete a workspace but not suspend one.
  await updateWorkspace(SYSTEM, context, workspaceId, { suspended: true });
  for (const { id, revokedAt } of await listKeys(context, workspaceId))
    if (revokedAt === null) await revokeKey(actor, context, workspaceId, id);
  for (const { id } of await listEndpoints(context, workspaceId))
    await disableEndpoint(actor, context, workspaceId, id);
  for (const { id, status } of await listChannels(context, workspaceId))
    if (status !== "disconnected") await disconnectChannel(actor, context, workspaceId, id);
}

/**
 * Deletes every row of the workspace and the workspace itself, in batches, table by table. Gives the number of rows.
 * Only for code that creates and deletes workspaces of its own (the demo). People use `deleteWorkspace`, which closes
 * the workspace first.
 */
export async function deleteWorkspaceRows(
  context: Pick<Context, "db">,
  workspaceId: string,
  told: (deleted: number) => void = () => {},
): Promise<number> {
  const { db } = context;
  const tables = await listWorkspaceTables(db);
  let deleted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const table of tables)
      for (let gone = BATCH; gone === BATCH; told(deleted))
        deleted += gone = await deleteSome(db, table, workspaceId, BATCH);
    if (await deleteWorkspaceRow(db, workspaceId)) {
      await forgetLoginsBut(context, loginsOfMembers);
      return deleted;
    }
  }
  throw new Error("new rows keep coming into the workspace; stop the server and try again");
}
