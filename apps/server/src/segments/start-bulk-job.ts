import { write } from "../write.ts";
import { readAttribute } from "../contacts/attributes/attribute-definition.ts";
import type { ContactChange } from "../contacts/record/change-contacts.ts";
import { normaliseFields, normaliseTags } from "../contacts/record/contact-input.ts";
import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import { actorName } from "../actor.ts";
import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { audit } from "../workspaces/write-audit.ts";
import { beginningOf } from "../lib/beginning-of.ts";
import { currentIds, insertJob } from "./bulk-job-store.ts";
import type { BulkJob, JobWithin } from "./bulk-job.ts";
import { findSegment } from "./find-segment.ts";
import { parseDefinition } from "./parse-definition.ts";
import type { Definition } from "./segment.ts";

const MAX_IDS = 10_000;
const MAX_REASON = 200;

/** The contacts of a change: those of a segment as it is defined now, those that fit a definition, or up to 10,000 by id. */
export type BulkTarget =
  | { readonly segmentId: string }
  | { readonly definition: Definition }
  | { readonly ids: readonly string[] };

/**
 * Begins a change to many contacts: a row that a worker moves, batch by batch. It is for the contacts that exist
 * now. Whether one belongs to the segment is checked once, when its turn comes. An opt-in needs the reason it is
 * allowed for. Writes the audit. Throws NOT_FOUND (segment), VALIDATION_FAILED.
 */
export const startBulkJob = write(
  "bulk_change.start",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "wake">,
    workspaceId: string,
    target: BulkTarget,
    change: ContactChange,
    { within }: JobWithin = {},
  ): Promise<BulkJob> => {
    const { action, ...details } = await checkedChange(context, workspaceId, change);
    const segment =
      "segmentId" in target ? await findSegment(context.db, workspaceId, target.segmentId) : null;
    if ("segmentId" in target && !segment)
      throw new AppError("NOT_FOUND", { explanation: "there is no such segment" });
    if ("definition" in target) parseDefinition(target.definition);
    const definition = "definition" in target ? target.definition : (segment?.definition ?? null);
    const given = "ids" in target ? target.ids : null;
    if (given && (given.length === 0 || given.length > MAX_IDS))
      throw invalid("ids", `must be 1 to ${MAX_IDS} ids`);
    const wrong = given?.findIndex((id) => !isId(id)) ?? -1;
    if (wrong >= 0) throw invalid(`ids[${wrong}]`, "must be a contact's id");
    return context.db.transaction(async (tx) => {
      const id = context.ids.next();
      const at = context.clock.now();
      const [job] = await insertJob(tx, {
        workspaceId,
        id,
        action,
        details,
        segmentId: segment?.id ?? null,
        definition,
        ids: given && (await currentIds(tx, workspaceId, given)),
        actor: actorName(actor),
        at,
      });
      if (!job) throw new Error("the job was not stored");
      await audit(actor, context, tx, workspaceId, {
        action: "contacts.bulk_started",
        subject: id,
        facts: { action, ...details, segmentId: segment?.id ?? null, ids: given?.length ?? null },
      });
      await within?.(tx, job);
      tx.afterCommit(() => context.wake.nudge("housekeeping"));
      return job;
    });
  },
);

async function checkedChange(
  context: Pick<Context, "db">,
  workspaceId: string,
  change: ContactChange,
): Promise<ContactChange> {
  switch (change.action) {
    case "tag":
    case "untag": {
      const tags = normaliseTags(normaliseFields({ tags: change.tags }).tags);
      if (tags.length === 0) throw invalid("tags", "must not be empty");
      return { ...change, tags };
    }
    case "set_attribute": {
      const { key, value } = change;
      if (key === "" || key.length > 200)
        throw invalid("key", "must be text of 1 to 200 characters");
      const fields = normaliseFields({ attributes: Object.fromEntries([[key, value]]) });
      const definition = (await attributeDefinitions(context, workspaceId)).get(key);
      const stored = Object.values(fields.attributes)[0] ?? null;
      return { ...change, value: definition ? readAttribute(definition, stored) : stored };
    }
    case "opt_in":
    case "opt_out": {
      const reason = beginningOf(change.reason?.trim() ?? "", MAX_REASON) || null;
      if (change.action === "opt_in" && reason === null)
        throw invalid("reason", "must say why these people may be written to again");
      if (reason !== null && (!reason.isWellFormed() || reason.includes("\0")))
        throw invalid("reason", "must be well-formed Unicode without NUL");
      return { ...change, reason };
    }
    case "delete":
      return change;
  }
}
