import {
  draftFaults,
  type ChannelAccount,
  type DraftFault,
  type OutboundMedia,
  type TemplateDraft,
  type TemplateFault,
  type TemplateSource,
  type TemplateSubmission,
} from "../channels/adapter.ts";
import { findChannel } from "../channels/list-channels.ts";
import { loadAccounts } from "../channels/load-accounts.ts";
import { lockForSync } from "../channels/platform-sync.ts";
import { templateSourceFor } from "../channels/registry.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, notInState } from "../errors.ts";
import { httpFor } from "../lib/check-address.ts";
import { isId } from "../lib/ids.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import { faultWords } from "./draft-words.ts";
import { templateStatusEvent } from "./template-events.ts";
import { countBodyVariables, EDITABLE, editable, type StoredTemplate } from "./template.ts";
import { headerFormatOf } from "./template-needs.ts";
import { changeTemplate, insertTemplate, moveTemplate, selectTemplate } from "./template-store.ts";

type WriteContext = Pick<
  Context,
  "db" | "clock" | "ids" | "sealer" | "log" | "wake" | "providerHttp" | "guardedHttp"
>;

/** A template to submit for review. */
export interface NewTemplate {
  readonly draft: TemplateDraft;
  /** The file that the header shows as its example; null when the header has none. */
  readonly sample: OutboundMedia | null;
}

interface Within {
  /** Runs in the transaction that stores the template, as its last work. */
  readonly within?: (tx: Tx, stored: StoredTemplate) => Promise<void>;
}

/**
 * Submits a new template for the platform's review, and stores it with the status that the platform gives it. Throws
 * VALIDATION_FAILED by field, for the rules that we know and for the platform's own refusal. Throws NOT_FOUND, and
 * NOT_ALLOWED_IN_STATE without a connected channel that has templates. Throws OVERLOADED when the platform did not
 * accept it now; its words say whether it may have arrived all the same.
 */
export const createTemplate = write(
  "template.create",
  async (
    actor,
    context: WriteContext,
    workspaceId: string,
    channelId: string,
    { draft, sample }: NewTemplate,
    { within }: Within = {},
  ): Promise<StoredTemplate> => {
    check(draft);
    const way = await openWay(context, workspaceId, channelId);
    const submission = await withSample(context, way, draft, sample);
    const http = httpFor(context, way.account);
    const answer = await way.source.submit(http, way.account, submission);
    if (!answer.ok) throw refusal(answer);
    const now = context.clock.now();
    const { metaId, status, category, components } = answer;
    const template: StoredTemplate = {
      workspaceId,
      id: context.ids.next(),
      channelId,
      metaId,
      name: draft.name,
      language: draft.language,
      category,
      status,
      components,
      bodyVariableCount: countBodyVariables(components),
      headerFormat: headerFormatOf(components),
      parameterFormat: draft.named === true ? "NAMED" : "POSITIONAL",
      rejectedReason: null,
      rejectionDetail: null,
      quality: null,
      lastSyncedAt: now,
    };
    return context.db.transaction(async (tx) => {
      await lockForSync(tx, workspaceId, channelId);
      const stored = await insertTemplate(tx, template, now);
      const facts = { channelId, name: draft.name, language: draft.language };
      const entry: AuditEntry = { action: "template.created", subject: stored.id, facts };
      await audit(actor, context, tx, workspaceId, entry);
      const move = { ...stored, previousStatus: null };
      await emitEvents(context, tx, [templateStatusEvent(workspaceId, channelId, move, null, now)]);
      await within?.(tx, stored);
      return stored;
    });
  },
);

/**
 * Submits a changed template, which is reviewed again. Its name, language and category stay. Throws as `createTemplate`
 * does, and NOT_ALLOWED_IN_STATE for a status in which the platform allows no edit.
 */
export const editTemplate = write(
  "template.edit",
  async (
    actor,
    context: WriteContext,
    workspaceId: string,
    id: string,
    { draft: given, sample }: NewTemplate,
  ): Promise<StoredTemplate> => {
    const before = isId(id) ? await selectTemplate(context.db, workspaceId, id) : null;
    if (!before) throw new AppError("NOT_FOUND", { explanation: "no such template" });
    if (!editable(before))
      throw notInState(
        before.status,
        EDITABLE,
        `a template that is ${before.status} cannot be edited`,
      );
    const named = before.parameterFormat === "NAMED";
    const draft = { ...given, name: before.name, language: before.language, named };
    check(draft);
    const { channelId, metaId } = before;
    const way = await openWay(context, workspaceId, channelId);
    const submission = await withSample(context, way, draft, sample);
    const http = httpFor(context, way.account);
    const answer = await way.source.resubmit(http, way.account, metaId, submission);
    if (!answer.ok) throw refusal(answer);
    const now = context.clock.now();
    const { components } = answer;
    return context.db.transaction(async (tx) => {
      await lockForSync(tx, workspaceId, channelId);
      const after = {
        components,
        bodyVariableCount: countBodyVariables(components),
        headerFormat: headerFormatOf(components),
        // At the latest, the platform's next push sets this status too.
        status: "PENDING",
      };
      await changeTemplate(tx, workspaceId, id, after, now);
      const facts = { channelId, name: before.name, language: before.language };
      await audit(actor, context, tx, workspaceId, {
        action: "template.edited",
        subject: id,
        facts,
      });
      const move = { ...before, previousStatus: before.status, status: after.status };
      const moved = before.status === after.status ? [] : [move];
      await emitEvents(
        context,
        tx,
        moved.map((one) => templateStatusEvent(workspaceId, channelId, one, null, now)),
      );
      return { ...before, ...after, rejectedReason: null, rejectionDetail: null };
    });
  },
);

