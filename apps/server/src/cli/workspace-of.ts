import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { workspaceOfBroadcast } from "../broadcasts/record/find-broadcast.ts";
import { workspaceOfChannel } from "../channels/list-channels.ts";
import { workspaceOfConversation } from "../conversations/find-conversation.ts";

const FINDERS = {
  broadcast: workspaceOfBroadcast,
  conversation: workspaceOfConversation,
  channel: workspaceOfChannel,
};

/**
 * The workspace of a record that the operator names by its id alone. The one read that is not scoped by workspace:
 * it is for the command line and never reachable from a request. Throws NOT_FOUND.
 */
export async function workspaceOf(
  context: Pick<Context, "db">,
  noun: keyof typeof FINDERS,
  id: string,
): Promise<string> {
  const found = isId(id) ? await FINDERS[noun](context.db, id) : undefined;
  if (found === undefined)
    throw new AppError("NOT_FOUND", { explanation: `there is no ${noun} ${id}` });
  return found;
}

/** Gives the id back when there is such a workspace: a mistyped one must not read as an empty one. Throws NOT_FOUND. */
export async function existing(context: Pick<Context, "db">, workspaceId: string): Promise<string> {
  if (!(await findWorkspace(context, workspaceId)))
    throw new AppError("NOT_FOUND", { explanation: `there is no workspace ${workspaceId}` });
  return workspaceId;
}
