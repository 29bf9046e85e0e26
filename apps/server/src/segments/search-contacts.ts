import { readNewest, readUpdated } from "../contacts/refs/read-updated.ts";
import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import type { Context } from "../context.ts";
import { QueryTimeout, type Db } from "../db/database.ts";
import type { Sql } from "../db/sql.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { contactOperations } from "../operations/contacts.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import type { ContactRecordJson } from "../wire/contact-record.ts";
import { perform } from "../write.ts";
import { EVERYBODY } from "./contact-filter.ts";
import { parseDefinition } from "./parse-definition.ts";
import { previewSegment } from "./preview-segment.ts";
import { compileSegment } from "./segment-sql.ts";
import type { Definition } from "./segment.ts";

const MOST_ITEMS = 200;

/**
 * A page of the contacts that a definition names, all without one; the one that changed longest ago first, or the newest. Throws
 * VALIDATION_FAILED, and OVERLOADED when the look-up takes longer than five seconds.
 */
export const searchContacts = perform(
  contactOperations.searchContacts,
  async (
    _actor,
    context: Pick<Context, "db" | "clock">,
    workspaceId,
    { definition = EVERYBODY, sort = "updatedAt", cursor, limit = PAGE_ITEMS },
    { keep },
  ) => {
    const size = Math.min(limit, MOST_ITEMS);
    const page = { workspaceId, where: await conditionOf(context, workspaceId, definition), size };
    const read = sort === "newest" ? pageOfNewest : pageOfUpdated;
    const { items, nextCursor } = await read(context.db, page, cursor).catch((error: unknown) => {
      if (!(error instanceof QueryTimeout)) throw error;
      throw new AppError("OVERLOADED", { retryAfterSeconds: 5 });
    });
    return context.db.transaction((tx) => keep(tx, { items, nextCursor }));
  },
);

/** How many contacts a definition names: exact, or, when that takes too long, as many as were found in time. */
export const countDefined = perform(
  contactOperations.countContacts,
  async (
    _actor,
    context: Pick<Context, "db" | "clock">,
    workspaceId,
    { definition = EVERYBODY },
    { keep },
  ) => {
    const { count, exact } = await previewSegment(context, workspaceId, definition);
    return context.db.transaction((tx) => keep(tx, { count, exact }));
  },
);

async function conditionOf(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  definition: Definition,
) {
  parseDefinition(definition, await attributeDefinitions(context, workspaceId));
  return compileSegment(definition, context.clock.now());
}

interface Page {
  readonly workspaceId: string;
  readonly where: Sql;
  readonly size: number;
}
interface FoundPage {
  readonly items: readonly ContactRecordJson[];
  readonly nextCursor: string | null;
}

async function pageOfUpdated(
  db: Db,
  { workspaceId, where, size }: Page,
  cursor: string | undefined,
): Promise<FoundPage> {
  const after = cursor === undefined ? null : placeOf(cursor);
  const { items, next } = await readUpdated(db, workspaceId, where, after, size);
  return { items, nextCursor: next ? `${next.updatedAt.toISOString()}_${next.id}` : null };
}

async function pageOfNewest(
  db: Db,
  { workspaceId, where, size }: Page,
  cursor: string | undefined,
): Promise<FoundPage> {
  if (cursor !== undefined && !isId(cursor)) throw badCursor();
  const { items, next } = await readNewest(db, workspaceId, where, cursor ?? null, size);
  return { items, nextCursor: next };
}

const badCursor = () => invalid("cursor", "must be the nextCursor of the page before");

function placeOf(cursor: string): { readonly updatedAt: Date; readonly id: string } {
  const [time = "", id = "", ...more] = cursor.split("_");
  const updatedAt = new Date(time);
  if (more.length > 0 || !isId(id) || Number.isNaN(updatedAt.getTime())) throw badCursor();
  return { updatedAt, id };
}
