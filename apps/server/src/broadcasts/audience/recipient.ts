export const SKIP_REASONS = [
  "opted_out",
  "no_address",
  "duplicate_address",
  "window_closed",
  "missing_variable",
  /** A/B: would have got it and was left out by lot, to compare with. Not of the contract's list. */
  "holdout",
  /** The person was forgotten while it waited (docs/privacy.md). Not of the contract's list either. */
  "erased",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * What is frozen for one recipient when the audience is stored: the values that the text shows, in the order of
 * `Rendering.facts`. Null when it shows none, so that what all get is not written a million times.
 */
export type Content = readonly (string | null)[] | null;

/** A recipient that a worker took: `fence` proves that nothing else changed it. */
export interface RecipientClaim {
  readonly contactId: string;
  readonly address: string;
  readonly content: Content;
  /** A/B: the place of its variant; null when the campaign has none. */
  readonly variant: number | null;
  /** Set when an earlier try came back as "not sent": its message and quota slot are used again. */
  readonly messageId: string | null;
  readonly fence: number;
  /** Calls that came back as "not sent, try again". */
  readonly attempts: number;
}
