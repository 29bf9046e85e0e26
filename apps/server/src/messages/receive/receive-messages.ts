import type { Context } from "../../context.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import { profileSourceFor } from "../../channels/registry.ts";
import { lockAgainstDeletion } from "../../contacts/identity/lock-against-deletion.ts";
import {
  lookUpContacts,
  matchContacts,
  type MatchedContact,
  type Sighting,
} from "../../contacts/identity/match-contacts.ts";
import { requestProfiles } from "../../contacts/record/request-profiles.ts";
import { SYSTEM } from "../../actor.ts";
import { ownWordsFor } from "../../contacts/consent/own-words.ts";
import { setConsent } from "../../contacts/consent/set-consent.ts";
import {
  conversationEvent,
  type Conversation,
  type ShownConversation,
} from "../../conversations/conversation.ts";
import { publishThreadChanges } from "../record/thread-store.ts";
import { openConversations } from "../../conversations/open-conversations.ts";
import { recordInbound } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import { changeDesk } from "../../desk/desk-change.ts";
import type { Settled } from "../../lib/group-commit.ts";
import { storeInbound } from "../../media/attach-inbound.ts";
import { retainAttachments } from "../../media/attach-uploads.ts";
import { countMessages } from "../../usage/count-messages.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { audit, type AuditEntry } from "../../workspaces/write-audit.ts";
import { consentChanges } from "./consent-words.ts";
import { deskArrivals } from "./desk-arrivals.ts";
import { popEarlyChanges } from "./early-change-store.ts";
import { messageEvent, uploadedFileEvents } from "../record/message.ts";
import { nameReferences } from "../accept/name-references.ts";
import { insertInboundMessages } from "./inbound-store.ts";
import { notAfter, planMessages } from "./plan-messages.ts";
import { providerKeyOf, selectArrived } from "../record/message-store.ts";
import type { InboundItem } from "./receive-events.ts";

export type ReceivedMessage = InboundItem<Extract<InboundEvent, { kind: "message" }>>;

/**
 * Stores customers' messages that arrived together, each once by channel and platform id. Answers false for a message
 * that was known already.
 * For each message it finds or creates the contact and the conversation. It opens a resolved or snoozed conversation
 * and raises the unread count. It prolongs the reply window, counted from the message's own time, and never shortens
 * it. A lone stop or start word also changes the consent. A reaction that was taken back is only stored.
 */
export async function receiveMessages(
  context: Context,
  tx: Tx,
  items: readonly ReceivedMessage[],
): Promise<Settled<boolean>[]> {
  const begun = context.clock.now();
  const sightingOf = ({ account, event }: ReceivedMessage): Sighting => ({
    ...account,
    ...event.from,
    at: notAfter(event.occurredAt, begun),
    seen: true,
  });
  const [fresh, people, ownWords] = await Promise.all([
    withoutKnown(tx, items),
    lookUpContacts(tx, items.map(sightingOf)),
    ownWordsFor(
      tx,
      items.map(({ account, event }) => ({ ...account, text: event.content.text })),
    ),
  ]);
  const batch = [...fresh.values()];
  const { matches, events } = await matchContacts(context, tx, batch.map(sightingOf), people);
  // Taken after the contacts were created, so that no message is older than its contact.
  const now = context.clock.now();
  const contactOf = (index: number) => matches[index]?.contactId ?? "";
  await requestProfiles(context, tx, nameless(batch, matches));
  const texts = batch.map(({ account, event }, index) => ({
    ...account,
    contactId: contactOf(index),
    type: event.content.type,
    text: event.content.text,
    at: notAfter(event.occurredAt, now),
  }));
  events.push(...(await setConsent(context, tx, await consentChanges(tx, texts, ownWords))));
  const [opened, early] = await Promise.all([
    openConversations(
      context,
      tx,
      batch.map(({ account, event }, index) => ({
        ...account,
        contactId: contactOf(index),
        externalId: event.threadId ?? event.from.externalId,
        at: now,
      })),
    ),
    // A message that was edited or withdrawn before it came is stored as it is now.
    popEarlyChanges(tx, batch.map(keyOf)),
  ]);
  await lockOwners(tx, opened, matches);
  const named = await nameReferences(
    tx,
    batch.map(({ account, event }, index) => ({
      account,
      conversationId: opened[index]?.conversation.id ?? null,
      attachments: event.content.attachments,
    })),
  );
  const placed = batch.flatMap((item, index) => {
    const conversation = opened[index]?.conversation;
    if (!conversation) return [];
    const changes = early.get(providerKeyOf(keyOf(item)));
    return [{ item, conversation, attachments: named[index] ?? [], changes }];
  });
  const { messages, files, marks, uploads, answers } = planMessages(context, placed, ownWords, now);
  if (messages.length > 0) tx.later(insertInboundMessages(tx, messages));
  await storeInbound(context, tx, files);

  // Only a new or reopened conversation needs an event. Otherwise nothing waits for the answer.
  const telling = opened.some((one) => one.created || one.conversation.status !== "open");
  const marking = recordInbound(context, tx, marks, telling);
  if (!telling) tx.later(marking);
  const marked = telling ? await marking : [];
  if (uploads.length > 0) await retainAttachments(tx, uploads);
  tx.later(publishThreadChanges(context, tx, messages));
  // Followers send their statements together with the commit, which costs no round trip.
  if (answers.length > 0)
    for (const follow of context.inboundFollowers) tx.later(follow(context, tx, answers));
  for (const { workspaceId, ...entry } of reopenings(opened, marked))
    tx.later(audit(SYSTEM, context, tx, workspaceId, entry));
  events.push(
    ...threadEvents(opened, marked),
    ...messages.flatMap((message) => [messageEvent(message), ...uploadedFileEvents(message, now)]),
  );
  await countMessages(
    tx,
    messages.map(({ workspaceId, channelId }) => ({
      workspaceId,
      channelId,
      at: now,
      received: 1,
    })),
  );
  await emitEvents(context, tx, events);
  changeDesk(tx, deskArrivals(beforeDesk(placed, marked), marks, messages, now));
  const taken = new Set(placed.map((one) => one.item));
  return items.map((item) => ({ ok: true, value: taken.has(item) }));
}

