/** Waits after the first, second … failed question. After the last the contact stays without a name. */
const BACK_OFF_SECONDS = [10, 60, 600, 3_600] as const;
const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Longer than any call (20 s). */
export const PROFILE_LEASE_MS = 60_000;

/** A contact whose name is to be asked for at its platform. */
export interface ProfileRequest {
  readonly workspaceId: string;
  readonly contactId: string;
  readonly channelId: string;
  /** The customer's id on that channel. */
  readonly externalId: string;
}

/** A request that this process makes now; `attempts` counts this one too. */
export type ClaimedProfile = ProfileRequest & { readonly attempts: number };

/** How long to wait before the platform is asked again, at least as long as it asked for; null: not again. */
export function nextProfileTry(attempts: number, askedMs = 0): number | null {
  const seconds = BACK_OFF_SECONDS[attempts - 1];
  if (seconds === undefined) return null;
  return Math.max(seconds * 1000, Math.min(askedMs, LONGEST_WAIT_MS));
}

/**
 * A platform's name of a customer as a contact's name: one line of at most 200 characters; null when nothing is
 * left.
 */
export function tidyProfileName(name: string | null): string | null {
  const clean = (name ?? "")
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();
  return clean === "" ? null : Array.from(clean).slice(0, 200).join("");
}
