import { useSyncExternalStore } from "react";

/** Whether the details cover the thread, on a page without room for both. */
let covers = false;
/** Whether this tab keeps them away where there is room for both: the thread is wider then. */
let folded = false;
const listeners = new Set<() => void>();

/** From this width on the details stand beside the thread, unless they are folded (`details.css`). */
const wide = matchMedia("(min-width: 1280px)");

/** Shows them over the thread, or takes them away from there. */
export function coverWithDetails(shown: boolean): void {
  covers = shown;
  tellAll();
}

/** Shows them, or takes them away, wherever they are on this page. */
export function toggleDetails(): void {
  if (wide.matches) folded = !folded;
  else covers = !covers;
  tellAll();
}

function tellAll(): void {
  for (const listener of listeners) listener();
}

const areBeside = (): boolean => wide.matches && !folded;

/** Whether they cover the thread. */
export const useDetailsOver = (): boolean => useSyncExternalStore(subscribe, () => covers);

/** Whether they are beside the thread. */
export const useDetailsBeside = (): boolean => useSyncExternalStore(subscribe, areBeside);

/** Whether the details are on the screen. */
export const useDetailsShown = (): boolean =>
  useSyncExternalStore(subscribe, () => covers || areBeside());

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  wide.addEventListener("change", listener);
  return () => {
    listeners.delete(listener);
    wide.removeEventListener("change", listener);
  };
}
