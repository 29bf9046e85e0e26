import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from "react";
import {
  lineAt,
  reaches,
  topsOf,
  viewTop,
  windowOf,
  type Held,
  type LogWindow,
} from "./log-window.ts";
import type { ThreadLine } from "./thread-lines.ts";

/** When the end is nearer than this, in px, the log follows new messages. */
const NEAR_END = 60;
/** When the start is nearer than this, in px, older messages are read. */
const NEAR_START = 600;

interface DrawnLog {
  /** What scrolls. */
  readonly pane: RefObject<HTMLDivElement | null>;
  /** What grows. Its first and last element are as high as the lines that are not drawn; each other one is a line. */
  readonly content: RefObject<HTMLDivElement | null>;
  readonly drawn: LogWindow;
  readonly atEnd: boolean;
  readonly hold: (held: Held) => void;
  readonly onScroll: () => void;
}

/**
 * Draws the lines of a log that are in view or near it. What the reader looks at stays where it is: the end, as long as
 * they are there, otherwise the line at the top of the view. `older` is asked for when the start comes near.
 */
export function useLogWindow(lines: readonly ThreadLine[], older: () => void): DrawnLog {
  const pane = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [heights] = useState(() => new Map<string, number>());
  /** What the lines were chosen around. A new object chooses them anew: more heights are known by then. */
  const [chosen, choose] = useState<{ readonly held: Held }>({ held: "end" });
  const held = useRef<Held>("end");
  /** Where the view began and how high it was when it was last looked at, in px. */
  const seen = useRef({ top: 0, height: 0 });
  // The view is never higher than the page. Its own height is not known before it is drawn.
  const drawn = useMemo(
    () => windowOf(lines, topsOf(lines, heights), chosen.held, innerHeight),
    [lines, heights, chosen],
  );

  const atEnd = chosen.held === "end";

  const measure = (): readonly number[] => {
    const shown = [...(content.current?.children ?? [])].slice(1, -1);
    for (const [index, { key }] of lines.slice(drawn.from, drawn.to).entries()) {
      const height = shown[index]?.getBoundingClientRect().height;
      if (height !== undefined) heights.set(key, height);
    }
    return topsOf(lines, heights);
  };
  /** Draws other lines, and reads older ones, where the view needs them. */
  const fill = (view: HTMLDivElement, tops: readonly number[]): void => {
    seen.current = { top: view.scrollTop, height: view.clientHeight };
    const left = view.scrollHeight - view.clientHeight - view.scrollTop;
    if (left < NEAR_END) held.current = "end";
    const next = windowOf(lines, tops, held.current, innerHeight);
    const isOther = next.from !== drawn.from || next.to !== drawn.to;
    if (
      (held.current === "end") !== atEnd ||
      (isOther && !reaches(drawn, tops, view.scrollTop, view.clientHeight))
    )
      choose({ held: held.current });
    if (view.scrollTop < NEAR_START) older();
  };
  const place = useEffectEvent(() => {
    const view = pane.current;
    if (view === null) return;
    const tops = measure();
    const top = viewTop(lines, tops, held.current, view.clientHeight);
    if (Math.abs(view.scrollTop - top) >= 1) view.scrollTop = top;
    fill(view, tops);
  });
  useLayoutEffect(() => place(), [lines, drawn]);
  // Pictures that arrive and a narrower page change heights, and the log grows when the composer shrinks.
  useEffect(() => {
    const watch = new ResizeObserver(() => place());
    if (pane.current !== null) watch.observe(pane.current);
    if (content.current !== null) watch.observe(content.current);
    return () => watch.disconnect();
  }, []);

  const onScroll = (): void => {
    const view = pane.current;
    if (view === null || view.scrollTop === seen.current.top) return;
    // The composer below grew and shrank: the browser moved the view, no person did. Its place is set in this frame.
    if (view.clientHeight !== seen.current.height) return;
    const tops = measure();
    // A line that turns out to be higher than was thought moves the end away. Only a person who scrolls up leaves it.
    if (held.current !== "end" || view.scrollTop < seen.current.top)
      held.current = lineAt(lines, tops, view.scrollTop);
    fill(view, tops);
  };
  const hold = (what: Held): void => {
    held.current = what;
    choose({ held: what });
  };
  return { pane, content, drawn, atEnd, hold, onScroll };
}
