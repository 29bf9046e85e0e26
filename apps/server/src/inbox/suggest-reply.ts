import { actorName } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Conversation } from "../conversations/conversation.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { lockConversations } from "../conversations/touch-conversations.ts";
import type { Tx } from "../db/database.ts";
import { changeDesk } from "../desk/desk-change.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { deskTopic } from "../lib/topics.ts";
import type { InputOf } from "../operations/operation.ts";
import { suggestions } from "../operations/suggestions.ts";
import type { SuggestionJson } from "../wire/suggestion.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { perform } from "../write.ts";
import { authorOf } from "./author-of.ts";
import { chooseTemplate, fillChosen, type TemplateGiven } from "./choose-template.ts";
import { foreignLinks } from "./links.ts";
import {
  deleteSettledBefore,
  insertSuggestion,
  selectNewestSuggestion,
  selectOpen,
  selectSuggestion,
  endSuggestion,
} from "./suggestion-store.ts";
import {
  isSame,
  presentSuggestion,
  settledEvent,
  type Suggested,
  type Suggestion,
} from "./suggestion.ts";

export { selectSuggestionsOf as suggestionsOf } from "./suggestion-store.ts";

/** How long a suggestion is kept after it was used or discarded. */
const KEPT_MS = 90 * 86_400_000;

type Settling = Pick<Context, "ids" | "clock" | "wake">;
type Given = InputOf<typeof suggestions.suggestReply>;

/**
 * Stores a reply for members to decide on, in place of the open one by the same author; the same content again changes
 * nothing. A link to a host that the team did not write itself is named beside it. Throws NOT_FOUND, VALIDATION_FAILED, and the errors of a template that cannot be sent.
 */
export const suggestReply = perform(
  suggestions.suggestReply,
  async (actor, context: Context, workspaceId, given) => {
    const thread = await findConversation(context, workspaceId, given.id);
    if (!thread) throw noConversation();
    const proposed = await contentOf(context, thread, given);
    const warned = await warnOfLinks(context, workspaceId, proposed);
    const content = { ...proposed, reason: warned };
    const { authorName } = await authorOf(actor, context, workspaceId);
    const author = actorName(actor);
    const { stored, isNew } = await context.db.transaction((tx) =>
      storeSuggestion(context, tx, workspaceId, { id: thread.id, author, authorName, content }),
    );
    if (isNew) await sayChanged(context, workspaceId, thread.id);
    return presentSuggestion(stored);
  },
);

/**
 * Stores a suggestion in place of the open one by the same author, in the caller's transaction; the same content again
 * changes nothing. Throws NOT_FOUND. Then `sayChanged`.
 */
export async function storeSuggestion(
  context: Settling,
  tx: Tx,
  workspaceId: string,
  {
    id: conversationId,
    author,
    authorName,
    content,
  }: {
    readonly id: string;
    readonly author: string;
    readonly authorName: string | null;
    readonly content: Suggested;
  },
): Promise<{ readonly stored: Suggestion; readonly isNew: boolean }> {
  const conversation = await lockedThread(tx, workspaceId, conversationId);
  const before = await selectNewestSuggestion(tx, workspaceId, conversationId, author);
  if (before?.state === "open" && isSame(before, content)) return { stored: before, isNew: false };
  const at = context.clock.now();
  const end = { state: "discarded", settledAt: at, settledBy: author, messageId: null } as const;
  if (before?.state === "open") await closeSuggestion(context, tx, conversation, before.id, end);
  const one: Suggestion = {
    ...content,
    id: context.ids.next(),
    conversationId,
    author,
    authorName,
    state: "open",
    createdAt: at,
    settledAt: null,
    settledBy: null,
    messageId: null,
  };
  await insertSuggestion(tx, workspaceId, one);
  changeDesk(tx, [{ conversation }]);
  return { stored: one, isNew: true };
}

/** The author's newest suggestion in a conversation, in any state. Throws NOT_FOUND. */
export const readSuggestion = perform(
  suggestions.readSuggestion,
  async (actor, context: Pick<Context, "db">, workspaceId, { id }) => {
    const found = isId(id)
      ? await selectNewestSuggestion(context.db, workspaceId, id, actorName(actor))
      : null;
    if (!found) throw noSuggestion();
    return presentSuggestion(found);
  },
);

/** A suggestion in any state; null: there is none any more. */
export async function findSuggestion(
  { db }: Pick<Context, "db">,
  workspaceId: string,
  id: string,
): Promise<SuggestionJson | null> {
  const found = await selectSuggestion(db, workspaceId, id);
  return found && presentSuggestion(found);
}

/** Takes the author's open suggestion back. Throws NOT_FOUND: there is none. */
export const withdrawSuggestion = perform(
  suggestions.withdrawSuggestion,
  async (
    actor,
    context: Settling & Pick<Context, "db" | "topics">,
    workspaceId,
    { id: conversationId },
  ) => {
    const author = actorName(actor);
    const found = isId(conversationId)
      ? await selectNewestSuggestion(context.db, workspaceId, conversationId, author)
      : null;
    if (found?.state !== "open") throw noSuggestion();
    const ended = await context.db.transaction(async (tx) =>
      discardWithin(context, tx, workspaceId, found, author),
    );
    if (!ended) throw noSuggestion();
    await sayChanged(context, workspaceId, conversationId);
    return {};
  },
);

