import type { SendOutcome } from "../../channels/adapter.ts";
import { idsTold } from "../../contacts/identity/remember-identities.ts";

/** What becomes of the recipient. `wait`: nobody knows whether it went; evidence or time decides. */
export type RecipientVerdict =
  | {
      readonly kind: "sent";
      readonly providerMessageId: string;
      /** What the answer tells of the ids by which the platform knows the customer. */
      readonly knownAs: readonly string[];
    }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly detail: string;
      readonly optedOut: boolean;
    }
  | { readonly kind: "again"; readonly delayMs: number; readonly counted: boolean }
  | { readonly kind: "wait" };

/** What becomes of the campaign, if anything. */
export type CampaignVerdict =
  /** The provider asks the account to wait: park and halve. */
  | { readonly kind: "slow"; readonly waitMs: number }
  /** The provider could not be reached for this one. */
  | { readonly kind: "unreached" }
  /** The platform does not have the header's file: it is to be given again. */
  | { readonly kind: "header_gone"; readonly code: string; readonly detail: string }
  /** Nothing of this campaign will go: pause. `channel`: nothing of the whole channel. */
  | {
      readonly kind: "halt";
      readonly code: string;
      readonly detail: string;
      readonly channel: boolean;
    };

export interface Verdict {
  readonly recipient: RecipientVerdict;
  readonly campaign: CampaignVerdict | null;
}

/** After so many calls that came back as "not sent, try again" a recipient is given up: about 20 minutes. */
export const MAX_TRIES = 10;
/** What a throttle waits for when the provider does not say. */
const DEFAULT_THROTTLE_MS = 10_000;
/** A pair is free again after six seconds (channels §2.11). */
const PAIR_MS = 6_000;
const BACKOFF_MS = 5_000;
const BACKOFF_CAP_MS = 300_000;

/**
 * What to do with each outcome of a send to `to` (contract §5, Recipients; channels §0.2). Pure; the caller acts.
 * `tries` is how many calls for this recipient came back before.
 * A refusal of the template or the account says nothing about the recipient, so it waits and a resumed campaign
 * sends it: failing it would burn the audience batch by batch. Of a text in parts of which some were taken the recipient
 * fails, for it would get those twice; the refusal means for the campaign what it means.
 */
export function judgeOutcome(outcome: SendOutcome, to: string, tries: number): Verdict {
  if (outcome.ok) {
    const { externalId: providerMessageId } = outcome;
    const knownAs = idsTold(outcome, to);
    return { recipient: { kind: "sent", providerMessageId, knownAs }, campaign: null };
  }
  const { code, detail } = outcome;
  const failed = (optedOut: boolean): RecipientVerdict => ({
    kind: "failed",
    code,
    detail,
    optedOut,
  });
  const again = (delayMs: number): RecipientVerdict =>
    tries + 1 >= MAX_TRIES ? failed(false) : { kind: "again", delayMs, counted: true };
  const untouched: RecipientVerdict = { kind: "again", delayMs: 0, counted: false };
  if (outcome.partsTaken) {
    const { partsTaken: _, ...whole } = outcome;
    const { campaign } = judgeOutcome(whole, to, tries);
    return { recipient: failed(outcome.reason === "opted_out"), campaign };
  }
  switch (outcome.reason) {
    case "unknown":
      return { recipient: { kind: "wait" }, campaign: null };
    case "opted_out":
      return { recipient: failed(true), campaign: null };
    case "rejected":
      if (code === "MEDIA_GONE")
        return { recipient: untouched, campaign: { kind: "header_gone", code, detail } };
      if (outcome.onceMore && tries === 0) return { recipient: again(BACKOFF_MS), campaign: null };
      return outcome.scope === "template" || outcome.scope === "account"
        ? { recipient: untouched, campaign: { kind: "halt", code, detail, channel: false } }
        : { recipient: failed(false), campaign: null };
    case "misconfigured":
      return { recipient: untouched, campaign: { kind: "halt", code, detail, channel: true } };
    case "throttled":
      return outcome.scope === "recipient"
        ? { recipient: again((outcome.retryAfterMs ?? PAIR_MS) * (tries + 1)), campaign: null }
        : {
            recipient: untouched,
            campaign: { kind: "slow", waitMs: outcome.retryAfterMs ?? DEFAULT_THROTTLE_MS },
          };
    case "unreachable":
      return {
        recipient: again(outcome.retryAfterMs ?? Math.min(BACKOFF_CAP_MS, BACKOFF_MS * 2 ** tries)),
        campaign: { kind: "unreached" },
      };
  }
}
