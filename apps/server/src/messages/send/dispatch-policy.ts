import type { SendOutcome } from "../../channels/adapter.ts";
import { idsTold } from "../../contacts/identity/remember-identities.ts";

/** Longer than any call (20 s), so that a live worker always settles inside its lease. */
export const LEASE_MS = 30_000;
/** The same for a call that carries a file. */
export const MEDIA_LEASE_MS = 300_000;
/**
 * A call that did not start within this time of its intent is not made: a process that was frozen must not wake up and
 * send what others have given up, nor make a call (20 s) that outlives its lease.
 */
export const START_WITHIN_MS = 10_000;
/** How long a lost answer waits for evidence (contract §5, Recipients). */
export const UNKNOWN_MS = 15 * 60_000;

/** Waits after the first, second … call that was proven not to arrive: an hour in all, then the reply fails. */
const BACK_OFF_SECONDS = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1045] as const;
/** Calls of one reply that a platform may throttle before it fails. */
const MAX_THROTTLED = 20;
export const MAX_WAIT_MS = 60 * 60_000;

/** What becomes of a reply after its call. */
export type Verdict =
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
      /** The platform refuses the whole account: the channel turns to `error`. */
      readonly failsChannel: boolean;
      readonly scope: "recipient" | "template" | "account";
    }
  | {
      readonly kind: "retry";
      readonly afterMs: number;
      /** The platform asked the whole account to wait, not this lane alone. */
      readonly parksChannel: boolean;
    }
  | { readonly kind: "unknown" };

/** The call was never made: the reply goes back as it was. */
export const NOT_CALLED: Verdict = { kind: "retry", afterMs: 0, parksChannel: false };

/** The verdict on a call to the customer `to` (reliability.md 3.5); `attempts` counts this call too. Pure. */
export function judge(outcome: SendOutcome, to: string, attempts: number): Verdict {
  if (outcome.ok)
    return {
      kind: "sent",
      providerMessageId: outcome.externalId,
      knownAs: idsTold(outcome, to),
    };
  const { reason, code, detail, scope = "recipient" } = outcome;
  const failed = {
    kind: "failed",
    code,
    detail,
    scope,
    optedOut: false,
    failsChannel: false,
  } as const;
  switch (reason) {
    case "unknown":
      return { kind: "unknown" };
    case "rejected":
      return outcome.onceMore && attempts === 1
        ? { kind: "retry", afterMs: BACK_OFF_SECONDS[0] * 1000, parksChannel: false }
        : failed;
    case "opted_out":
      return { ...failed, optedOut: true };
    case "misconfigured":
      return { ...failed, scope: "account", failsChannel: true };
    case "unreachable": {
      const seconds = BACK_OFF_SECONDS[attempts - 1];
      if (seconds === undefined) return failed;
      return { kind: "retry", afterMs: seconds * 1000, parksChannel: false };
    }
    case "throttled": {
      if (attempts >= MAX_THROTTLED) return failed;
      // A pair that sent far ahead of its limit owes more than one interval (channels §2.11).
      const times = outcome.scope === "recipient" ? attempts : 1;
      const asked = (outcome.retryAfterMs ?? 5000) * times;
      // A stranger's figure: never a busy loop, never a lane that is lost for a day.
      const afterMs = Math.min(Math.max(asked, 250), MAX_WAIT_MS);
      return { kind: "retry", afterMs, parksChannel: outcome.scope !== "recipient" };
    }
  }
}