/** The open suggestions of a conversation, newest first. Throws NOT_FOUND for an unknown conversation. */
export const listSuggestions = perform(
  suggestions.listSuggestions,
  async (_actor, context: Pick<Context, "db">, workspaceId, { id }) => {
    if (!(await findConversation(context, workspaceId, id))) throw noConversation();
    const items = await selectOpen(context.db, workspaceId, id);
    return { items: items.map(presentSuggestion) };
  },
);

/** A member decides not to send it. Throws NOT_FOUND, NOT_ALLOWED_IN_STATE for one that is not open. */
export const discardSuggestion = perform(
  suggestions.discardSuggestion,
  async (
    actor,
    context: Settling & Pick<Context, "db" | "topics">,
    workspaceId,
    { id },
    { keep },
  ) => {
    const found = isId(id) ? await selectSuggestion(context.db, workspaceId, id) : null;
    if (!found) throw noSuggestion();
    const kept = await context.db.transaction(async (tx) => {
      const ended = await discardWithin(context, tx, workspaceId, found, actorName(actor));
      if (!ended) throw settledBefore();
      return keep(tx, presentSuggestion(ended));
    });
    await sayChanged(context, workspaceId, found.conversationId);
    return kept;
  },
);

/** Deletes suggestions that were used or discarded 90 days ago. Gives how many. */
export function pruneSuggestions({ db, clock }: Pick<Context, "db" | "clock">): Promise<number> {
  return deleteSettledBefore(db, new Date(clock.now().getTime() - KEPT_MS));
}

/** A suggestion was used or discarded before. */
export const settledBefore = () =>
  new AppError("NOT_ALLOWED_IN_STATE", {
    explanation: "the suggestion was used or discarded before",
  });
export const noSuggestion = () => new AppError("NOT_FOUND", { explanation: "no such suggestion" });
const noConversation = () => new AppError("NOT_FOUND", { explanation: "no such conversation" });

/** Ends an open suggestion of a locked conversation, and emits the outcome. Null: it is not open any more. */
export async function closeSuggestion(
  context: Settling,
  tx: Tx,
  { workspaceId, contactId }: Pick<Conversation, "workspaceId" | "contactId">,
  id: string,
  end: Parameters<typeof endSuggestion>[3],
): Promise<Suggestion | null> {
  const ended = await endSuggestion(tx, workspaceId, id, end);
  if (ended) await emitEvents(context, tx, [settledEvent(workspaceId, contactId, ended)]);
  return ended;
}

/** The conversation is locked first, as in everything that writes into one. Null: it is not open any more. */
async function discardWithin(
  context: Settling,
  tx: Tx,
  workspaceId: string,
  { id, conversationId }: { readonly id: string; readonly conversationId: string },
  settledBy: string,
) {
  const conversation = await lockedThread(tx, workspaceId, conversationId);
  const end = { state: "discarded", settledAt: context.clock.now(), settledBy } as const;
  const ended = await closeSuggestion(context, tx, conversation, id, { ...end, messageId: null });
  if (ended) changeDesk(tx, [{ conversation }]);
  return ended;
}

/** Throws NOT_FOUND. */
export async function lockedThread(tx: Tx, workspaceId: string, id: string): Promise<Conversation> {
  const [thread] = await lockConversations(tx, [{ workspaceId, id }]);
  if (!thread) throw noConversation();
  return thread;
}

/** Sends a hint to the open pages of the conversation. */
export const sayChanged = (
  { topics }: Pick<Context, "topics">,
  workspaceId: string,
  conversationId: string,
): Promise<void> => topics.publish(deskTopic(workspaceId), { kind: "suggestion", conversationId });

/** Why it is suggested, with a warning of links that the text of a customer may have asked the program for. */
async function warnOfLinks(
  context: Context,
  workspaceId: string,
  { text, reason }: Suggested,
): Promise<string | null> {
  const foreign = await foreignLinks(context, workspaceId, [text]);
  if (foreign.length === 0) return reason;
  const locale = (await findWorkspace(context, workspaceId))?.locale ?? "en";
  const warning = LINKS[locale].replaceAll("{hosts}", foreign.slice(0, 5).join(", "));
  return [warning, ...(reason === null ? [] : [reason])].join("\n");
}

const LINKS = {
  en: "Look at the link: no saved reply and no template of the team names {hosts}.",
  ar: "تحقّق من الرابط: لا يذكر أيّ رد محفوظ ولا قالب للفريق {hosts}.",
} as const;

/** What is proposed. A template is chosen and filled now, so that one that cannot be sent is refused now. */
async function contentOf(
  context: Context,
  { workspaceId, channelId }: Conversation,
  { text, template, body, header, buttons, reason, sources = [] }: Given,
): Promise<Suggested> {
  const about = { reason: reason ?? null, sources };
  if (template) {
    if (text !== undefined) throw invalid("template", "goes without text");
    const parts: Omit<TemplateGiven, "template"> = {
      ...(body && { body }),
      ...(header && { header }),
      ...(buttons && { buttons }),
    };
    const chosen = await chooseTemplate(context, workspaceId, { template }, channelId);
    const given = { template: { id: chosen.id }, ...parts };
    const filled = await fillChosen(context, chosen, given);
    return { ...about, text: filled.text, template: given };
  }
  if (body !== undefined || header !== undefined || buttons !== undefined)
    throw invalid("template", "is needed for body, header and buttons");
  if (text === undefined || text.trim() === "")
    throw invalid("text", "must be given, or a template");
  return { ...about, text, template: null };
}
