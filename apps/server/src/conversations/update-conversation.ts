import { write } from "../write.ts";
import { actorName, type Actor } from "../actor.ts";
import type { Context, HandlerChange } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { changeDesk } from "../desk/desk-change.ts";
import { isId } from "../lib/ids.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { endNotices, notifyMembers } from "../workspaces/member-notice.ts";
import { keptAssignee } from "../workspaces/save-profile.ts";
import { audit, type AuditEntry } from "../workspaces/write-audit.ts";
import { conversationEvent, type Conversation, type ShownConversation } from "./conversation.ts";
import type { ConversationStatus } from "../wire/words.ts";
import { lockShown, writeDesk } from "./conversation-store.ts";
import { changeHandlers } from "./handler.ts";

const NO_MEMBER = "must be a member's id, as GET /v1/members lists it";

/** An act whose own line of the thread says who has the conversation now. */
export type ActWithLine = "taken_over" | "given_back";

/** A person's change of a conversation. A member that is absent stays as it was. */
export interface ConversationPatch {
  readonly status?: ConversationStatus;
  /** A member's id; null: nobody. */
  readonly assigneeId?: string | null;
  readonly labels?: readonly string[];
  /** Added to and removed from its labels, when `labels` is absent. */
  readonly addLabels?: readonly string[];
  readonly removeLabels?: readonly string[];
  /** The end of the snooze. It counts only with the status `snoozed`. Null: it has no end. */
  readonly until?: Date | null;
  /** Sets the unread count to zero. */
  readonly read?: true;
}

/**
 * Changes a conversation and emits `conversation.updated`, unless nothing changed. Labels are trimmed, lower-cased
 * and listed once, like tags. The audit, which the contact's timeline shows, names changes of the status
 * (`conversation.resolved`), the assignee and the labels, but not reading. Throws NOT_FOUND, VALIDATION_FAILED.
 */
export const updateConversation = write(
  "conversation.update",
  async (
    actor,
    context: Context,
    workspaceId: string,
    id: string,
    patch: ConversationPatch,
  ): Promise<ShownConversation> => {
    return context.db.transaction((tx) => updateWithin(actor, context, tx, workspaceId, id, patch));
  },
);

/**
 * The same in the caller's transaction. Throws the same errors. `beside`: the act that this change is a part of and that has
 * an entry of its own in the audit, so that the thread shows one line.
 */
export async function updateWithin(
  actor: Actor,
  context: Context,
  tx: Tx,
  workspaceId: string,
  id: string,
  patch: ConversationPatch,
  beside?: ActWithLine,
): Promise<ShownConversation> {
  const assigneeId = patch.assigneeId ?? null;
  if (assigneeId !== null && !isId(assigneeId)) throw invalid("assigneeId", NO_MEMBER);
  const before = isId(id) ? await lockShown(tx, workspaceId, id) : null;
  if (!before) throw new AppError("NOT_FOUND", { explanation: "no such conversation" });
  const reopens = before.status !== "open" && patch.status === "open";
  const own = actor.kind === "member" && actor.memberId === before.assigneeId;
  const staying = reopens && !own ? await keptAssignee(tx, before) : before.assigneeId;
  const changed: ShownConversation = {
    ...before,
    status: patch.status ?? before.status,
    assigneeId: patch.assigneeId === undefined ? staying : assigneeId,
    labels: labelsAfter(before.labels, patch),
    unreadCount: patch.read ? 0 : before.unreadCount,
    snoozedUntil: patch.until === undefined ? before.snoozedUntil : patch.until,
  };
  const snoozes = changed.status === "snoozed" && patch.until !== undefined;
  if (!snoozes && JSON.stringify(changed) === JSON.stringify(before)) return before;
  if (!(await writeDesk(tx, changed))) throw invalid("assigneeId", NO_MEMBER);
  const left = await changeHandlers(context, tx, handlersOf(actor, before, changed));
  const after = { ...changed, handler: left.changed.get(id) ?? before.handler };
  const takes =
    assigneeId !== null &&
    actor.kind === "member" &&
    actor.memberId === assigneeId &&
    before.handler.kind === "bot";
  const act = beside ?? (takes ? "taken_over" : undefined);
  for (const entry of entriesOf(before, after, { until: patch.until ?? null, beside: act }))
    await audit(actor, context, tx, workspaceId, { ...entry, subject: id });
  if (after.status === "resolved" && before.status !== "resolved")
    await endNotices(context, tx, workspaceId, id, "resolved");
  await tellAssigned(actor, context, tx, before, after);
  await emitEvents(context, tx, [
    conversationEvent("conversation.updated", after, actor),
    ...(await left.settle()),
  ]);
  changeDesk(tx, [
    {
      conversation: after,
      ...(reopens && { actedAt: context.clock.now() }),
      // A resolved conversation waits for nobody.
      ...(after.status === "resolved" && { waiting: "nobody" }),
      ...(patch.until !== undefined && { snoozedUntil: patch.until }),
    },
  ]);
  return after;
}

