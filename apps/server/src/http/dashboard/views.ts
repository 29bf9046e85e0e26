import { presentOwnView } from "../../inbox/desk-view.ts";
import { createView, deleteView, updateView } from "../../inbox/write-view.ts";
import type { inbox } from "./contract/inbox.ts";
import type { Handlers } from "./handlers.ts";

/** Views of the inbox that members make. */
export const viewHandlers: Handlers<
  Pick<typeof inbox, "createView" | "updateView" | "deleteView">
> = {
  createView: async (context, { caller, body }) =>
    presentOwnView(await createView(caller.actor, context, caller.workspaceId, body)),
  updateView: async (context, { caller, params, body }) =>
    presentOwnView(await updateView(caller.actor, context, caller.workspaceId, params.id, body)),
  async deleteView(context, { caller, params }) {
    await deleteView(caller.actor, context, caller.workspaceId, params.id);
    return {};
  },
};
