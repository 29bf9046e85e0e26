import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { isStorable } from "../lib/storable.ts";
import { knowledgeOperations } from "../operations/knowledge.ts";
import type { SourceJson } from "../wire/knowledge.ts";
import { audit } from "../workspaces/write-audit.ts";
import { keeping, perform } from "../write.ts";
import { cutChunks } from "./cut-chunks.ts";
import { recutReply } from "./cut-reply.ts";
import { nextVersion, replaceChunks, selectChunksOf } from "./knowledge-store.ts";
import { presentSource, writtenPart } from "./list-sources.ts";
import { languagesOf, placeChunks } from "./place-chunks.ts";
import { idOf, notFound } from "./source-id.ts";
import { KNOWLEDGE_LANGS, langOf, type Chunk, type KnowledgeLang } from "./source.ts";
import {
  deleteSourceRow,
  insertSource,
  lockSource,
  makeDue,
  updateSource,
  type SourceDraft,
  type SourceRow,
} from "./source-store.ts";

type WriteContext = Pick<Context, "db" | "ids" | "clock" | "wake">;

/** What a request says of a snippet. */
interface SnippetInput {
  readonly title: string;
  readonly text?: string | undefined;
  readonly lang?: KnowledgeLang | undefined;
  readonly texts?:
    | { readonly en?: string | undefined; readonly ar?: string | undefined }
    | undefined;
  readonly askedAs?: readonly string[] | undefined;
  readonly validUntil?: string | null | undefined;
  readonly externalId?: string | undefined;
}

/** Adds a snippet. Throws VALIDATION_FAILED, and NAME_TAKEN when its external id is in use. */
export const addSnippet = perform(
  knowledgeOperations.addSnippet,
  (actor, context: WriteContext, workspaceId, input, { keep }) =>
    keeping(
      keep,
      (made: SourceJson) => made,
      (within) =>
        context.db.transaction(async (tx) => {
          const source = await insertSnippet(actor, context, tx, workspaceId, input);
          await within(tx, source);
        }),
    ),
);

/** Stores a new snippet with its chunks, within a transaction. */
export async function insertSnippet(
  actor: Actor,
  context: WriteContext,
  tx: Tx,
  workspaceId: string,
  input: SnippetInput,
): Promise<SourceJson> {
  const at = context.clock.now();
  const draft = draftOf(context.ids.next(), null, input);
  const version = await nextVersion(tx, workspaceId, at);
  if (!(await insertSource(tx, workspaceId, draft, { at, dueAt: null })))
    throw new AppError("NAME_TAKEN", { explanation: "another source has this external id" });
  const chunks = await storeChunks(context, tx, workspaceId, draft, version);
  await audit(actor, context, tx, workspaceId, {
    action: "knowledge.added",
    subject: draft.id,
    facts: { kind: draft.kind },
  });
  return presentSource({ ...draft, ...fresh(at, chunks), languages: languagesOf(chunks) }, at);
}

/** Changes a source. Throws NOT_FOUND, NAME_TAKEN, VALIDATION_FAILED and VERSION_MISMATCH. */
export const saveSource = perform(
  knowledgeOperations.saveSource,
  async (actor, context: WriteContext, workspaceId, { id, ...input }, { match }) =>
    context.db.transaction(async (tx) => {
      const version = await nextVersion(tx, workspaceId, context.clock.now());
      const before = await lockSource(tx, workspaceId, { id: idOf(id) });
      if (!before) throw notFound();
      match(writtenPart(before));
      return changeSource(actor, context, tx, workspaceId, before, version, input);
    }),
);

/** Adds or changes the snippet with an external id. Throws VALIDATION_FAILED. */
export const putKnowledge = perform(
  knowledgeOperations.putKnowledge,
  async (actor, context: WriteContext, workspaceId, input) => {
    if (!isExternalId(input.externalId))
      throw invalid("externalId", "must be 1 to 200 characters, none of them U+0000");
    return context.db.transaction(async (tx) => {
      // Two calls for a new id wait for one another here.
      const version = await nextVersion(tx, workspaceId, context.clock.now());
      const before = await lockSource(tx, workspaceId, { externalId: input.externalId });
      return before
        ? changeSource(actor, context, tx, workspaceId, before, version, input)
        : insertSnippet(actor, context, tx, workspaceId, input);
    });
  },
);

/** An address has it too, where no schema of a body is asked. */
const isExternalId = (text: string): boolean =>
  text !== "" && Array.from(text).length <= 200 && isStorable(text);

