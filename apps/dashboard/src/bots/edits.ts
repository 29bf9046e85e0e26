import type { BotDocument } from "./bots-query.ts";

/** What was written, and what was written before it: `undo` goes back. */
export interface Edits {
  readonly past: readonly BotDocument[];
  readonly now: BotDocument;
  /** What the last change was made to: changes of the same field are undone together. */
  readonly field: string | null;
}

const MOST_PAST = 100;

export const beginEdits = (now: BotDocument): Edits => ({ past: [], now, field: null });

/** Writes another document. `field`: a text that is being typed, whose letters are one change. */
export function edit(
  { past, now, field: before }: Edits,
  next: BotDocument,
  field: string | null = null,
): Edits {
  if (next === now) return { past, now, field: before };
  if (field !== null && field === before) return { past, now: next, field };
  return { past: [...past, now].slice(-MOST_PAST), now: next, field };
}

/** Goes back to before the last change. */
export function undo({ past, now }: Edits): Edits {
  const before = past.at(-1);
  return before
    ? { past: past.slice(0, -1), now: before, field: null }
    : { past, now, field: null };
}
