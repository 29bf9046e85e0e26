import { useEffect, useEffectEvent } from "react";
import type { FrameName, Frames } from "../api/shapes.ts";
import { useInbox, useLive } from "./use-inbox.ts";
import { readAgain } from "../live/reread-queries.ts";
import { Rereading } from "../live/rereading.ts";

/**
 * Reads again (`read`, which throws when it fails) when the stream tells of something that is wanted: at once, then every
 * `gapMs` at most. A read that fails is repeated. While the stream is down it reads every `gapMs`. A tab that is not in
 * sight reads when it is seen again.
 */
export function useNews<Name extends FrameName>(
  name: Name,
  isWanted: (data: Frames[Name]) => boolean,
  gapMs: number,
  read: () => Promise<unknown>,
): void {
  const inbox = useInbox();
  const live = useLive();
  const isNews = useEffectEvent(isWanted);
  const readNow = useEffectEvent(read);
  useEffect(() => {
    const isSeen = (): boolean => document.visibilityState === "visible";
    let missed = false;
    // What cannot be read out of sight is read when the page is seen again.
    const isShown = (): boolean => !(missed = !isSeen());
    const rereading = new Rereading(() => readNow(), { gapMs, isShown });
    const hint = (): void => {
      if (isShown()) void rereading.hint();
    };
    const wake = (): void => {
      if (missed) hint();
    };
    const endHearing = inbox.on(name, (data) => {
      if (isNews(data)) hint();
    });
    const poll = live ? undefined : setInterval(hint, gapMs);
    document.addEventListener("visibilitychange", wake);
    return () => {
      endHearing();
      clearInterval(poll);
      rereading.stop();
      document.removeEventListener("visibilitychange", wake);
    };
  }, [inbox, name, gapMs, live]);
}

/** So often at most the list of a settings page is read again, in ms. */
const LIST_MS = 1_000;

/** Reads a page's query again when somebody changed members, channels, labels, bots or another list of the workspace. */
export function useListNews(shown: Parameters<typeof readAgain>[0]): void {
  useNews(
    "settings",
    () => true,
    LIST_MS,
    () => readAgain(shown),
  );
}

/** Whether a frame is about this campaign or import. */
export const isAbout =
  (id: string) =>
  (told: { readonly id: string }): boolean =>
    told.id === id;
