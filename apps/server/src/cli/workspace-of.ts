import type { Context } from "../context.ts";
import { workspaceOfBot } from "../bots/record/live-bot.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { workspaceOfBroadcast } from "../broadcasts/record/find-broadcast.ts";
import { workspaceOfChannel } from "../channels/list-channels.ts";
import { workspaceOfMessage } from "../messages/record/find-message.ts";
import { workspaceOfConversation } from "../conversations/find-conversation.ts";

const FINDERS = {
  bot: workspaceOfBot,
  broadcast: workspaceOfBroadcast,
  conversation: workspaceOfConversation,
  channel: workspaceOfChannel,
  message: workspaceOfMessage,
};

/**
 * The workspace of a record that the operator names by its id alone. The one read that is not by workspace: it is only
 * for the command line and cannot be reached by a request. Throws NOT_FOUND.
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

/**
 * Gives the id back when the workspace exists. Otherwise a mistyped id would look like an empty workspace. Throws
 * NOT_FOUND.
 */
export async function existing(context: Pick<Context, "db">, workspaceId: string): Promise<string> {
  if (!(await findWorkspace(context, workspaceId)))
    throw new AppError("NOT_FOUND", { explanation: `there is no workspace ${workspaceId}` });
  return workspaceId;
}
