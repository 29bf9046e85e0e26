import { presentOwnView, type OwnView } from "../../inbox/desk-view.ts";
import { createView, deleteView, updateView } from "../../inbox/write-view.ts";
import { withTag } from "../../lib/version-tag.ts";
import type { inbox } from "./contract/inbox.ts";
import type { Handlers } from "./handlers.ts";

const shown = (view: OwnView) => withTag(presentOwnView(view));

/** Views of the inbox that members make. */
export const viewHandlers: Handlers<
  Pick<typeof inbox, "createView" | "updateView" | "deleteView">
> = {
  createView: async (context, { caller, body }) =>
    shown(await createView(caller.actor, context, caller.workspaceId, body)),
  updateView: async (context, { caller, params, body, match }) =>
    shown(
      await updateView(caller.actor, context, caller.workspaceId, params.id, body, (current) =>
        match(presentOwnView(current)),
      ),
    ),
  async deleteView(context, { caller, params }) {
    await deleteView(caller.actor, context, caller.workspaceId, params.id);
    return {};
  },
};