/** Makes sure that known contacts of new conversations were not deleted meanwhile. Otherwise the batch begins again. */
async function lockOwners(
  tx: Tx,
  opened: readonly OpenedThread[],
  matches: readonly MatchedContact[],
): Promise<void> {
  // An erasure meanwhile took the conversation: the message creates a new contact.
  await lockAgainstDeletion(
    tx,
    opened.flatMap(({ conversation, created }, index) =>
      created && matches[index]?.created !== true
        ? [{ workspaceId: conversation.workspaceId, id: conversation.contactId }]
        : [],
    ),
  );
}

/** The conversations as they were before the messages, but with the assignee that they have now. */
function beforeDesk(
  placed: readonly { readonly conversation: Conversation }[],
  marked: readonly Conversation[],
): Conversation[] {
  const assignees = new Map(marked.map(({ id, assigneeId }) => [id, assigneeId]));
  return placed.map(({ conversation }) => ({
    ...conversation,
    // Reopening unassigns a member who is away.
    assigneeId: assignees.has(conversation.id)
      ? (assignees.get(conversation.id) ?? null)
      : conversation.assigneeId,
  }));
}

/** The new contacts whose name their platform tells only when asked. */
const nameless = (batch: readonly ReceivedMessage[], matches: readonly MatchedContact[]) =>
  batch.flatMap(({ account, event: { from } }, index) => {
    const match = matches[index];
    if (!match?.created || from.name !== null) return [];
    if (profileSourceFor(account.channelType) === null) return [];
    return [{ ...account, externalId: from.externalId, contactId: match.contactId }];
  });

type OpenedThread = Awaited<ReturnType<typeof openConversations>>[number];

/** The events of new conversations, and of those that the messages reopened. */
function threadEvents(
  opened: readonly OpenedThread[],
  marked: readonly ShownConversation[],
): NewEvent[] {
  const created = new Set(opened.filter((one) => one.created).map((one) => one.conversation.id));
  const before = new Map(opened.map((one) => [one.conversation.id, one.conversation.status]));
  return marked.flatMap((conversation) => {
    const { id, status } = conversation;
    if (created.has(id)) return [conversationEvent("conversation.created", conversation)];
    if (before.get(id) === status) return [];
    return [conversationEvent("conversation.updated", conversation)];
  });
}

/** What the audit says of conversations that a customer opened again: that, and who no longer has them. */
function reopenings(
  opened: readonly OpenedThread[],
  marked: readonly Conversation[],
): (AuditEntry & { readonly workspaceId: string })[] {
  const before = new Map(opened.map(({ conversation }) => [conversation.id, conversation]));
  return marked.flatMap(({ workspaceId, id: subject, status, assigneeId }) => {
    const was = before.get(subject);
    if (!was || was.status === status) return [];
    const facts = { from: was.assigneeId, to: assigneeId };
    return [
      { workspaceId, action: "conversation.open", subject, facts: { by: "customer" } } as const,
      ...(was.assigneeId === assigneeId
        ? []
        : [{ workspaceId, action: "conversation.assigned", subject, facts } as const]),
    ];
  });
}

/** The first message of each platform id in the batch, without those that are stored already. */
async function withoutKnown(
  tx: Tx,
  items: readonly ReceivedMessage[],
): Promise<Map<string, ReceivedMessage>> {
  const fresh = new Map<string, ReceivedMessage>();
  const keys = items.map(keyOf);
  for (const [index, item] of items.entries()) {
    const key = keys[index];
    if (key && !fresh.has(providerKeyOf(key))) fresh.set(providerKeyOf(key), item);
  }
  for (const known of await selectArrived(tx, keys)) fresh.delete(known);
  return fresh;
}

const keyOf = ({ account, event }: ReceivedMessage) => ({
  ...account,
  providerMessageId: event.externalMessageId,
});
