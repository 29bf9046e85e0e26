import { useEffect, useEffectEvent, useState } from "react";
import { call } from "../../api/call.ts";
import type { Frames } from "../../api/shapes.ts";
import { uuid7 } from "../../api/uuid7.ts";
import { useFrame, useInbox } from "../../desk/use-inbox.ts";

/** The server forgets a report after 30 s. */
const REPEAT_MS = 20_000;
/** Who leaves a conversation sooner has not looked at it. */
const LOOK_MS = 200;

/** Names this tab to the server. */
const TAB = uuid7(Date.now());

const typing = new Set<string>();
let next: ReturnType<typeof setTimeout> | undefined;

/** The composer tells whether its member types a reply. */
export function tellTyping(id: string, on: boolean): void {
  if (typing.has(id) === on) return;
  if (on) typing.add(id);
  else typing.delete(id);
  void say(id, on);
}

/**
 * Tells the others that the member looks at the conversation, and gives who else does. From then on the server tells
 * this tab what is new in the thread; `begun` is called so that it reads what came before that.
 */
export function usePresence(id: string, begun: () => void): Frames["presence"] | undefined {
  const inbox = useInbox();
  const [heard, setHeard] = useState<Frames["presence"]>();
  useFrame("presence", (data) => {
    if (data.conversationId === id) setHeard(data);
  });
  const begin = useEffectEvent(begun);
  useEffect(() => {
    let left = false;
    const report = async (): Promise<void> => {
      if (document.visibilityState === "visible") await say(id, typing.has(id));
    };
    const look = (): void =>
      void report().then(() => {
        if (!left) begin();
      });
    soon(look);
    const timer = setInterval(() => void report(), REPEAT_MS);
    // A restarted server knows nothing of who looks at what.
    const endMissed = inbox.onMissed(look);
    document.addEventListener("visibilitychange", look);
    return () => {
      left = true;
      clearInterval(timer);
      endMissed();
      document.removeEventListener("visibilitychange", look);
      typing.delete(id);
      soon(() => void say(null, false));
    };
  }, [id, inbox]);
  return heard;
}

/** The tab is at one place: the report of the next conversation stands for the one of the last that it was left. */
function soon(report: () => void): void {
  clearTimeout(next);
  next = setTimeout(report, LOOK_MS);
}

/** Presence needs no second try: the next report comes in 20 s. */
async function say(conversationId: string | null, types: boolean): Promise<void> {
  const body = { tab: TAB, conversationId, typing: types };
  await call("tellPresence", { body }).catch(() => undefined);
}