async function changeSource(
  actor: Actor,
  context: WriteContext,
  tx: Tx,
  workspaceId: string,
  before: SourceRow,
  version: number,
  input: SnippetInput,
): Promise<SourceJson> {
  const at = context.clock.now();
  const draft = draftOf(before.id, before, input);
  if (sameDraft(before, draft)) {
    const chunks = await selectChunksOf(tx, workspaceId, before.id);
    return presentSource({ ...before, languages: languagesOf(chunks) }, at);
  }
  if (draft.externalId !== null && draft.externalId !== before.externalId) {
    const other = await lockSource(tx, workspaceId, { externalId: draft.externalId });
    if (other)
      throw new AppError("NAME_TAKEN", { explanation: "another source has this external id" });
  }
  await updateSource(tx, workspaceId, draft, at);
  const chunks =
    draft.kind === "snippet"
      ? await storeChunks(context, tx, workspaceId, draft, version)
      : await renewAskedAs(tx, workspaceId, draft, version);
  await audit(actor, context, tx, workspaceId, {
    action: "knowledge.updated",
    subject: draft.id,
    facts: { kind: draft.kind },
  });
  return presentSource(
    { ...before, ...draft, updatedAt: at, chunks: chunks.length, languages: languagesOf(chunks) },
    at,
  );
}

const sameDraft = (before: SourceRow, draft: SourceDraft): boolean =>
  before.title === draft.title &&
  before.externalId === draft.externalId &&
  before.texts.en === draft.texts.en &&
  before.texts.ar === draft.texts.ar &&
  before.validUntil?.getTime() === draft.validUntil?.getTime() &&
  JSON.stringify(before.askedAs) === JSON.stringify(draft.askedAs);

/** Deletes a source. Throws NOT_FOUND. */
export const deleteSource = perform(
  knowledgeOperations.deleteSource,
  (actor, context: WriteContext, workspaceId, { id }) =>
    remove(actor, context, workspaceId, { id: idOf(id) }),
);

/** Deletes the source with an external id; the command also takes the source's own id. Throws NOT_FOUND. */
export const removeKnowledge = perform(
  knowledgeOperations.removeKnowledge,
  (actor, context: WriteContext, workspaceId, { externalId }) =>
    remove(
      actor,
      context,
      workspaceId,
      actor.kind === "operator" && isId(externalId) ? { id: externalId } : { externalId },
    ),
);

function remove(
  actor: Actor,
  context: WriteContext,
  workspaceId: string,
  by: { readonly id: string } | { readonly externalId: string },
): Promise<Record<never, never>> {
  return context.db.transaction(async (tx) => {
    if ("externalId" in by && !isExternalId(by.externalId)) throw notFound();
    await nextVersion(tx, workspaceId, context.clock.now());
    const source = await lockSource(tx, workspaceId, by);
    if (!source) throw notFound();
    await deleteSourceRow(tx, workspaceId, source.id);
    await audit(actor, context, tx, workspaceId, {
      action: "knowledge.deleted",
      subject: source.id,
      facts: { name: source.title },
    });
    return {};
  });
}

/** Has a source read again soon; a snippet or saved reply is cut again at once. Throws NOT_FOUND. */
export const refreshSource = perform(
  knowledgeOperations.refreshSource,
  (actor, context: WriteContext, workspaceId, { id }, { keep }) =>
    context.db.transaction(async (tx) => {
      const at = context.clock.now();
      const version = await nextVersion(tx, workspaceId, at);
      const before = await lockSource(tx, workspaceId, { id: idOf(id) });
      if (!before) throw notFound();
      if (before.kind === "snippet") await storeChunks(context, tx, workspaceId, before, version);
      else if (before.kind === "saved_reply")
        await recutReply(context, tx, workspaceId, before, version);
      else await makeDue(tx, workspaceId, before.id, at);
      await audit(actor, context, tx, workspaceId, {
        action: "knowledge.refreshed",
        subject: before.id,
      });
      tx.afterCommit(() => context.wake.nudge("housekeeping"));
      const now = await lockSource(tx, workspaceId, { id: before.id });
      const chunks = await selectChunksOf(tx, workspaceId, before.id);
      return keep(tx, presentSource({ ...(now ?? before), languages: languagesOf(chunks) }, at));
    }),
);

const fresh = (at: Date, chunks: readonly Chunk[]) => ({
  used: {},
  chunks: chunks.length,
  readAt: at,
  createdAt: at,
  updatedAt: at,
});

