import type { ThreadLine } from "./thread-lines.ts";

/** A line's height until it was drawn once, in px. */
const UNDRAWN = 64;
/** How far above and below the view lines are drawn, in px. */
const MARGIN = 600;
/** How near the outermost drawn line may come to the view before more are drawn, in px. */
const LEAST = 200;

/**
 * What stays where it is when lines come, go or grow: the end of the log, or a line, `offset` px below the top of the
 * view.
 */
export type Held = "end" | { readonly key: string; readonly offset: number };

/** The heights of lines that were drawn, by key, in px. */
export type Heights = ReadonlyMap<string, number>;

/** What is drawn of a log: the lines from `from` up to but without `to`, and the space that the others would take. */
export interface LogWindow {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

/** Where each line begins, in px from the start of the log; the last number is where the log ends. */
export function topsOf(lines: readonly ThreadLine[], heights: Heights): readonly number[] {
  const tops = [0];
  let top = 0;
  for (const { key } of lines) tops.push((top += heights.get(key) ?? UNDRAWN));
  return tops;
}

/** Where the view begins, in px from the start of the log. A line that is gone holds nothing, so it is as the end. */
export function viewTop(
  lines: readonly ThreadLine[],
  tops: readonly number[],
  held: Held,
  view: number,
): number {
  const index = held === "end" ? -1 : lines.findIndex(({ key }) => key === held.key);
  const last = Math.max(0, (tops.at(-1) ?? 0) - view);
  if (held === "end" || index < 0) return last;
  return Math.min(last, Math.max(0, (tops[index] ?? 0) - held.offset));
}

/** The lines to draw for a view of `view` px. */
export function windowOf(
  lines: readonly ThreadLine[],
  tops: readonly number[],
  held: Held,
  view: number,
): LogWindow {
  const top = viewTop(lines, tops, held, view);
  const from = Math.max(0, tops.findIndex((at) => at > top - MARGIN) - 1);
  const beyond = tops.findIndex((at) => at > top + view + MARGIN);
  const to = beyond < 0 ? lines.length : beyond;
  const size = tops[lines.length] ?? 0;
  return { from, to, before: tops[from] ?? 0, after: size - (tops[to] ?? size) };
}

/** Whether the drawn lines reach far enough beyond a view that begins at `top`. */
export function reaches(
  { from, to }: LogWindow,
  tops: readonly number[],
  top: number,
  view: number,
): boolean {
  const last = tops.length - 1;
  return (
    (from === 0 || (tops[from] ?? 0) <= top - LEAST) &&
    (to === last || (tops[to] ?? 0) >= top + view + LEAST)
  );
}

/**
 * The line at the top of a view that begins at `top`. A day's line does not count, because it moves up when older
 * messages come.
 */
export function lineAt(lines: readonly ThreadLine[], tops: readonly number[], top: number): Held {
  const index = lines.findIndex(
    ({ kind }, at) => kind !== "day" && kind !== "new" && (tops[at + 1] ?? 0) > top,
  );
  const line = lines[index];
  return line === undefined ? "end" : { key: line.key, offset: (tops[index] ?? 0) - top };
}
