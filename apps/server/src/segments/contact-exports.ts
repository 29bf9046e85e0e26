import { actorName, type Actor } from "../actor.ts";
import { exportContacts } from "../contacts/record/export-contacts.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { contactExports } from "../operations/exports.ts";
import { EXPORT_FIELDS, type ContactExportJson } from "../wire/contact-export.ts";
import { perform } from "../write.ts";
import { fieldsOf, filterDefinition } from "./contact-filter.ts";
import {
  deleteOldExports,
  insertExport,
  selectExport,
  type ContactExportRow,
} from "./contact-export-store.ts";
import { compileSegment } from "./segment-sql.ts";

/** How long an export can be read. Its definition may name a person. */
const KEPT_MS = 86_400_000;

/**
 * Stores which contacts a program wants as a file. Throws VALIDATION_FAILED for an invalid definition, and for one beside a
 * segment, NOT_FOUND for an unknown segment.
 */
export const createExport = perform(
  contactExports.createExport,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock">,
    workspaceId,
    { segmentId, definition, fields = EXPORT_FIELDS, format = "csv" },
    { keep },
  ) => {
    if (segmentId !== undefined && definition !== undefined)
      throw invalid("definition", "goes without `segmentId`: give one of them");
    await filterDefinition(context, workspaceId, filterOf(segmentId, definition));
    const row: ContactExportRow = {
      id: context.ids.next(),
      segmentId: segmentId ?? null,
      definition: definition ?? null,
      fields,
      format,
      createdAt: context.clock.now(),
    };
    return context.db.transaction(async (tx) => {
      await insertExport(tx, workspaceId, row, actorName(actor));
      return keep(tx, presentExport(row));
    });
  },
);

/** One export. Throws NOT_FOUND, also for one that can no longer be read. */
export const readExport = perform(
  contactExports.readExport,
  async (_actor, context: Pick<Context, "db" | "clock">, workspaceId, { id }) =>
    presentExport(await findExport(context, workspaceId, id)),
);

/**
 * The lines of an export's file, as they are read. The audit keeps who read them, their count and the filter. Throws
 * NOT_FOUND, also when the segment was deleted, and at the first piece FORBIDDEN and MISSING_SCOPE.
 */
export async function exportLines(
  actor: Actor,
  context: Pick<Context, "background" | "db" | "clock" | "ids">,
  workspaceId: string,
  id: string,
): Promise<{
  readonly format: ContactExportRow["format"];
  readonly lines: AsyncGenerator<string>;
}> {
  const { segmentId, definition, fields, format } = await findExport(context, workspaceId, id);
  const chosen = await filterDefinition(
    context,
    workspaceId,
    filterOf(segmentId ?? undefined, definition ?? undefined),
  );
  const lines = exportContacts(actor, context, workspaceId, {
    columns: fields,
    format,
    ...(chosen && {
      where: compileSegment(chosen, context.clock.now()),
      fields: fieldsOf(chosen),
    }),
    ...(segmentId !== null && { segment: segmentId }),
  });
  return { format, lines };
}

/** Removes exports that can no longer be read. Gives how many. */
export const pruneExports = (context: Pick<Context, "db" | "clock">): Promise<number> =>
  deleteOldExports(context.db, oldest(context), 1_000);

const oldest = ({ clock }: Pick<Context, "clock">): Date =>
  new Date(clock.now().getTime() - KEPT_MS);

const filterOf = (segment: string | undefined, definition: object | undefined) => ({
  segment,
  definition: definition && JSON.stringify(definition),
});

async function findExport(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  id: string,
): Promise<ContactExportRow> {
  const found = isId(id) ? await selectExport(context.db, workspaceId, id, oldest(context)) : null;
  if (!found) throw new AppError("NOT_FOUND", { explanation: "there is no such export" });
  return found;
}

const presentExport = ({
  id,
  segmentId,
  fields,
  format,
  createdAt,
}: ContactExportRow): ContactExportJson => ({
  id,
  state: "ready",
  format,
  fields,
  segmentId,
  createdAt: createdAt.toISOString(),
  expiresAt: new Date(createdAt.getTime() + KEPT_MS).toISOString(),
});
