import type { ListKey } from "../store/listing.ts";

/** The conversations that an action is for: these, or all of a list's view. */
export type Target =
  | { readonly ids: readonly string[] }
  | { readonly all: ListKey; readonly count: number };

/** A question to the member: to whom, which labels, until when. */
export type Asked = {
  readonly kind: "assign" | "labels" | "snooze";
  /** Called once the change has begun. */
  readonly done?: () => void;
} & Target;

let asked: Asked | null = null;
const listeners = new Set<() => void>();

/** Opens the dialog that asks. Only one is open at a time. */
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
