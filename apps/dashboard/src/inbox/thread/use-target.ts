import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation } from "@tanstack/react-router";
import type { ThreadLine } from "./thread-lines.ts";
import { useThread, useThreads } from "./threads.ts";

/** How many pages of older messages are read to reach it. */
const MOST_PAGES = 40;

/** Whether the line is of that message or note. */
export const isOf = (line: ThreadLine, id: string | undefined): boolean =>
  (line.kind === "message" || line.kind === "note") && line.entry.id === id;

/**
 * The message or note that the address names (`#m-ID`), where a search leads: older pages are read until it is among the
 * lines, then it is shown once. Gives its id.
 */
export function useTarget(
  id: string,
  lines: readonly ThreadLine[],
  show: (line: ThreadLine) => void,
): string | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const target = hash.startsWith("m-") ? hash.slice(2) : undefined;
  const { state, more, entries } = useThread(id);
  const { work } = useThreads();
  const reached = useRef<string>(undefined);
  const pages = useRef(0);
  const line = target === undefined ? undefined : lines.find((one) => isOf(one, target));
  const reach = useEffectEvent((found: ThreadLine) => {
    reached.current = target;
    show(found);
  });
  useEffect(() => {
    if (target === undefined || reached.current === target || state !== "ready") return;
    if (line !== undefined) reach(line);
    else if (more && pages.current++ < MOST_PAGES) void work.older(id);
  }, [target, state, line, more, entries, work, id]);
  return target;
}
