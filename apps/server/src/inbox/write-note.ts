import { actorName, type Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Conversation } from "../conversations/conversation.ts";
import { lockConversations } from "../conversations/touch-conversations.ts";
import type { Tx } from "../db/database.ts";
import { changeDesk, previewOf } from "../desk/desk-change.ts";
import { deskRow } from "../desk/read-desk.ts";
import { mentionMembers } from "../desk/mark-seen.ts";
import { AppError, invalid } from "../errors.ts";
import { beginningOf } from "../lib/beginning-of.ts";
import { isId } from "../lib/ids.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { deleteNoticesOfNote, notifyMembers } from "../workspaces/member-notice.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { audit } from "../workspaces/write-audit.ts";
import { conversationOfNote, insertNote, lockNote, replaceNote } from "./note-store.ts";
import { noteEvent, type NoteAuthor, type ThreadNote } from "./note.ts";

export { selectNotes as notesOf } from "./note-store.ts";

/** The content of a note. */
export interface NoteInput {
  /** 1 to 4,096 characters. */
  readonly text: string;
  /** Ids of members. Each is notified; ids of other workspaces and former members are left out. */
  readonly mentions?: readonly string[] | undefined;
}

type NoteContext = Pick<Context, "db" | "ids" | "clock" | "wake">;

/** How much of a note its notice repeats. */
const BEGINNING = 140;
const LONGEST = 4_096;

/**
 * Writes a note into a conversation and notifies the members it mentions, in the caller's transaction. `path` names the
 * text in a fault. Throws NOT_FOUND, VALIDATION_FAILED.
 */
export async function insertWithin(
  context: NoteContext,
  tx: Tx,
  workspaceId: string,
  conversationId: string,
  by: NoteAuthor,
  input: NoteInput,
  path = "text",
): Promise<ThreadNote> {
  const text = readText(input.text, path);
  // Its lock makes the id of the note greater than the ids already in the thread.
  const [thread] = isId(conversationId)
    ? await lockConversations(tx, [{ workspaceId, id: conversationId }])
    : [];
  if (!thread) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
  const mentions = await knownMembers(tx, workspaceId, input.mentions ?? []);
  const note: ThreadNote = {
    id: context.ids.next(),
    conversationId,
    ...by,
    text,
    mentions,
    createdAt: context.clock.now(),
    editedAt: null,
    deletedAt: null,
  };
  await insertNote(tx, workspaceId, note);
  await notifyMentioned(context, tx, workspaceId, note, []);
  changeDesk(tx, [{ conversation: thread, actedAt: note.createdAt, said: saidIn(note) }]);
  await emitEvents(context, tx, [noteEvent("note.created", workspaceId, thread.contactId, note)]);
  return note;
}

/**
 * Changes a note; newly mentioned members are notified. Throws FORBIDDEN for another's note, NOT_FOUND also for a deleted
 * one, VALIDATION_FAILED.
 */
export async function replaceText(
  actor: Actor,
  context: NoteContext,
  workspaceId: string,
  id: string,
  input: NoteInput,
): Promise<ThreadNote> {
  const text = readText(input.text);
  return context.db.transaction(async (tx) => {
    const { before, thread } = await lockLive(tx, workspaceId, id);
    if (!isAuthor(actor, before))
      throw new AppError("FORBIDDEN", { explanation: "only its author may change a note" });
    const mentions =
      input.mentions === undefined
        ? before.mentions
        : await knownMembers(tx, workspaceId, input.mentions);
    const note = { ...before, text, mentions, editedAt: context.clock.now() };
    await replaceNote(tx, workspaceId, note);
    await notifyMentioned(context, tx, workspaceId, note, before.mentions);
    await changePreview(tx, thread, before, note);
    const event = noteEvent("note.updated", workspaceId, thread.contactId, note);
    await emitEvents(context, tx, [event], actor);
    return note;
  });
}

/**
 * Deletes a note: its place in the thread stays, its text and its notices are removed. Allowed for its author, and
 * for owners and admins. Throws FORBIDDEN, NOT_FOUND.
 */
