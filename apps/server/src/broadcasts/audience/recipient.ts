export const SKIP_REASONS = [
  "opted_out",
  "no_address",
  "duplicate_address",
  "window_closed",
  "missing_variable",
  /** A/B: it would have got the message and was left out by lot, for comparison. Not in the contract's list. */
  "holdout",
  /** The person was erased while the recipient waited (docs/privacy.md). Not in the contract's list either. */
  "erased",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * The values that the text shows of one recipient, frozen when the audience is stored, in the order of
 * `Rendering.facts`. Null when it shows none, so that the same text is not written a million times.
 */
export type Content = readonly (string | null)[] | null;

/** A recipient that a worker claimed. `fence` proves that nothing else changed it. */
export interface RecipientClaim {
  readonly contactId: string;
  readonly address: string;
  readonly content: Content;
  /** A/B: the index of its variant; null when the campaign has none. */
  readonly variant: number | null;
  /** Set when an earlier try came back as "not sent": its message and quota slot are used again. */
  readonly messageId: string | null;
  readonly fence: number;
  /** Calls that came back as "not sent, try again". */
  readonly attempts: number;
}
