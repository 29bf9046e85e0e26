import { permitRight } from "../policies.ts";
import { type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { isCalendarDay } from "../lib/calendar-day.ts";
import { cursorOf, cutPage } from "../lib/cut-page.ts";
import { invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { workspaceRecords } from "../operations/records.ts";
import { perform } from "../write.ts";
import { selectAudit, type AuditFilter, type AuditLine } from "./audit-store.ts";

export {
  auditOf,
  eraseAudit,
  joinedFrom,
  lastAudit,
  selectMadeBy as workspacesMadeBy,
} from "./audit-store.ts";
export type { AuditFilter, AuditLine } from "./audit-store.ts";

export interface AuditPage {
  readonly entries: readonly AuditLine[];
  /** Where to read on, or null at the end. */
  readonly nextCursor: string | null;
}

const MAX_PAGE = 200;

/**
 * A page of the workspace's audit log, newest first, with at most 200 entries. Throws FORBIDDEN,
 * and VALIDATION_FAILED for a cursor that no page gave.
 */
export async function pageAudit(
  actor: Actor,
  context: Pick<Context, "db">,
  workspaceId: string,
  filter: AuditFilter,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<AuditPage> {
  permitRight(actor, "audit.read");
  const limit = Math.min(page.limit, MAX_PAGE);
  const before = cursorOf(page.cursor);
  const rows = isId(workspaceId)
    ? await selectAudit(context.db, workspaceId, filter, before, limit + 1)
    : [];
  const { items, last } = cutPage(rows, limit);
  return { entries: items, nextCursor: last?.id ?? null };
}

/** The same for programs. */
export const readAudit = perform(
  workspaceRecords.listAuditEntries,
  async (
    actor,
    context: Pick<Context, "db">,
    workspaceId,
    { actor: by, action, subject, since, cursor, limit = PAGE_ITEMS },
  ) => {
    const filter = {
      ...(by !== undefined && { actor: by }),
      ...(action !== undefined && { action }),
      ...(subject !== undefined && { subject }),
      ...(since !== undefined && { since: momentOf(since) }),
    };
    const page = await pageAudit(actor, context, workspaceId, filter, { cursor, limit });
    const items = page.entries.map(({ createdAt, facts, ...entry }) => ({
      ...entry,
      facts: { ...facts },
      at: createdAt.toISOString(),
    }));
    return { items, nextCursor: page.nextCursor };
  },
);

function momentOf(text: string): Date {
  const at = new Date(text);
  if (!isCalendarDay(text.slice(0, 10)) || Number.isNaN(at.getTime()))
    throw invalid(
      "since",
      "must be a moment with its zone, like 2026-11-21T10:00:00Z or 2026-11-21T13:00:00+03:00",
    );
  return at;
}
