import type { SendOutcome } from "../channels/adapter.ts";

/** The differences between the roads out. Everything else about an outcome is the same for all of them. */
interface RoadRules {
  /**
   * A call that did not start within this time of its intent is not made. A process that was frozen must not wake
   * up and send what others have given up, and perhaps sent again.
   */
  readonly startWithinMs: number;
  /** Waits after the first, second … call that is proven not to have arrived. After the last wait the message fails. */
  readonly retryAfterMs: readonly number[];
  /**
   * After this many calls, whatever their outcomes, a throttled call fails the message. A campaign does not count
   * throttles of its account.
   */
  readonly throttledCalls: number;
}

const seconds = (...list: readonly number[]): number[] => list.map((one) => one * 1000);

/** The queues that hand messages to a provider, and when each of them tries again. */
export const ROADS = {
  /** An hour in all. A call takes 20 s at most, and its lease is 30 s: so it starts within 10 s. */
  reply: {
    startWithinMs: 10_000,
    retryAfterMs: seconds(5, 10, 20, 40, 80, 160, 320, 640, 1280, 1045),
    throttledCalls: 20,
  },
  /** About 20 minutes in all. A call starts within 2 minutes, long before its answer is given up after 15. */
  campaign: {
    startWithinMs: 120_000,
    retryAfterMs: seconds(5, 10, 20, 40, 80, 160, 300, 300, 300),
    throttledCalls: 10,
  },
  /** The caller of the API waits for the answer and tries again itself. A record counts as lost after 60 s. */
  passcode: { startWithinMs: 40_000, retryAfterMs: [], throttledCalls: 1 },
} as const satisfies Record<string, RoadRules>;
export type Road = keyof typeof ROADS;

/** The wait of a throttled account when the provider names none. */
const THROTTLE_MS = 10_000;
/** The same for one pair of sender and recipient: it is free again after six seconds (channels §2.11). */
const PAIR_MS = 6_000;
/**
 * Limits for a wait that a provider names. We cannot trust the figure: it must cause no busy loop, and must not stop a
 * channel for a day.
 */
const LEAST_WAIT_MS = 250;
export const MOST_WAIT_MS = 60 * 60_000;

/** What an outcome means for its message. */
type MessageJudgement =
  | {
      readonly kind: "sent";
      readonly providerMessageId: string;
      /** Ids by which the platform knows the customer, as its answer names them. */
      readonly knownAs: readonly string[];
    }
  /** Proven not sent. Try again after `afterMs`. */
  | { readonly kind: "again"; readonly afterMs: number }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly detail: string;
      readonly optedOut: boolean;
    }
  /**
   * The answer was lost. A report of the platform decides, or the time limit (`give-up-lost.ts`). The message is not
   * sent again.
   */
  | { readonly kind: "unknown" };

/** What an outcome means beyond its message. */
type WiderJudgement =
  /** The provider asks the whole account to wait. */
  | { readonly kind: "throttled"; readonly waitMs: number }
  /** The provider refuses the account: the channel turns to `error`. */
  | { readonly kind: "channel_fault"; readonly code: string; readonly detail: string }
  /** The provider refuses this template, or something that all messages like this one have in common. */
  | { readonly kind: "refused"; readonly code: string; readonly detail: string }
  /** The provider could not be reached. */
  | { readonly kind: "unreached" };

export interface Judgement {
  readonly message: MessageJudgement;
  /** Null: the outcome concerns this message only. */
  readonly wider: WiderJudgement | null;
}

/**
 * What the outcome of a call to the recipient `to` means: the one table for replies, campaigns and passcodes
 * (reliability.md 3.5; contract §5, Recipients). `calls` counts the calls of this message, with this one. When the
 * provider took some parts of a text, the message is not tried again, because the recipient would get those parts
 * twice. It is a pure function.
 */
export function judgeOutcome(
  outcome: SendOutcome,
  { to, road, calls }: { readonly to: string; readonly road: Road; readonly calls: number },
): Judgement {
  if (outcome.ok) {
    const { externalId: providerMessageId } = outcome;
    return {
      message: { kind: "sent", providerMessageId, knownAs: idsTold(outcome, to) },
      wider: null,
    };
  }
  const rules: RoadRules = ROADS[road];
  const { reason, code, detail, partsTaken } = outcome;
  const failed = { kind: "failed", code, detail, optedOut: reason === "opted_out" } as const;
  const again = (afterMs: number | undefined): MessageJudgement =>
    afterMs === undefined || partsTaken
      ? failed
      : { kind: "again", afterMs: Math.min(Math.max(afterMs, LEAST_WAIT_MS), MOST_WAIT_MS) };
  switch (reason) {
    case "unknown":
      return { message: { kind: "unknown" }, wider: null };
    case "opted_out":
      return { message: failed, wider: null };
    case "rejected": {
      if (outcome.onceMore && calls === 1)
        return { message: again(rules.retryAfterMs[0]), wider: null };
      const wide = outcome.scope === "template" || outcome.scope === "account";
      return { message: failed, wider: wide ? { kind: "refused", code, detail } : null };
    }
    case "misconfigured":
      return { message: failed, wider: { kind: "channel_fault", code, detail } };
    case "unreachable": {
      const wait = rules.retryAfterMs[calls - 1];
      const asked = wait === undefined ? undefined : (outcome.retryAfterMs ?? wait);
      return { message: again(asked), wider: { kind: "unreached" } };
    }
    case "throttled": {
      const more = calls < rules.throttledCalls;
      if (outcome.scope === "recipient") {
        // A pair that sent far beyond its limit must wait longer than one interval (channels §2.11).
        const owed = (outcome.retryAfterMs ?? PAIR_MS) * calls;
        return { message: again(more ? owed : undefined), wider: null };
      }
      const asked = outcome.retryAfterMs ?? THROTTLE_MS;
      const waitMs = Math.min(Math.max(asked, LEAST_WAIT_MS), MOST_WAIT_MS);
      return { message: again(more ? waitMs : undefined), wider: { kind: "throttled", waitMs } };
    }
  }
}

/**
 * The ids that the answer to a send to `to` gives for the customer. The platform's own id counts only together
 * with the number that it belongs to. One without the other would not show that another person has the number now.
 */
export function idsTold(
  answer: { readonly recipientId?: string; readonly alternateId?: string },
  to: string,
): string[] {
  const { recipientId, alternateId } = answer;
  if (recipientId === undefined) return [];
  if (alternateId !== undefined) return [recipientId, alternateId];
  return recipientId === to ? [] : [recipientId];
}
