import { useEffect, useEffectEvent } from "react";
import type { FrameName, Frames } from "../inbox/contract.ts";
import { useInbox, useLive } from "../inbox/use-inbox.ts";
import { Paced } from "./paced.ts";

/**
 * Asks again (`ask`) when the stream tells of something that is wanted: at once, then every `gapMs` at most. While the stream is
 * down it asks every `gapMs`. A tab that is not in sight asks when it comes back.
 */
export function useNews<Name extends FrameName>(
  name: Name,
  isWanted: (data: Frames[Name]) => boolean,
  gapMs: number,
  ask: () => void,
): void {
  const inbox = useInbox();
  const live = useLive();
  const isNews = useEffectEvent(isWanted);
  const askNow = useEffectEvent(ask);
  useEffect(() => {
    let missed = false;
    const paced = new Paced(() => {
      missed = document.visibilityState !== "visible";
      if (!missed) askNow();
    }, gapMs);
    const wake = (): void => {
      if (missed && document.visibilityState === "visible") paced.ask();
    };
    const endHearing = inbox.on(name, (data) => {
      if (isNews(data)) paced.ask();
    });
    const poll = live ? undefined : setInterval(() => paced.ask(), gapMs);
    document.addEventListener("visibilitychange", wake);
    return () => {
      endHearing();
      clearInterval(poll);
      paced.stop();
      document.removeEventListener("visibilitychange", wake);
    };
  }, [inbox, name, gapMs, live]);
}

/** Whether a frame is about this campaign or import. */
export const isAbout =
  (id: string) =>
  (told: { readonly id: string }): boolean =>
    told.id === id;
