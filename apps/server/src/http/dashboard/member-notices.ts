import { listMemberNotices, markNoticesRead } from "../../workspaces/member-notice.ts";
import type { inbox } from "./contract/inbox.ts";
import type { Handlers } from "./handlers.ts";

/** A member's own notices: mentions, assignments, what failed. */
export const memberNoticeHandlers: Handlers<Pick<typeof inbox, "listNotices" | "markNoticesRead">> =
  {
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
  };
