import { listKeys } from "../../api-keys/list-keys.ts";
import { pageAudit } from "../../workspaces/list-audit.ts";
import { listMembers } from "../../workspaces/list-members.ts";
import { listNotices } from "../../workspaces/list-notices.ts";
import { namesInAudit } from "./audit-names.ts";
import type { keys } from "./contract/keys.ts";
import type { Handlers } from "./handlers.ts";

const PAGE = 50;

/** The audit log of a workspace, and the notices to its admins. */
export const auditHandlers: Handlers<Pick<typeof keys, "listAudit" | "listAdminNotices">> = {
  async listAudit(context, { caller: { actor, workspaceId }, query }) {
    const { cursor, since, ...rest } = query;
    const filter = { ...rest, ...(since !== undefined && { since: new Date(since) }) };
    const [page, members, known] = await Promise.all([
      pageAudit(actor, context, workspaceId, filter, { cursor, limit: PAGE }),
      listMembers(context.db, workspaceId),
      listKeys(context, workspaceId),
    ]);
    const actors = new Map<string, string>([
      ...members.map(({ id, name }) => [`member:${id}`, name] as const),
      ...known.map(({ id, name }) => [`key:${id}`, name] as const),
    ]);
    const named = await namesInAudit(context, workspaceId, page.entries);
    const keyNames = known.map(({ id, name }) => ({ id, kind: "api_key" as const, name }));
    return {
      items: page.entries.map(({ id, actor: by, action, subject, facts, createdAt }) => ({
        id,
        actor: by,
        actorName: actors.get(by) ?? null,
        action,
        subject,
        facts: { ...facts },
        at: createdAt.toISOString(),
      })),
      names: [...keyNames, ...named],
      nextCursor: page.nextCursor,
    };
  },

  async listAdminNotices(context, { caller: { actor, workspaceId } }) {
    const items = await listNotices(actor, context, workspaceId);
    return {
      items: items.map(({ id, subject, body, createdAt }) => ({
        id,
        subject,
        body,
        at: createdAt.toISOString(),
      })),
    };
  },
};
