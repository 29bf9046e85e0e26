import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { exportContacts } from "../../contacts/record/export-contacts.ts";
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { exportPerson, type ExportPart } from "../../persons/export-person.ts";
import { EVERYBODY, fieldsOf, filterDefinition } from "../../segments/contact-filter.ts";
import { presentJob } from "../../segments/jobs-by-program.ts";
import { listBulkJobs, moveBulkJob, progressOfJobs } from "../../segments/run-bulk-jobs.ts";
import { compileSegment } from "../../segments/segment-sql.ts";
import { startBulkJob, type BulkTarget } from "../../segments/start-bulk-job.ts";
import { contactExport, personExport, type contacts } from "./contract/contacts.ts";
import type { Handlers } from "./handlers.ts";
import { requireProof } from "./member-door.ts";
import { serveMember, withMark } from "./serve-member.ts";

type JobFaces = Pick<typeof contacts, "listContactJobs" | "startContactJob" | "moveContactJob">;

/** Changes to many contacts. */
export const contactJobHandlers: Handlers<JobFaces> = {
  async listContactJobs(context, { caller: { workspaceId } }) {
    const [jobs, progress] = await Promise.all([
      listBulkJobs(context, workspaceId),
      progressOfJobs(context, workspaceId),
    ]);
    return { jobs: jobs.map((job) => presentJob(job, progress.get(job.id))) };
  },

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

  async moveContactJob(context, { caller, params, body }) {
    const { actor, workspaceId } = caller;
    const job = await moveBulkJob(actor, context, workspaceId, params.id, body.move);
    const progress = await progressOfJobs(context, workspaceId);
    return presentJob(job, progress.get(job.id));
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
    const parts = exportPerson(caller.actor, context, caller.workspaceId, params["id"] ?? "");
    // The first piece is asked for before the answer begins, so that a refusal is one.
    const first = await parts.next();
    return reply
      .type("application/json; charset=utf-8")
      .header("content-disposition", 'attachment; filename="person.json"')
      .header("cache-control", "no-store")
      .send(Readable.from(textsOf(first, parts)));
  });
}

async function* textsOf(
  first: IteratorResult<ExportPart>,
  rest: AsyncGenerator<ExportPart>,
): AsyncGenerator<string> {
  if (first.done !== true && first.value.kind === "text") yield first.value.text;
  for await (const part of rest) if (part.kind === "text") yield part.text;
}
