import type { MessageEntry, ThreadEntry } from "../../api/shapes.ts";

/** What was known of a thread at a moment. */
export interface KnownThread {
  readonly ids: ReadonlySet<string>;
  /** The lowest id. What is read later and is older was not said since. */
  readonly from: string;
}

export function knownOf(entries: readonly ThreadEntry[]): KnownThread {
  const ids = entries.map(({ id }) => id);
  return { ids: new Set(ids), from: ids.toSorted()[0] ?? "" };
}

/**
 * The newest reply of another member that was not known then. By ids, not by times: this machine's clock may differ from
 * the server's, and a reply that was only read since was not seen by who writes.
 */
export function replySince(
  entries: readonly ThreadEntry[],
  { ids, from }: KnownThread,
  me: string,
): MessageEntry | undefined {
  const last = entries.findLast(
    (entry) =>
      entry.kind === "message" &&
      entry.direction === "outbound" &&
      entry.authorId !== null &&
      entry.authorId !== me &&
      entry.id > from &&
      !ids.has(entry.id),
  );
  return last?.kind === "message" ? last : undefined;
}
