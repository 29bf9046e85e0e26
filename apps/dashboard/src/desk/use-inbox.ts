import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { bootstrapNow, onBootstrap } from "../api/bootstrap.ts";
import type { Bootstrap, DeskCounts, DeskRow, FrameName, Frames, MineOf } from "../api/shapes.ts";
import { inboxOf, type Inbox } from "./inbox.ts";
import type { ListKey, ListShown } from "./store/listing.ts";
import type { Told } from "./store/told.ts";
import { viewName } from "./words.ts";

/** Who is signed in, and the workspace's lists. For pages inside the frame, which has loaded it. */
export function useBootstrap(): Bootstrap {
  return useSyncExternalStore(onBootstrap, bootstrapNow);
}

/** The tab's inbox. Its first use begins the stream. */
export const useInbox = (): Inbox => inboxOf(bootstrapNow());

/** How many conversations each view contains, by the view's address. 1,000 stands for more than 999. */
export function useCounts(): DeskCounts {
  const { store } = useInbox();
  return useSyncExternalStore(store.subscribe, store.counts);
}

export function useList(key: ListKey): ListShown {
  const { store } = useInbox();
  return useSyncExternalStore(store.subscribe, () => store.list(key));
}

/**
 * The name of the view that a list shows; undefined: there is no such view. A program can set labels that have no entry
 * among the workspace's labels: such a view is known by its conversations.
 */
export function useViewName(key: ListKey): string | undefined {
  const { ids, state } = useList(key);
  const name = viewName(key.view, useBootstrap());
  const [, label] = /^label-(.+)$/s.exec(key.view) ?? [];
  const isEmpty = state === "ready" && ids.length === 0 && !key.unread;
  return name ?? (isEmpty ? undefined : label);
}

/** One conversation as the list shows it; undefined: this tab does not know it. */
export function useRow(id: string): DeskRow | undefined {
  const { store } = useInbox();
  return useSyncExternalStore(store.subscribe, () => store.row(id));
}

export function useMine(id: string): MineOf | undefined {
  const { store } = useInbox();
  return useSyncExternalStore(store.subscribe, () => store.mine(id));
}

/** The customer's messages that the member has not seen. */
export function useUnread(id: string): number {
  const { store } = useInbox();
  return useSyncExternalStore(store.subscribe, () => store.unread(id));
}

/** False: the server has not been heard for three seconds, and the page says so. */
export function useLive(): boolean {
  const inbox = useInbox();
  return useSyncExternalStore(inbox.subscribe, inbox.isLive);
}

/** Listens to one kind of frame while the component is shown. */
export function useFrame<Name extends FrameName>(
  name: Name,
  handler: (data: Frames[Name]) => void,
): void {
  const inbox = useInbox();
  const hear = useEffectEvent(handler);
  useEffect(() => inbox.on(name, (data) => hear(data)), [inbox, name]);
}

/** The latest changes, each line with its undo. */
export function useTold(): readonly Told[] {
  const { told } = useInbox();
  return useSyncExternalStore(told.subscribe, told.lines);
}
