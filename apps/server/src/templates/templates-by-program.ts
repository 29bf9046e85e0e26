import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { templateOperations } from "../operations/templates.ts";
import { perform } from "../write.ts";
import { findTemplate } from "./list-templates.ts";
import { syncTemplates, type SyncReport } from "./sync-templates.ts";
import { presentTemplate } from "./template.ts";
import { deleteTemplate } from "./write-template.ts";

/** One template of any status. Throws NOT_FOUND. */
export const readTemplateByProgram = perform(
  templateOperations.readTemplate,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id }) => {
    const template = await findTemplate(context.db, workspaceId, id);
    if (!template) throw new AppError("NOT_FOUND", { explanation: "no such template" });
    return presentTemplate(template);
  },
);

/** Reads a channel's templates at its platform. A repeat after a crash reads them again. Errors: as `syncTemplates`. */
export const syncByProgram = perform(
  templateOperations.syncTemplates,
  async (actor, context: Parameters<typeof syncTemplates>[1], workspaceId, { id }, { keep }) => {
    const report = await syncTemplates(actor, context, workspaceId, id);
    return context.db.transaction((tx) => keep(tx, presentSync(report)));
  },
);

/** As `deleteTemplate`. */
export const deleteByProgram = perform(
  templateOperations.deleteTemplate,
  async (actor, context: Parameters<typeof deleteTemplate>[1], workspaceId, { id }) => {
    await deleteTemplate(actor, context, workspaceId, id);
    return {};
  },
);

/** What a sync did, as the doors show it. */
export const presentSync = (report: SyncReport) =>
  report.ok
    ? { ok: true, total: report.total, changed: report.changed, fault: null }
    : { ok: false, total: 0, changed: 0, fault: `${report.detail} (${report.code})` };
