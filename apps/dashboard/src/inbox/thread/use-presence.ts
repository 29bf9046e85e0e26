import { uuid7 } from "../outbox/uuid7.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { call } from "../../api/call.ts";
import type { Frames } from "../contract.ts";
import { useFrame } from "../use-inbox.ts";

/** The server forgets a report after 30 s. */
const REPEAT_MS = 20_000;

/** Names this tab to the server. */
const TAB = uuid7(Date.now());

const typing = new Set<string>();
const listeners = new Set<() => void>();

/** The composer tells whether its member types a reply. */
export function tellTyping(id: string, on: boolean): void {
  if (typing.has(id) === on) return;
  if (on) typing.add(id);
  else typing.delete(id);
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Tells the others that the member looks at the conversation, and gives who else does. */
export function usePresence(id: string): Frames["presence"] | undefined {
  const types = useSyncExternalStore(subscribe, () => typing.has(id));
  const [heard, setHeard] = useState<Frames["presence"]>();
  useFrame("presence", (data) => {
    if (data.conversationId === id) setHeard(data);
  });
  useEffect(() => {
    const tell = () => {
      if (document.visibilityState === "visible") say(id, types);
    };
    tell();
    const timer = setInterval(tell, REPEAT_MS);
    return () => clearInterval(timer);
  }, [id, types]);
  useEffect(
    () => () => {
      tellTyping(id, false);
      say(null, false);
    },
    [id],
  );
  return heard;
}

/** Presence needs no second try: the next report comes in 20 s. */
function say(conversationId: string | null, types: boolean): void {
  call("tellPresence", { body: { tab: TAB, conversationId, typing: types } }).catch(
    () => undefined,
  );
}
