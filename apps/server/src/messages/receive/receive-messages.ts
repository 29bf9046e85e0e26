import type { Context } from "../../context.ts";
import type { InboundContent, InboundEvent } from "../../channels/adapter.ts";
import { profileSourceFor } from "../../channels/registry.ts";
import { lockAgainstDeletion } from "../../contacts/identity/lock-against-deletion.ts";
import {
  lookUpContacts,
  matchContacts,
  type MatchedContact,
  type Sighting,
} from "../../contacts/identity/match-contacts.ts";
import { requestProfiles } from "../../contacts/record/request-profiles.ts";
import { setConsent } from "../../contacts/consent/set-consent.ts";
import { conversationEvent, type Conversation } from "../../conversations/conversation.ts";
import { publishThreadChanges } from "../record/publish-thread-changes.ts";
import { openConversations } from "../../conversations/open-conversations.ts";
import { windowEnd } from "../../conversations/reply-window.ts";
import { recordInbound, type InboundMark } from "../../conversations/touch-conversations.ts";
import type { Tx } from "../../db/database.ts";
import type { Settled } from "../../lib/group-commit.ts";
import { planInbound, storeInbound } from "../../media/attach-inbound.ts";
import { retainAttachments } from "../../media/attach-uploads.ts";
import { attachedMedia } from "../../media/media.ts";
import { countMessages } from "../../usage/count-messages.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import type { NewEvent } from "../../webhooks/event.ts";
import { consentChanges } from "./consent-words.ts";
import { popEarlyChanges, withChanges } from "./early-change-store.ts";
import { followInbound } from "./follow-inbound.ts";
import { cleanContent, saysNothing } from "./inbound-content.ts";
import { messageEvent, type Message } from "../record/message.ts";
import { nameReferences } from "../accept/name-references.ts";
import { insertInboundMessages } from "./inbound-store.ts";
import { providerKeyOf, selectByProviderId } from "../record/message-store.ts";
import type { InboundItem } from "./receive-events.ts";

export type ReceivedMessage = InboundItem<Extract<InboundEvent, { kind: "message" }>>;

/**
 * Stores customers' messages that arrived together, each once by (channel, platform id). Finds or makes contact and
 * conversation, reopens a resolved one, raises unread and prolongs the reply window from the message's own time,
 * never shortening it; a stop or start word alone changes the consent, a reaction that was taken back is only stored. Answers false for one that was known already.
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
  const [fresh, people] = await Promise.all([
    withoutKnown(tx, items),
    lookUpContacts(tx, items.map(sightingOf)),
  ]);
  const batch = [...fresh.values()];
  const { matches, events } = await matchContacts(context, tx, batch.map(sightingOf), people);
  // Nothing is older than the contact that was made for it.
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
  events.push(...(await setConsent(context, tx, await consentChanges(tx, texts))));
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
    // What was edited or withdrawn before it came is stored as it is now.
    popEarlyChanges(tx, batch.map(keyOf)),
  ]);
  // Whoever erased the person meanwhile took the conversation: the message makes a new contact.
  await lockAgainstDeletion(
    tx,
    opened.flatMap(({ conversation, created }, index) =>
      created && matches[index]?.created !== true
        ? [{ workspaceId: conversation.workspaceId, id: conversation.contactId }]
        : [],
    ),
  );

  const rows = await readRows(context, tx, batch, opened, early, now);
  if (rows.length > 0)
    tx.later(
      insertInboundMessages(
        tx,
        rows.map((row) => row.message),
      ),
    );
  await storeInbound(
    context,
    tx,
    rows.flatMap((row) => row.files),
  );

  // Only of a conversation that is new or was resolved there is something to tell: else nobody waits for the answer.
  const telling = opened.some((one) => one.created || one.conversation.status === "resolved");
  const marking = recordInbound(tx, marksOf(rows, now), telling);
  if (!telling) tx.later(marking);
  const marked = telling ? await marking : [];
  await keepUploads(tx, rows);
  tx.later(
    publishThreadChanges(
      context,
      tx,
      rows.map((row) => row.message),
    ),
  );
  const written = ({ item }: { item: ReceivedMessage }) => notAfter(item.event.occurredAt, now);
  const answers = rows.map((row) => ({ message: row.message, at: written(row) }));
  followInbound(context, tx, answers);
  events.push(...threadEvents(opened, marked));
  events.push(...rows.map((row): NewEvent => messageEvent(row.message)));
  await countMessages(
    tx,
    rows.map(({ message: { workspaceId, channelId } }) => ({
      workspaceId,
      channelId,
      at: now,
      received: 1,
    })),
  );
  await emitEvents(context, tx, events);
  const taken = new Set(rows.map((row) => row.item));
  return items.map((item) => ({ ok: true, value: taken.has(item) }));
}

/** The new contacts whose name their platform tells only when it is asked. */
const nameless = (batch: readonly ReceivedMessage[], matches: readonly MatchedContact[]) =>
  batch.flatMap(({ account, event: { from } }, index) => {
    const match = matches[index];
    if (!match?.created || from.name !== null) return [];
    if (profileSourceFor(account.channelType) === null) return [];
    return [{ ...account, externalId: from.externalId, contactId: match.contactId }];
  });