export async function blankNote(
  actor: Actor,
  context: NoteContext,
  workspaceId: string,
  id: string,
): Promise<ThreadNote> {
  return context.db.transaction(async (tx) => {
    const { before, thread } = await lockLive(tx, workspaceId, id);
    if (!mayDelete(actor, before))
      throw new AppError("FORBIDDEN", {
        explanation: "only its author or an admin may delete it",
      });
    const note = { ...before, text: "", mentions: [], deletedAt: context.clock.now() };
    await replaceNote(tx, workspaceId, note);
    await deleteNoticesOfNote(tx, workspaceId, note.conversationId, id);
    await audit(actor, context, tx, workspaceId, { action: "note.deleted", subject: id });
    await changePreview(tx, thread, before, note);
    const event = noteEvent("note.deleted", workspaceId, thread.contactId, note);
    await emitEvents(context, tx, [event], actor);
    return note;
  });
}

const isAuthor = (actor: Actor, note: ThreadNote): boolean =>
  actor.kind === "member" ? note.memberId === actor.memberId : note.author === actorName(actor);

/** What a row of the inbox shows of a note. A program's has the name of where it was written, as its messages. */
const saidIn = (note: ThreadNote) =>
  ({
    id: note.id,
    kind: "note",
    preview: previewOf(note.text),
    side: "note",
    by: note.memberId ?? "api",
  }) as const;

function mayDelete(actor: Actor, note: ThreadNote): boolean {
  if (actor.kind === "operator" || actor.kind === "system") return true;
  return (actor.kind === "member" && actor.role !== "agent") || isAuthor(actor, note);
}

/** Locks the conversation of a note, then the note: the order of everything that writes both. */
async function lockLive(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<{ readonly before: ThreadNote; readonly thread: Conversation }> {
  const conversationId = isId(id) ? await conversationOfNote(tx, workspaceId, id) : null;
  const [thread] = conversationId
    ? await lockConversations(tx, [{ workspaceId, id: conversationId }])
    : [];
  const before = thread ? await lockNote(tx, workspaceId, id) : null;
  if (!thread || !before || before.deletedAt !== null)
    throw new AppError("NOT_FOUND", { explanation: "no such note" });
  return { before, thread };
}

/** The row changes in any case, so that open pages read the note again and show no words that it no longer has. */
async function changePreview(
  tx: Tx,
  thread: Conversation,
  before: ThreadNote,
  after: ThreadNote,
): Promise<void> {
  const row = await deskRow(tx, thread.workspaceId, thread.id);
  if (!row) return;
  const shown = row.previewSide === "note" && row.preview === previewOf(before.text);
  changeDesk(tx, [{ conversation: thread, ...(shown && { said: saidIn(after) }) }]);
}

function readText(text: string, path = "text"): string {
  const length = Array.from(text).length;
  if (text.trim() === "" || length > LONGEST)
    throw invalid(path, `must be 1 to ${LONGEST} characters`);
  return text;
}

async function knownMembers(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const members = new Set((await listMembers(tx, workspaceId)).map(({ id }) => id));
  return [...new Set(ids)].filter((id) => members.has(id));
}

/** Nobody is notified of an own note, nor twice of one. */
async function notifyMentioned(
  context: NoteContext,
  tx: Tx,
  workspaceId: string,
  note: ThreadNote,
  told: readonly string[],
): Promise<void> {
  const anew = note.mentions.filter((id) => id !== note.memberId && !told.includes(id));
  if (anew.length === 0) return;
  mentionMembers(tx, workspaceId, note.conversationId, anew);
  const members = await listMembers(tx, workspaceId);
  const author = members.find(({ id }) => id === note.memberId)?.name ?? note.authorName ?? "";
  const common = {
    kind: "mention",
    subject: author,
    body: beginningOf(note.text, BEGINNING),
    ref: `/inbox/mentions/${note.conversationId}`,
    conversationId: note.conversationId,
    noteId: note.id,
  } as const;
  await notifyMembers(
    context,
    tx,
    workspaceId,
    anew.map((memberId) => ({ ...common, memberId })),
  );
}
