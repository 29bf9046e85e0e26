import { madeBy, madeByName, type Actor } from "../actor.ts";
import { isId } from "../lib/ids.ts";
import type { EventData, EventJson } from "../wire/event.ts";
import { API_VERSION, EVENT_KINDS, type EventKind } from "../wire/words.ts";

/** Whether the text is a kind of event. */
export function isEventKind(text: string): text is EventKind {
  return (EVENT_KINDS as readonly string[]).includes(text);
}

/**
 * An event to store with `emitEvents`, in the transaction that caused it. An event of a message or its file gets its
 * `contact` when it is stored.
 */
export type NewEvent = {
  [K in EventKind]: {
    readonly workspaceId: string;
    readonly type: K;
    readonly data: K extends `message.${string}` | "media.stored"
      ? Omit<EventData[K], "contact">
      : EventData[K];
  };
}[EventKind];

/** The text that closes `data` and the body. */
export const BODY_END = "}}";

/** The kinds that say who made the change. */
const SAYS_WHO = [
  "conversation.updated",
  "note.updated",
  "note.deleted",
  "contact.created",
  "contact.updated",
  "contact.opted_out",
  "contact.opted_in",
  "contact.merged",
  "contact.deleted",
] as const satisfies readonly EventKind[];

function saidText({ type, data }: NewEvent, by: Actor | string | undefined): string {
  const says = (SAYS_WHO as readonly EventKind[]).includes(type);
  const made = typeof by === "string" ? madeByName(by) : madeBy(by);
  return JSON.stringify(says && !("by" in data) ? { ...data, ...made } : data);
}

/** Where the database puts what it adds: the contact of a message's event, the refs of a contact's. */
function opening(data: NewEvent["data"]): string | null {
  if ("messageId" in data) return "contact";
  return "contact" in data ? "refs" : null;
}

/** The contact that the database adds something of; null: it adds nothing. */
function namedContact(data: NewEvent["data"]): string | null {
  if ("messageId" in data) return data.contactId;
  return "contact" in data ? data.contact.id : null;
}

/**
 * The body of an event in two pieces. The sequence number goes between them; only the database knows it. With a
 * `contactId`, the database adds after the second piece that contact's facts, or the refs of a contact's event, and then
 * `BODY_END`. `by` is who made the change.
 */
export function bodyAround(
  event: NewEvent,
  id: string,
  createdAt: Date,
  by?: Actor | string,
): { head: string; tail: string; contactId: string | null } {
  const { data } = event;
  const named = namedContact(data);
  const contactId = named !== null && isId(named) ? named : null;
  const text = saidText(event, by);
  const open = opening(data);
  const rest = contactId === null ? `null${BODY_END}` : "";
  const envelope: Omit<EventJson, "sequence" | "data"> = {
    id,
    type: event.type,
    apiVersion: API_VERSION,
    createdAt: createdAt.toISOString(),
    workspaceId: event.workspaceId,
  };
  const head = JSON.stringify(envelope);
  return {
    head: `${head.slice(0, -1)},"sequence":`,
    tail: `,"data":${open === null ? `${text}}` : `${text.slice(0, -1)},"${open}":${rest}`}`,
    contactId,
  };
}