/** A member who gets the conversation answers it. A resolved one is answered by no one, and a bot may begin again. */
function handlersOf(actor: Actor, before: Conversation, after: Conversation): HandlerChange[] {
  const { status, assigneeId } = after;
  const change = { ...after, conversationId: after.id, by: actorName(actor) };
  if (status === "resolved" && before.status !== "resolved") return [{ ...change, to: "nobody" }];
  if (assigneeId !== null && assigneeId !== before.assigneeId) return [{ ...change, to: "person" }];
  return [];
}

/** Tells a member that somebody else assigned a conversation to them. */
async function tellAssigned(
  actor: Actor,
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  before: Conversation,
  { workspaceId, id, assigneeId }: Conversation,
): Promise<void> {
  const giver = actor.kind === "member" ? actor.memberId : null;
  if (assigneeId === null || assigneeId === before.assigneeId || assigneeId === giver) return;
  const members = giver === null ? [] : await listMembers(tx, workspaceId);
  const subject = members.find((member) => member.id === giver)?.name ?? "";
  const ref = `/inbox/mine/${id}`;
  const notice = { memberId: assigneeId, subject, body: "", ref, conversationId: id } as const;
  await notifyMembers(context, tx, workspaceId, [{ ...notice, kind: "assigned" }]);
}

/** The entries of the audit for a change. */
export function entriesOf(
  before: Conversation,
  after: Conversation,
  { until, beside }: { readonly until: Date | null; readonly beside: ActWithLine | undefined },
): Omit<AuditEntry, "subject">[] {
  const { status, assigneeId } = after;
  const added = after.labels.filter((label) => !before.labels.includes(label));
  const removed = before.labels.filter((label) => !after.labels.includes(label));
  const entries: Omit<AuditEntry, "subject">[] = [];
  if (status !== before.status || (status === "snoozed" && until !== null))
    entries.push({
      action: `conversation.${status}`,
      ...(status === "snoozed" && { facts: { until } }),
    });
  if (assigneeId !== before.assigneeId)
    entries.push({
      action: "conversation.assigned",
      facts: { from: before.assigneeId, to: assigneeId, ...(beside && { beside }) },
    });
  if (added.length + removed.length > 0)
    entries.push({ action: "conversation.labelled", facts: { added, removed } });
  return entries;
}

function labelsAfter(before: readonly string[], patch: ConversationPatch): readonly string[] {
  if (patch.labels) return tidyLabels(patch.labels);
  const removed = tidyLabels(patch.removeLabels ?? []);
  const added = tidyLabels(patch.addLabels ?? []).filter((label) => !before.includes(label));
  return [...before.filter((label) => !removed.includes(label)), ...added];
}

/** Trimmed, in lower case, each once. */
export function tidyLabels(labels: readonly string[]): string[] {
  const clean = labels.map((label) => label.trim().toLowerCase()).filter((label) => label !== "");
  return [...new Set(clean)];
}
