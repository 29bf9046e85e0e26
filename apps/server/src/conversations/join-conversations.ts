import { SYSTEM } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { changeDesk } from "../desk/desk-change.ts";
import { leaveDesk } from "../desk/desk-gone.ts";
import { snoozesOf } from "../desk/snoozes.ts";
import { joinedFrom } from "../workspaces/list-audit.ts";
import { keptAssignee } from "../workspaces/save-profile.ts";
import { audit } from "../workspaces/write-audit.ts";
import type { Conversation, ShownConversation } from "./conversation.ts";
import { lockByThread, lockShown } from "./conversation-store.ts";
import { absorbThread, giveThread } from "./thread-store.ts";
import { entriesOf } from "./update-conversation.ts";

/** Two conversations on one channel that become one. */
export interface JoiningConversations {
  readonly from: ShownConversation | null;
  readonly into: ShownConversation | null;
}

/** Locks the conversations of two contacts on a channel. */
export async function lockJoining(
  tx: Tx,
  key: { readonly workspaceId: string; readonly channelId: string },
  fromContactId: string,
  intoContactId: string,
): Promise<JoiningConversations> {
  const ids = [...new Set([fromContactId, intoContactId])];
  const rows = await lockByThread(
    tx,
    ids.map((contactId) => ({ ...key, contactId })),
  );
  const of = async (contactId: string) => {
    const row = rows.find((one) => one.contactId === contactId);
    return row ? lockShown(tx, key.workspaceId, row.id) : null;
  };
  return {
    from: fromContactId === intoContactId ? null : await of(fromContactId),
    into: await of(intoContactId),
  };
}

/** Gives the conversation to that contact. */
export function redirectThread(
  tx: Tx,
  conversation: Conversation,
  contactId: string,
  externalId: string,
): Promise<void> {
  return giveThread(tx, conversation, contactId, externalId);
}

/** Where people are at work, before what waits, before what is done. */
const RANK = { open: 0, snoozed: 1, resolved: 2 } as const;

/**
 * The messages of `from` must have been moved to `into` already, and who answers it. `from` is deleted. `into` gets its unread
 * messages and labels, and the status and assignee of the one that people are at work in; of two alike those of `into`. Where that
 * one has no assignee, the other's has it, as long as that member is at work or the other one was open, and no bot answers. Of two snoozes the
 * one that ends first counts. The thread says what was joined, and what changed.
 */
export async function absorbConversation(
  context: Pick<Context, "ids" | "clock">,
  tx: Tx,
  from: ShownConversation,
  into: ShownConversation,
): Promise<ShownConversation> {
  const { workspaceId, id } = into;
  const now = await lockShown(tx, workspaceId, id);
  const [first, second] = RANK[from.status] < RANK[into.status] ? [from, into] : [into, from];
  const { status } = first;
  const assigneeId =
    first.assigneeId ?? (now?.handler.kind === "bot" ? null : await assigneeOf(tx, second));
  const ends = await snoozesOf(tx, workspaceId, [from.id, id]);
  const [snoozedUntil = null] = ends.map(({ until }) => until).toSorted((a, b) => +a - +b);
  leaveDesk(tx, workspaceId, [from.id]);
  await absorbThread(tx, workspaceId, from.id, id, { status, assigneeId });
  const joined = (await lockShown(tx, workspaceId, id)) ?? into;
  const lost = from.assigneeId !== assigneeId && from.assigneeId;
  const facts = {
    // What was done in the other one is shown in this one's thread.
    joinedFrom: [from.id, ...(await joinedFrom(tx, workspaceId, from.id))],
    ...(lost && { assignedTo: lost }),
  };
  await audit(SYSTEM, context, tx, workspaceId, {
    action: "conversation.joined",
    subject: id,
    facts,
  });
  for (const entry of entriesOf(into, joined, { until: snoozedUntil, beside: undefined }))
    await audit(SYSTEM, context, tx, workspaceId, { ...entry, subject: id });
  changeDesk(tx, [{ conversation: joined, snoozedUntil }]);
  return { ...joined, snoozedUntil };
}

/** Who has the conversation after the other one. A member who is not at work gets none that opens again. */
const assigneeOf = (tx: Tx, { status, workspaceId, assigneeId }: Conversation) =>
  status === "open" ? assigneeId : keptAssignee(tx, { workspaceId, assigneeId });
