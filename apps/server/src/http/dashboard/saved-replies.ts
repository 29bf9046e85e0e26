import { copySavedReplyFiles, savedReplyFiles } from "../../inbox/saved-reply-files.ts";
import { presentSavedReply, type SavedReply } from "../../inbox/saved-reply.ts";
import {
  createSavedReply,
  deleteSavedReply,
  updateSavedReply,
} from "../../inbox/write-saved-reply.ts";
import { withTag } from "../../lib/version-tag.ts";
import type { inbox } from "./contract/inbox.ts";
import type { Handlers } from "./handlers.ts";

type SavedReplyFaces = Pick<
  typeof inbox,
  | "createSavedReply"
  | "updateSavedReply"
  | "deleteSavedReply"
  | "readSavedFiles"
  | "attachSavedFiles"
>;

const presentSavedFile = ({
  id,
  fileName,
}: {
  readonly id: string;
  readonly fileName: string | null;
}) => ({ id, fileName });

const shown = (reply: SavedReply) => withTag(presentSavedReply(reply));

/** Saved replies of members, with their files. */
export const savedReplyHandlers: Handlers<SavedReplyFaces> = {
  createSavedReply: async (context, { caller, body }) =>
    shown(await createSavedReply(caller.actor, context, caller.workspaceId, body)),
  updateSavedReply: async (context, { caller, params, body, match }) =>
    shown(
      await updateSavedReply(
        caller.actor,
        context,
        caller.workspaceId,
        params.id,
        body,
        (current) => match(presentSavedReply(current)),
      ),
    ),
  async deleteSavedReply(context, { caller, params }) {
    await deleteSavedReply(caller.actor, context, caller.workspaceId, params.id);
    return {};
  },

  readSavedFiles: async (context, { caller, params }) => ({
    files: (await savedReplyFiles(context, caller, params.id)).map(presentSavedFile),
  }),
  attachSavedFiles: async (context, { caller, params }) => ({
    files: (await copySavedReplyFiles(caller.actor, context, caller.workspaceId, params.id)).map(
      presentSavedFile,
    ),
  }),
};
