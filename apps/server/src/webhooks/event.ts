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

function dataText(data: NewEvent["data"], contactId: string | null): string {
  const text = JSON.stringify(data);
  if (!("messageId" in data)) return `${text}}`;
  const open = `${text.slice(0, -1)},"contact":`;
  return contactId === null ? `${open}null${BODY_END}` : open;
}

/**
 * The body of an event in two pieces. The sequence number goes between them; only the database knows it. With a
 * `contactId`, the database adds that contact's facts after the second piece, and then `BODY_END`.
 */
export function bodyAround(
  event: NewEvent,
  id: string,
  createdAt: Date,
): { head: string; tail: string; contactId: string | null } {
  const { data } = event;
  const named = "messageId" in data ? data.contactId : null;
  const contactId = named !== null && isId(named) ? named : null;
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
    tail: `,"data":${dataText(data, contactId)}`,
    contactId,
  };
}
