import type { Context } from "../../context.ts";
import { readingFrom } from "../../db/database.ts";
import { changeConversations } from "../../conversations/change-conversations.ts";
import { markSeen } from "../../desk/mark-seen.ts";
import { deskRow, listDesk } from "../../desk/read-desk.ts";
import { AppError, invalid } from "../../errors.ts";
import { countViews } from "../../inbox/count-views.ts";
import { viewsOf } from "../../inbox/write-view.ts";
import { markRead } from "../../messages/record/mark-read.ts";
import type { inbox } from "./contract/inbox.ts";
import { termsOf, type ViewTerms } from "../../wire/in-view.ts";
import type { Handlers } from "./handlers.ts";
import type { MemberCaller } from "./member-door.ts";
import { addDrafts } from "./add-drafts.ts";

const PAGE = 50;

type DeskFaces = Pick<
  typeof inbox,
  "listConversations" | "countViews" | "changeConversations" | "markSeen" | "markReadForAll"
>;

/** The list of conversations, and what members do with them there. */
export const deskHandlers: Handlers<DeskFaces> = {
  async listConversations(context, { caller, query }) {
    const { view, sort = "newest", unread, cursor, limit = PAGE } = query;
    const terms = await readView(context, caller, view);
    const list = { terms, order: sort, unread: unread === "1", cursor, limit };
    const db = readingFrom(context.db);
    const page = await listDesk({ db, clock: context.clock }, caller, list);
    const ids = page.rows.map(({ id }) => id);
    return { ...page, mine: await addDrafts({ db }, caller, ids, page.mine) };
  },

  async countViews(context, { caller: { workspaceId, memberId } }) {
    return (await countViews(context, workspaceId, [memberId])).get(memberId) ?? {};
  },

  async changeConversations(context, { caller, body }) {
    const { which, until, ...patch } = body;
    if ((which.ids === undefined) === (which.view === undefined))
      throw invalid("which", "must name either ids or a view");
    if ((patch.status === "snoozed") !== (until !== undefined))
      throw invalid("until", "must be given with the status snoozed, and only with it");
    const end = until === undefined ? undefined : new Date(until);
    if (end && !(end > context.clock.now())) throw invalid("until", "must be in the future");
    const chosen = which.ids
      ? { ids: which.ids }
      : {
          terms: await readView(context, caller, which.view ?? ""),
          unread: which.unread === true,
        };
    return changeConversations(caller.actor, context, caller, chosen, {
      ...patch,
      ...(end && { until: end }),
    });
  },

  async markSeen(context, { caller, params, body }) {
    const { workspaceId } = caller;
    const seen = await markSeen(caller.actor, context, workspaceId, params.id, body.seen);
    const [mine = seen] = await addDrafts(context, caller, [params.id], [seen]);
    return mine;
  },

  async markReadForAll(context, { caller, params }) {
    const id = params.id;
    await markRead(caller.actor, context, caller.workspaceId, id);
    const row = await deskRow(context.db, caller.workspaceId, id);
    if (!row)
      throw new AppError("NOT_FOUND", { explanation: "the inbox has no such conversation" });
    return row;
  },
};

/** The meaning of a view's address. Throws NOT_FOUND. */
async function readView(
  context: Pick<Context, "db">,
  { workspaceId, memberId }: Pick<MemberCaller, "workspaceId" | "memberId">,
  view: string,
): Promise<ViewTerms> {
  const own = view.startsWith("view-") ? await viewsOf(context.db, workspaceId, memberId) : [];
  const terms = termsOf(view, own);
  if (!terms) throw new AppError("NOT_FOUND", { explanation: "no such view" });
  return terms;
}
