import { listKeys } from "../../api-keys/list-keys.ts";
import { addOwnWord, listOwnWords, removeOwnWord } from "../../contacts/consent/own-words.ts";
import { CONSENT_WORDS } from "../../contacts/consent/stop-words.ts";
import { AppError } from "../../errors.ts";
import { usageSummary } from "../../usage/usage-summary.ts";
import { findWorkspace } from "../../workspaces/find-workspace.ts";
import { pageAudit } from "../../workspaces/list-audit.ts";
import { listMembers } from "../../workspaces/list-members.ts";
import { listNotices } from "../../workspaces/list-notices.ts";
import { LIMIT_NAMES } from "../../workspaces/plan-limits.ts";
import { namesInAudit } from "./audit-names.ts";
import type { keys } from "./contract/keys.ts";
import type { Handlers } from "./handlers.ts";

type Names =
  | "listAudit"
  | "listAdminNotices"
  | "readLimits"
  | "listConsentWords"
  | "addConsentWord"
  | "removeConsentWord";

const PAGE = 50;

/** A workspace's records: its audit log, its admins' notices, the limits of its plan, its opt-out words. */
export const recordsHandlers: Handlers<Pick<typeof keys, Names>> = {
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

  async listConsentWords(context, { caller }) {
    const own = await listOwnWords(context, caller.workspaceId);
    const { stop, typed, start } = CONSENT_WORDS;
    const words = own.map(({ word, wish, shown }) => ({ word, wish, shown }));
    return { own: words, stop: [...stop], typed: [...typed], start: [...start] };
  },

  addConsentWord: (context, { caller, body }) =>
    addOwnWord(caller.actor, context, caller.workspaceId, body),

  async removeConsentWord(context, { caller, params }) {
    await removeOwnWord(caller.actor, context, caller.workspaceId, params.word);
    return {};
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

  async readLimits(context, { caller: { workspaceId } }) {
    const [workspace, summary] = await Promise.all([
      findWorkspace(context, workspaceId),
      usageSummary(context, workspaceId),
    ]);
    if (!workspace) throw new AppError("NOT_FOUND");
    return {
      plan: workspace.plan,
      suspended: workspace.suspendedAt !== null,
      items: LIMIT_NAMES.map((name) => ({
        name,
        limit: summary.limits[name],
        used: summary.usage[name],
        own: name in workspace.limitOverrides,
      })),
      smsCredits: workspace.smsCredits,
      periodEnd: summary.periodEnd,
    };
  },
};