/**
 * Deletes one language of a template at the platform and marks it DELETED here. The platform keeps its name for some
 * weeks. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE while a scheduled or started campaign sends it, and otherwise as
 * `createTemplate` does.
 */
export const deleteTemplate = write(
  "template.delete",
  async (
    actor,
    context: WriteContext & Pick<Context, "templateUsers">,
    workspaceId: string,
    id: string,
  ): Promise<void> => {
    const { db } = context;
    const template = isId(id) ? await selectTemplate(db, workspaceId, id) : null;
    if (!template || template.status === "DELETED")
      throw new AppError("NOT_FOUND", { explanation: "no such template" });
    const users = await context.templateUsers(db, workspaceId, id);
    if (users.length > 0)
      throw new AppError("NOT_ALLOWED_IN_STATE", {
        explanation: `the template is sent by ${users.map((name) => JSON.stringify(name)).join(", ")}`,
      });
    const { channelId, metaId, name, language } = template;
    const { account, source } = await openWay(context, workspaceId, channelId);
    const answer = await source.remove(httpFor(context, account), account, { metaId, name });
    if (!answer.ok) throw refusal(answer);
    const at = context.clock.now();
    await db.transaction(async (tx) => {
      await lockForSync(tx, workspaceId, channelId);
      const word = { status: "DELETED", reason: null, detail: null, at };
      const move = await moveTemplate(tx, workspaceId, channelId, metaId, word);
      // A push or another call was faster: it has its own event and entry.
      if (move === null || move === "unknown") return;
      await audit(actor, context, tx, workspaceId, {
        action: "template.deleted",
        subject: id,
        facts: { channelId, name, language },
      });
      await emitEvents(context, tx, [templateStatusEvent(workspaceId, channelId, move, null, at)]);
    });
  },
);

function check(draft: TemplateDraft): void {
  const faults = draftFaults(draft);
  if (faults.length > 0)
    throw new AppError("VALIDATION_FAILED", {
      details: faults.map((fault: DraftFault) => ({
        path: fault.path,
        message: faultWords(fault),
      })),
    });
}

interface Way {
  readonly account: ChannelAccount;
  readonly source: TemplateSource;
}

async function openWay(
  context: WriteContext,
  workspaceId: string,
  channelId: string,
): Promise<Way> {
  const channel = await findChannel(context, workspaceId, channelId);
  const source = templateSourceFor(channel.type);
  if (source === null)
    throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "this channel has no templates" });
  const account = (await loadAccounts(context, [{ workspaceId, channelId }])).get(channelId);
  if (account === undefined)
    throw new AppError("NOT_ALLOWED_IN_STATE", { explanation: "the channel is not connected" });
  return { account, source };
}

/** Uploads the header's example, if it has one, for the submission. */
async function withSample(
  context: WriteContext,
  { account, source }: Way,
  draft: TemplateDraft,
  sample: OutboundMedia | null,
): Promise<TemplateSubmission> {
  if (draft.header === undefined || draft.header.kind === "text") return { ...draft, sample: null };
  const { kind } = draft.header;
  if (sample?.kind !== kind)
    throw new AppError("VALIDATION_FAILED", {
      details: [{ path: "header", message: `needs an uploaded file of the kind ${kind}` }],
    });
  const given = await source.giveSample(httpFor(context, account), account, sample);
  if (!given.ok) throw refusal({ ...given, field: "header" });
  return { ...draft, sample: given.handle };
}

/** The platform's refusal in its own words, under the field that it concerns. */
function refusal({ reason, code, detail, field, retryAfterMs }: TemplateFault): AppError {
  if (reason === "rejected" || reason === "opted_out")
    return new AppError("VALIDATION_FAILED", {
      details: [{ path: field ?? "template", message: `${detail} (${code})` }],
    });
  if (reason === "misconfigured")
    return new AppError("NOT_ALLOWED_IN_STATE", {
      explanation: `the platform refuses the channel's account: ${detail} (${code})`,
    });
  const explanation =
    reason === "unknown"
      ? `the platform did not answer (${code}), so the template may have been handed in: sync and look before you try again`
      : `the platform did not take it now: ${detail} (${code})`;
  const retryAfterSeconds = Math.ceil((retryAfterMs ?? 30_000) / 1_000);
  return new AppError("OVERLOADED", { retryAfterSeconds, explanation });
}
