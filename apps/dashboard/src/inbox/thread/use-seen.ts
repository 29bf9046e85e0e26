import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { useInbox, useRow } from "../../desk/use-inbox.ts";
import { useThread } from "./threads.ts";

/** How long a message has to be in view, in ms. */
const LOOK_MS = 1_000;

/**
 * Tells the server that the member has seen the customer's messages, once their end was in view for a second in a
 * page with the focus. A conversation that the member marked unread stays so until the next message.
 */
export function useSeen(id: string, atEnd: boolean): void {
  const { store, work } = useInbox();
  const count = useRow(id)?.inboundCount ?? 0;
  const ready = useThread(id).state === "ready";
  const focused = useSyncExternalStore(onFocus, () => document.hasFocus());
  const told = useRef(-1);
  const tell = useEffectEvent(() => {
    told.current = count;
    if (store.unread(id) > 0) void work.markSeen(id, count);
  });
  useEffect(() => {
    if (!atEnd || !ready || !focused || count <= told.current) return undefined;
    const timer = setTimeout(() => tell(), LOOK_MS);
    return () => clearTimeout(timer);
  }, [id, atEnd, ready, focused, count]);
}

function onFocus(changed: () => void): () => void {
  const names = ["focus", "blur", "visibilitychange"] as const;
  for (const name of names) window.addEventListener(name, changed);
  return () => {
    for (const name of names) window.removeEventListener(name, changed);
  };
}