type OpenedThread = Awaited<ReturnType<typeof openConversations>>[number];

/** A message as it is to be stored, with the rows of its files. */
interface InboundRow {
  readonly item: ReceivedMessage;
  readonly message: Message;
  readonly conversation: Conversation;
  readonly files: ReturnType<typeof planInbound>["rows"];
}

/** The rows of a batch, as they are after the changes that came before them. */
async function readRows(
  context: Context,
  tx: Tx,
  batch: readonly ReceivedMessage[],
  opened: readonly OpenedThread[],
  early: Awaited<ReturnType<typeof popEarlyChanges>>,
  now: Date,
): Promise<InboundRow[]> {
  const named = await nameReferences(
    tx,
    batch.map(({ account, event }, index) => ({
      account,
      conversationId: opened[index]?.conversation.id ?? null,
      attachments: event.content.attachments,
    })),
  );
  return batch.flatMap((item, index) => {
    const conversation = opened[index]?.conversation;
    if (!conversation) return [];
    const content = { ...item.event.content, attachments: named[index] ?? [] };
    const stored = inbound(context.ids.next(), item, content, conversation, now);
    const message = withChanges(stored, early.get(providerKeyOf(keyOf(item))));
    const { workspaceId, id, attachments } = message;
    const owner = { workspaceId, id, channelId: item.account.channelId };
    const media = message.type === "deleted" ? undefined : item.event.content.media;
    const planned = planInbound(context, owner, attachments, media);
    const whole = { ...message, attachments: planned.attachments };
    return [{ item, message: whole, conversation, files: planned.rows }];
  });
}

/** What is told of the conversations: those that are new, and those that the messages reopened. */
function threadEvents(
  opened: readonly OpenedThread[],
  marked: readonly Conversation[],
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

/** The first of each platform id in the batch, without those that are stored already. */
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
  for (const known of (await selectByProviderId(tx, keys)).keys()) fresh.delete(known);
  return fresh;
}

const keyOf = ({ account, event }: ReceivedMessage) => ({
  ...account,
  providerMessageId: event.externalMessageId,
});

function inbound(
  id: string,
  item: ReceivedMessage,
  content: InboundContent,
  thread: Conversation,
  now: Date,
): Message {
  const { account, event } = item;
  return {
    workspaceId: account.workspaceId,
    id,
    conversationId: thread.id,
    contactId: thread.contactId,
    channelId: account.channelId,
    channelType: account.channelType,
    direction: "inbound",
    ...cleanContent(content),
    template: null,
    status: "received",
    errorCode: null,
    errorMessage: null,
    source: "channel",
    author: null,
    providerMessageId: event.externalMessageId,
    broadcastId: null,
    createdAt: now,
    sentAt: event.occurredAt,
    deliveredAt: null,
    readAt: null,
  };
}

/** Visitors of web chat send their files to us first: they belong to the message from now on. */
async function keepUploads(tx: Tx, rows: readonly { readonly message: Message }[]): Promise<void> {
  const messages = rows.flatMap(({ message: { workspaceId, id, channelType, attachments } }) => {
    if (channelType !== "WEB") return [];
    const media = attachedMedia(attachments).map((one) => ({
      workspaceId,
      id: one.mediaId,
      kind: one.kind,
    }));
    return media.length > 0 ? [{ id, media }] : [];
  });
  if (messages.length > 0) await retainAttachments(tx, messages);
}

/** One mark per conversation. */
function marksOf(rows: readonly InboundRow[], now: Date): InboundMark[] {
  const marks = new Map<string, InboundMark>();
  for (const { item, conversation } of rows) {
    const { account, event } = item;
    const before = marks.get(conversation.id);
    const at = notAfter(event.occurredAt, now);
    const end = event.opensWindow ? windowEnd(account.channelType, event.occurredAt, now) : null;
    marks.set(conversation.id, {
      workspaceId: account.workspaceId,
      id: conversation.id,
      count: (before?.count ?? 0) + (saysNothing(event.content) ? 0 : 1),
      externalId: event.threadId ?? event.from.externalId,
      lastAt: later(before?.lastAt ?? null, at) ?? at,
      windowEnd: later(before?.windowEnd ?? null, end),
    });
  }
  return [...marks.values()];
}

/** A platform's clock may be ahead of ours: what it tells cannot lie in the future. */
const notAfter = (at: Date, now: Date): Date => (at > now ? now : at);

function later(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
