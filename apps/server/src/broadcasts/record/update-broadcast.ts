import { write } from "../../write.ts";
import { audit } from "../../workspaces/write-audit.ts";
import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid, notInState } from "../../errors.ts";
import { findTemplate } from "../../templates/list-templates.ts";
import { bodyVariables } from "../../templates/template-needs.ts";
import type { Broadcast } from "./broadcast.ts";
import { lockDraft, rewriteDraft } from "./broadcast-store.ts";
import {
  retainHeaderFiles,
  prepareBroadcast,
  type NewBroadcast,
  type WithinOptions,
} from "./create-broadcast.ts";
import { findBroadcast } from "./find-broadcast.ts";

/** What can be changed in a draft. Fields that are left out stay. Its time is set by `schedule`. */
export type BroadcastChanges = Partial<Omit<NewBroadcast, "kind" | "scheduledAt">>;

/** The same; quiet hours that are null are taken away. */
type Changes = Omit<BroadcastChanges, "quietHours"> & {
  readonly quietHours?: NewBroadcast["quietHours"] | null;
};

/** How often a change is prepared again because the draft was changed meanwhile. */
const TRIES = 5;

export interface UpdateOptions extends WithinOptions {
  /** Throws to refuse the change of this draft, which is locked. */
  readonly match?: (current: Broadcast) => void;
}

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
    changes: Changes,
    options: UpdateOptions = {},
  ): Promise<Broadcast> => {
    for (let tries = 1; ; tries += 1) {
      const found = await findBroadcast(context, workspaceId, id);
      if (found.status !== "DRAFT") throw notDraft(found.status);
      const prepared = await changedDraft(context, found, changes);
      const written = await storeDraft(actor, context, prepared, { ...options, found });
      // Somebody changed the draft since it was read: their change stays, ours is made in what it is now.
      if (written !== null) return written;
      if (tries === TRIES) throw new AppError("OVERLOADED", { retryAfterSeconds: 1 });
    }
  },
);

async function changedDraft(
  context: Context,
  found: Broadcast,
  { quietHours, ...changes }: Changes,
): Promise<Broadcast> {
  const split = found.variants.length > 0;
  if (split && changes.variants === undefined) {
    for (const part of TEXTS)
      if (changes[part] !== undefined)
        throw invalid(part, "is of each variant: give all variants again");
    if (changes.holdoutShare !== undefined)
      throw invalid("holdoutShare", "goes with the variants: give them again");
  }
  const texts = changes.variants === undefined ? await textsOf(context, found, changes) : {};
  const { quietFrom, quietUntil } = found;
  const quiet =
    quietFrom === null || quietUntil === null ? null : { from: quietFrom, until: quietUntil };
  const hours = quietHours === undefined ? quiet : quietHours;
  const prepared = await prepareBroadcast(context, found.workspaceId, {
    name: found.name,
    kind: found.kind,
    channelId: found.channelId,
    segmentId: found.segmentId,
    timeZone: found.timeZone,
    localTime: found.localTime,
    rateLimitPerMinute: found.rateLimitPerMinute,
    replyDays: found.replyDays,
    ...texts,
    ...changes,
    ...(hours && { quietHours: hours }),
  });
  const keepsSplit = split && changes.variants === undefined;
  return { ...asDraft(prepared, found), ...(keepsSplit && { variants: found.variants }) };
}

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
    options: UpdateOptions = {},
  ): Promise<Broadcast> => {
    const found = await findBroadcast(context, workspaceId, id);
    if (found.status !== "DRAFT") throw notDraft(found.status);
    const prepared = await prepareBroadcast(context, workspaceId, asked);
    const written = await storeDraft(actor, context, asDraft(prepared, found), options);
    if (written === null) throw notDraft("changed");
    return written;
  },
);

/** The new draft, in place of the old one. */
export function asDraft(prepared: Broadcast, found: Broadcast): Broadcast {
  const { id, parentId, parentAll, parentUnknown, contactIds, createdAt } = found;
  return { ...prepared, id, parentId, parentAll, parentUnknown, contactIds, createdAt };
}

/** Null: with `found`, the draft is no longer as it was found. */
async function storeDraft(
  actor: Actor,
  context: Context,
  written: Broadcast,
  { found, match, within }: UpdateOptions & { readonly found?: Broadcast },
): Promise<Broadcast | null> {
  const { workspaceId, id } = written;
  return context.db.transaction(async (tx) => {
    const current = await lockDraft(tx, written);
    if (current === null) throw notDraft("started or changed");
    match?.(current);
    if (found && JSON.stringify(found) !== JSON.stringify(current)) return null;
    await retainHeaderFiles(tx, written);
    if (!(await rewriteDraft(tx, written))) throw notDraft("started or changed");
    await audit(actor, context, tx, workspaceId, { action: "broadcast.updated", subject: id });
    await within?.(tx, written);
    return written;
  });
}

/** The text as it was entered, to be changed; without the values of a template that is replaced. */
async function textsOf(
  context: Context,
  found: Broadcast,
  changes: Omit<BroadcastChanges, "quietHours">,
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
  notInState(status, ["DRAFT"], `a ${status} campaign cannot be changed: it must be DRAFT`);
