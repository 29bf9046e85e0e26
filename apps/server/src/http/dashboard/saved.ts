import { updateContact } from "../../contacts/record/update-contact.ts";
import { presentOwnView } from "../../inbox/desk-view.ts";
import { copySavedReplyFiles, savedReplyFiles } from "../../inbox/saved-reply-files.ts";
import { presentSavedReply } from "../../inbox/saved-reply.ts";
import {
  createSavedReply,
  deleteSavedReply,
  updateSavedReply,
} from "../../inbox/write-saved-reply.ts";
import { createView, deleteView, updateView } from "../../inbox/write-view.ts";
import { listMemberNotices, markNoticesRead } from "../../workspaces/member-notice.ts";
import { cardOf } from "./contact-card.ts";
import type { inbox } from "./contract/inbox.ts";
import type { Handlers } from "./handlers.ts";

type SavedFaces = Pick<
  typeof inbox,
  | "createSavedReply"
  | "updateSavedReply"
  | "deleteSavedReply"
  | "readSavedFiles"
  | "attachSavedFiles"
  | "createView"
  | "updateView"
  | "deleteView"
  | "listNotices"
  | "markNoticesRead"
  | "editContact"
>;

const presentSavedFile = ({
  id,
  fileName,
}: {
  readonly id: string;
  readonly fileName: string | null;
}) => ({ id, fileName });

/** What members keep beside conversations, what they are told, and the customer beside the thread. */
export const savedHandlers: Handlers<SavedFaces> = {
  createSavedReply: async (context, { caller, body }) =>
    presentSavedReply(await createSavedReply(caller.actor, context, caller.workspaceId, body)),
  updateSavedReply: async (context, { caller, params, body }) =>
    presentSavedReply(
      await updateSavedReply(caller.actor, context, caller.workspaceId, params.id, body),
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

  createView: async (context, { caller, body }) =>
    presentOwnView(await createView(caller.actor, context, caller.workspaceId, body)),
  updateView: async (context, { caller, params, body }) =>
    presentOwnView(await updateView(caller.actor, context, caller.workspaceId, params.id, body)),
  async deleteView(context, { caller, params }) {
    await deleteView(caller.actor, context, caller.workspaceId, params.id);
    return {};
  },

  async listNotices(context, { caller, query }) {
    const { notices, unread, nextCursor } = await listMemberNotices(context, caller, query);
    const items = notices.map(({ createdAt, readAt, ...notice }) => ({
      ...notice,
      at: createdAt.toISOString(),
      read: readAt !== null,
    }));
    return { items, unread, nextCursor };
  },
  markNoticesRead: async (context, { caller, body }) => ({
    unread: await markNoticesRead(caller.actor, context, caller.workspaceId, body.ids),
  }),

  async editContact(context, { caller, params, body }) {
    return cardOf(await updateContact(caller.actor, context, caller.workspaceId, params.id, body));
  },
};
