import { useSyncExternalStore } from "react";

/** Whether the details cover the thread, on a page without room for both. */
let open = false;
const listeners = new Set<() => void>();

export function showDetails(shown: boolean): void {
  open = shown;
  for (const listener of listeners) listener();
}

export const toggleDetails = (): void => showDetails(!open);

export const useDetailsOpen = (): boolean => useSyncExternalStore(subscribe, () => open);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
