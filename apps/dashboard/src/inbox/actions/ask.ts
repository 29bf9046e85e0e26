import type { ListKey } from "../../desk/store/listing.ts";

/** The conversations that an action is for: these, or all of a list's view. */
export type Target =
  | { readonly ids: readonly string[] }
  | { readonly all: ListKey; readonly count: number };

/** A question to the member: to whom, which labels, until when. */
export type Asked = {
  readonly kind: "assign" | "labels" | "snooze";
  /** The button or row at which it opens; without one it opens above the page. */
  readonly at?: Element | undefined;
  /** Called once the change has begun. */
  readonly done?: () => void;
} & Target;

let asked: Asked | null = null;
const listeners = new Set<() => void>();

/**
 * Where a question opens that a key or the command menu asks: at the first button on the screen that asks the same, else
 * at the row of the conversation.
 */
export function placeOf(kind: Asked["kind"], [id]: readonly string[]): Element | undefined {
  const places = [`[data-asks="${kind}"]`, `[data-id="${id}"]`];
  return places
    .flatMap((place) => [...document.querySelectorAll(place)])
    .find((one) => one.getClientRects().length > 0);
}

/** Opens what asks. Only one is open at a time. */
export function ask(question: Asked): void {
  set(question);
}

export function closeAsked(): void {
  set(null);
}

/** The open question, for `useSyncExternalStore`. */
export const askedNow = (): Asked | null => asked;
export function subscribeAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function set(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}
