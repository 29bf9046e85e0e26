import type { BroadcastChannelType, BroadcastKind } from "./broadcast.ts";
import { allowed, burstOf, RATE_FLOOR, refill, take, type Pace } from "./pace.ts";

/** A campaign that sends on a number, or wants to. */
export interface Sharer {
  readonly rate: number;
  /** When it last took or wanted something, in ms. */
  readonly at: number;
  /** What it may take of the number's tokens at `at`, while others want some too. */
  readonly credit: number;
}

/**
 * How fast a number may send: a second budget, in a row of the number, that all its campaigns take from, since what a
 * platform counts is the number and not our campaigns.
 */
export interface NumberPace {
  readonly account: string;
  readonly pace: Pace;
  /** Messages a minute since the platform refused; for a day. */
  readonly ceiling: number | null;
  readonly halvedAt: Date | null;
  /** Messages a minute that a person allows, all campaigns together; null: as many as the platform gives. */
  readonly most: number | null;
  readonly sharers: Readonly<Record<string, Sharer>>;
}

/** What a number takes a minute when nobody says otherwise (contract §5): 80 a second, 25 a second, 10 a second. */
const DEFAULT_RATE = { WHATSAPP: 4_800, TELEGRAM: 1_500, SMS: 600 } as const;

export const usualRate = (of: {
  readonly kind: BroadcastKind;
  readonly channelType: BroadcastChannelType;
}): number => DEFAULT_RATE[of.kind === "SMS" ? "SMS" : of.channelType];

/** A campaign as its number sees it. */
export interface Asker {
  readonly id: string;
  readonly rateLimitPerMinute: number;
  readonly kind: BroadcastKind;
  readonly channelType: BroadcastChannelType;
}

/** A platform that refused is not asked for as much again on the same day. */
export const CEILING_MS = 24 * 60 * 60_000;
/** A campaign that took nothing for so long has no share: the others need not leave it one. */
const LIVE_MS = 3_000;
/** A campaign that waits for its share says so this often. */
const WANTED_MS = 1_000;

/** Slow ones come seldom: two of their sends apart they still have their share. */
const lives = (one: Sharer, now: number): boolean =>
  Math.abs(now - one.at) <= Math.max(LIVE_MS, 120_000 / one.rate);

function othersOf(number: NumberPace, id: string, now: Date): [string, Sharer][] {
  return Object.entries(number.sharers).filter(
    ([other, sharer]) => other !== id && lives(sharer, now.getTime()),
  );
}

/** The number where its gateway takes no more than `most` a minute. */
export const heldTo = (number: NumberPace, most = Infinity): NumberPace =>
  most < (number.most ?? Infinity) ? { ...number, most } : number;

/**
 * Messages a minute that the number takes: what its platform gives every number, more when a person asked a campaign
 * for more, less for a day after it refused, and never more than a person allows the number.
 */
export function numberRate(number: NumberPace, asker: Asker, now: Date): number {
  const rates = othersOf(number, asker.id, now).map(([, sharer]) => sharer.rate);
  const wanted = Math.max(usualRate(asker), asker.rateLimitPerMinute, ...rates);
  const rate = number.most === null ? wanted : Math.min(wanted, number.most);
  const held = number.halvedAt !== null && now.getTime() - number.halvedAt.getTime() < CEILING_MS;
  return held && number.ceiling !== null ? Math.min(rate, number.ceiling) : rate;
}

/**
 * The part of `total` for one who wants `rate` beside others: everybody the same, and what those leave who want less
 * goes to the rest in equal parts.
 */
export function shareOf(total: number, rate: number, others: readonly number[]): number {
  let left = total;
  let count = others.length + 1;
  for (const other of others.toSorted((a, b) => a - b)) {
    if (other >= left / count || other >= rate) break;
    left -= other;
    count--;
  }
  return Math.min(rate, left / count);
}

/** What a campaign may take now: of its own budget, of its number's, and of its part of that. */
export interface Budget {
  readonly own: Pace;
  readonly number: NumberPace;
  readonly count: number;
  /** The number with this campaign noted as one that waits for its share; null: it does not, or is noted already. */
  readonly wanting: NumberPace | null;
  /** Both budgets after so many sends. */
  spend(count: number): { readonly own: Pace; readonly number: NumberPace };
}

/**
 * Opens both budgets at `now`. Alone on its number a campaign has all of it. Beside others it has a credit that grows
 * with its share and is kept in the number's row, so that whoever comes first does not take what is another's.
 */
export function openBudget(own: Pace, number: NumberPace, asker: Asker, now: Date): Budget {
  const { id, rateLimitPerMinute: rate } = asker;
  const at = now.getTime();
  const others = othersOf(number, id, now);
  const total = numberRate(number, asker, now);
  const mine = refill(own, rate, now);
  const pace = refill(number.pace, total, now);
  const known = number.sharers[id];
  const share = shareOf(
    // Not more than the number gives to one who looks seldom: credits that outgrow it would leave it to who comes first.
    total - burstOf(total),
    rate,
    others.map(([, sharer]) => sharer.rate),
  );
  const credit = others.length === 0 ? pace.tokens : creditOf(known, share, at);
  const count = Math.min(allowed(mine), allowed(pace), Math.floor(credit + 1e-9));
  const noted = (left: number, budget: Pace): NumberPace => {
    const self: Sharer = { rate, at, credit: Math.max(0, left) };
    return { ...number, pace: budget, sharers: Object.fromEntries([...others, [id, self]]) };
  };
  const waits = count === 0 && allowed(mine) > 0 && others.length > 0;
  const fresh = known !== undefined && Math.abs(at - known.at) < WANTED_MS;
  return {
    own: mine,
    number: { ...number, pace },
    count,
    wanting: waits && !fresh ? noted(credit, pace) : null,
    spend: (sent) => ({ own: take(mine, sent), number: noted(credit - sent, take(pace, sent)) }),
  };
}

/**
 * A second's worth to begin with; it grows to one more, so that what a worker that looks seldom finds beyond a whole send
 * is not lost. The number's own budget is what holds the pace.
 */
function creditOf(known: Sharer | undefined, share: number, now: number): number {
  const most = burstOf(share);
  if (known === undefined || !lives(known, now)) return most;
  return Math.min(most + 1, known.credit + (Math.max(0, now - known.at) * share) / 60_000);
}

/** After a refusal: half of what the number did, once per episode (calls begun before the last halving were of it). */
export function halveNumber(
  number: NumberPace,
  asker: Asker,
  calledAt: Date,
  now: Date,
): NumberPace {
  if (number.halvedAt !== null && number.halvedAt >= calledAt) return number;
  const half = Math.floor(numberRate(number, asker, now) / 2);
  return { ...number, ceiling: Math.max(RATE_FLOOR, half), halvedAt: now };
}
