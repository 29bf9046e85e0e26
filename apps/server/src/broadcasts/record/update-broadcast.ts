import { write } from "../../write.ts";
import { audit } from "../../workspaces/write-audit.ts";
import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { findTemplate } from "../../templates/list-templates.ts";
import { bodyVariables } from "../../templates/template-needs.ts";
import type { Broadcast } from "./broadcast.ts";
import { rewriteDraft } from "./broadcast-store.ts";
import {
  retainHeaderFiles,
  prepareBroadcast,
  type NewBroadcast,
  type WithinOptions,
} from "./create-broadcast.ts";
import { findBroadcast } from "./find-broadcast.ts";

/** What can be changed in a draft. Fields that are left out stay. Its time is set by `schedule`. */
export type BroadcastChanges = Partial<Omit<NewBroadcast, "kind" | "scheduledAt">>;

/** The fields that make up a campaign's text. */
const TEXTS = ["body", "templateId", "variables", "header", "buttons"] as const;

/**
 * Changes a draft and checks the whole of it as `createBroadcast` does. Variables, header and buttons are replaced
 * as a whole, and must be given again with another template. The texts of an A/B campaign are replaced by all
 * `variants` together. Its link (a resend, a test) stays. Errors: `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`
 * unless it is DRAFT, `VALIDATION_FAILED` by field.
 */
export const updateBroadcast = write(
  "broadcast.update",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    changes: BroadcastChanges,
    options: WithinOptions = {},
  ): Promise<Broadcast> => {
    const found = await findBroadcast(context, workspaceId, id);
    if (found.status !== "DRAFT") throw notDraft(found.status);
    const split = found.variants.length > 0;
    if (split && changes.variants === undefined) {
      for (const part of TEXTS)
        if (changes[part] !== undefined)
          throw invalid(part, "is of each variant: give all variants anew");
      if (changes.holdoutShare !== undefined)
        throw invalid("holdoutShare", "goes with the variants: give them anew");
    }
    const texts = changes.variants === undefined ? await textsOf(context, found, changes) : {};
    const prepared = await prepareBroadcast(context, workspaceId, {
      name: found.name,
      kind: found.kind,
      channelId: found.channelId,
      segmentId: found.segmentId,
      timeZone: found.timeZone,
      localTime: found.localTime,
      ...(found.quietFrom !== null &&
        found.quietUntil !== null && {
          quietHours: { from: found.quietFrom, until: found.quietUntil },
        }),
      rateLimitPerMinute: found.rateLimitPerMinute,
      replyDays: found.replyDays,
      ...texts,
      ...changes,
    });
    const keepsSplit = split && changes.variants === undefined;
    const written = {
      ...asDraft(prepared, found),
      ...(keepsSplit && { variants: found.variants }),
    };
    return storeDraft(actor, context, written, options);
  },
);

/**
 * Replaces a draft as a whole, including its kind: fields that are left out are as in a new campaign. Its link (a
 * resend, a test) stays. Errors as `updateBroadcast`.
 */
export const replaceDraft = write(
  "broadcast.replace",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    asked: Omit<NewBroadcast, "scheduledAt">,
    options: WithinOptions = {},
  ): Promise<Broadcast> => {
    const found = await findBroadcast(context, workspaceId, id);
    if (found.status !== "DRAFT") throw notDraft(found.status);
    const prepared = await prepareBroadcast(context, workspaceId, asked);
    return storeDraft(actor, context, asDraft(prepared, found), options);
  },
);

/** The new draft, in place of the old one. */
export function asDraft(prepared: Broadcast, found: Broadcast): Broadcast {
  const { id, parentId, parentAll, parentUnknown, contactIds, createdAt } = found;
  return { ...prepared, id, parentId, parentAll, parentUnknown, contactIds, createdAt };
}

async function storeDraft(
  actor: Actor,
  context: Context,
  written: Broadcast,
  options: WithinOptions,
): Promise<Broadcast> {
  const { workspaceId, id } = written;
  return context.db.transaction(async (tx) => {
    await retainHeaderFiles(tx, written);
    if (!(await rewriteDraft(tx, written))) throw notDraft("started or changed");
    await audit(actor, context, tx, workspaceId, { action: "broadcast.updated", subject: id });
    await options.within?.(tx, written);
    return written;
  });
}

/** The text as it was entered, to be changed; without the values of a template that is replaced. */
async function textsOf(
  context: Context,
  found: Broadcast,
  changes: BroadcastChanges,
): Promise<Partial<NewBroadcast>> {
  const { workspaceId, templateId, body, headerText, headerMediaId } = found;
  if (templateId === null) return { body };
  const other = changes.templateId !== undefined && changes.templateId !== templateId;
  const template = other ? null : await findTemplate(context.db, workspaceId, templateId);
  if (template === null) return { templateId };
  const names = bodyVariables(template.components);
  return {
    templateId,
    variables: Object.fromEntries(names.map((name, n) => [name, found.variables[n] ?? ""])),
    ...(headerText !== null && { header: { text: headerText } }),
    ...(headerMediaId !== null && { header: { mediaId: headerMediaId } }),
    buttons: Object.fromEntries(found.buttonTexts.map(({ index, text }) => [index, text])),
  };
}

const notDraft = (status: string): AppError =>
  new AppError("NOT_ALLOWED_IN_STATE", {
    explanation: `a ${status} campaign cannot be changed: it must be DRAFT`,
  });
