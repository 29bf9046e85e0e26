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

/** From this width on the details stand beside the thread (`details.css`). */
const wide = matchMedia("(min-width: 1280px)");

/** Whether the details are on the screen. */
export const useDetailsShown = (): boolean =>
  useSyncExternalStore(subscribe, () => open || wide.matches);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  wide.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    wide.removeEventListener("change", listener);
  };
}
