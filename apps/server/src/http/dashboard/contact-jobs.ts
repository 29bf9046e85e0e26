import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { exportContacts } from "../../contacts/record/export-contacts.ts";
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { personDocument } from "../../persons/export-person.ts";
import { EVERYBODY, fieldsOf, filterDefinition } from "../../segments/contact-filter.ts";
import { presentJob } from "../../segments/jobs-by-program.ts";
import { compileSegment } from "../../segments/segment-sql.ts";
import { startBulkJob, type BulkTarget } from "../../segments/start-bulk-job.ts";
import { contactExport, personExport, type contacts } from "./contract/contacts.ts";
import type { Handlers } from "./handlers.ts";
import { sendPieces } from "../edge/send-pieces.ts";
import { requireProof } from "./member-door.ts";
import { serveMember, withMark } from "./serve-member.ts";

/** Changes to many contacts. */
export const contactJobHandlers: Handlers<Pick<typeof contacts, "startContactJob">> = {
  async startContactJob(context, { caller, body: { ids, filter, change } }) {
    const { actor, workspaceId } = caller;
    if (change.action === "delete") requireProof(context, caller);
    if ((ids === undefined) === (filter === undefined))
      throw invalid("ids", "must be given, or else filter");
    const target: BulkTarget = ids
      ? { ids }
      : { definition: (await filterDefinition(context, workspaceId, filter ?? {})) ?? EVERYBODY };
    const whole =
      "reason" in change || change.action === "opt_out" || change.action === "opt_in"
        ? { ...change, reason: change.reason ?? null }
        : change;
    return presentJob(await startBulkJob(actor, context, workspaceId, target, whole));
  },
};

/** Serves the export of contacts as a file. */
export function registerContactExport(fastify: FastifyInstance, context: Context): void {
  serveMember(fastify, context, contactExport, async ({ caller, query, reply }) => {
    const { workspaceId, actor } = caller;
    const { search, definition, segment } = query;
    const text = (value: unknown) => (typeof value === "string" ? value : undefined);
    const filter = {
      search: text(search),
      definition: text(definition),
      segment: text(segment),
    };
    const chosen = await filterDefinition(context, workspaceId, filter);
    const lines = exportContacts(actor, context, workspaceId, {
      ...(chosen && {
        where: compileSegment(chosen, context.clock.now()),
        fields: fieldsOf(chosen),
      }),
      ...(filter.segment !== undefined && { segment: filter.segment }),
    });
    const day = context.clock.now().toISOString().slice(0, 10);
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="contacts-${day}.csv"`)
      .header("cache-control", "no-store")
      .send(Readable.from(withMark(lines)));
  });
}

/** Serves everything that is kept of one person: the document. The folder with its files is the command line's. */
export function registerPersonExport(fastify: FastifyInstance, context: Context): void {
  serveMember(fastify, context, personExport, async ({ caller, params, reply }) => {
    const id = params["id"] ?? "";
    const pieces = personDocument(caller.actor, context, caller.workspaceId, id);
    return sendPieces(reply, { name: "person.json", mediaType: "application/json" }, pieces);
  });
}