/** The source that an input makes of the one before. Throws VALIDATION_FAILED. */
function draftOf(id: string, before: SourceRow | null, input: SnippetInput): SourceDraft {
  const kind = before?.kind ?? "snippet";
  const texts = kind === "snippet" ? textsOf(before, input) : {};
  if (kind === "snippet" && texts.en === undefined && texts.ar === undefined)
    throw invalid("text", "is required: a snippet has a text in one language at least");
  if (kind !== "snippet" && (input.text !== undefined || input.texts !== undefined))
    throw invalid("text", "is read from the source; only a snippet has a text of its own");
  if (kind === "saved_reply" && input.title.trim() !== before?.title)
    throw invalid("title", "is the saved reply's; change it there");
  const asked = input.askedAs ?? before?.askedAs ?? [];
  return {
    id,
    kind,
    title: input.title.trim() || refuseEmpty("title"),
    externalId: input.externalId ?? before?.externalId ?? null,
    texts,
    askedAs: [...new Set(asked.map((one) => one.trim()).filter((one) => one !== ""))],
    address: before?.address ?? null,
    savedReplyId: before?.savedReplyId ?? null,
    etag: before?.etag ?? null,
    status: before?.status ?? "ready",
    reason: before?.reason ?? null,
    validUntil:
      input.validUntil === undefined ? (before?.validUntil ?? null) : endOf(input.validUntil),
  };
}

function refuseEmpty(path: string): never {
  throw invalid(path, "must not be empty");
}

function textsOf(
  before: SourceRow | null,
  { text, lang, texts }: SnippetInput,
): SourceDraft["texts"] {
  if (text !== undefined && texts !== undefined)
    throw invalid("texts", "must not be given beside text");
  const given: NonNullable<SnippetInput["texts"]> =
    texts ?? (text === undefined ? {} : { [lang ?? langOf(text)]: text });
  const kept = texts === undefined ? (before?.texts ?? {}) : {};
  const found: { en?: string; ar?: string } = {};
  for (const one of KNOWLEDGE_LANGS) {
    const value = (given[one] ?? kept[one])?.trim();
    if (value !== undefined && value !== "") found[one] = value;
  }
  return found;
}

/** A day ends at midnight. */
const endOf = (given: string | null): Date | null => {
  if (given === null) return null;
  const at = new Date(given.length === 10 ? `${given}T00:00:00Z` : given);
  return given.length === 10 ? new Date(at.getTime() + 86_400_000) : at;
};

/** Cuts a snippet's texts and stores the chunks; those that stay the same keep their ids. */
async function storeChunks(
  context: Pick<Context, "ids">,
  tx: Tx,
  workspaceId: string,
  source: Pick<SourceDraft, "id" | "title" | "texts" | "askedAs">,
  version: number,
): Promise<Chunk[]> {
  const pieces = KNOWLEDGE_LANGS.flatMap((lang) =>
    cutChunks(source.title, source.texts[lang] ?? "").map((piece, place) => ({
      ...piece,
      lang,
      place,
    })),
  );
  return placeChunks(context, tx, workspaceId, { ...source, pieces }, version);
}

/** Adds an answer to a snippet, or changes how it is asked for, within a transaction. */
export async function rewriteSnippet(
  actor: Actor | string,
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  workspaceId: string,
  before: SourceRow,
  change: {
    readonly answer?: string;
    readonly askedAs: readonly string[];
    readonly title?: string;
  },
): Promise<void> {
  const at = context.clock.now();
  const { answer, askedAs, title = before.title } = change;
  const lang = langOf(answer ?? "");
  const text = [before.texts[lang], answer].filter((one) => one !== undefined).join("\n\n");
  const texts = answer === undefined ? before.texts : { ...before.texts, [lang]: text };
  const draft = { ...before, title, texts, askedAs };
  await updateSource(tx, workspaceId, draft, at);
  await storeChunks(context, tx, workspaceId, draft, await nextVersion(tx, workspaceId, at));
  await audit(actor, context, tx, workspaceId, { action: "knowledge.updated", subject: before.id });
}

/** Chunks of a file or page with other words that customers ask by. */
async function renewAskedAs(
  tx: Tx,
  workspaceId: string,
  source: Pick<SourceDraft, "id" | "askedAs">,
  version: number,
): Promise<Chunk[]> {
  const before = await selectChunksOf(tx, workspaceId, source.id);
  const askedAs = source.askedAs.join("\n");
  if (before.every((one) => one.askedAs === askedAs)) return before;
  const chunks = before.map((one) => ({ ...one, askedAs }));
  await replaceChunks(tx, workspaceId, source.id, version, chunks);
  return chunks;
}
