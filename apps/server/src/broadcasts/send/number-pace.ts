import type { BroadcastChannelType, BroadcastKind } from "../../wire/words.ts";
import {
  afterCommit,
  aheadMs,
  nextPlace,
  paceAt,
  placeAfter,
  placesPerMinute,
  placesUntil,
  RATE_FLOOR,
  type Pace,
} from "./pace.ts";

/** A campaign that sends on a number, or wants to. */
export interface Sharer {
  readonly rate: number;
  /** When it last took or wanted something, in ms. */
  readonly at: number;
  /** How many of the number's places belong to it at `at`, while others want some too; below 0: it took them ahead. */
  readonly credit: number;
}

/**
 * How fast a number may send: a second budget, in a row of the number, from which all its campaigns take, because
 * a platform counts by the number and not by our campaigns.
 */
export interface NumberPace {
  readonly account: string;
  readonly pace: Pace;
  /** Messages a minute since the platform refused; for a day. */
  readonly ceiling: number | null;
  readonly halvedAt: Date | null;
  /** Messages a minute that a person allows for all campaigns together; null: as many as the platform allows. */
  readonly most: number | null;
  readonly sharers: Readonly<Record<string, Sharer>>;
}

/** What a number may send a minute when nobody says otherwise (contract §5): 80 a second, 25 a second, 10 a second. */
const DEFAULT_RATE = { WHATSAPP: 4_800, TELEGRAM: 1_500, SMS: 600 } as const;

export const usualRate = (of: {
  readonly kind: BroadcastKind;
  readonly channelType: BroadcastChannelType;
}): number => DEFAULT_RATE[of.kind === "SMS" ? "SMS" : of.channelType];

/**
 * What a WhatsApp number is sent a minute where it may be sent 4,800. The platform refuses the 81st message of any
 * second. A call may begin 25 ms after its place, or wait on its way, and then 81 come within one second: at 80 a second
 * a campaign was refused two seconds after its start, and went at half its pace for the rest of the day.
 */
const WITHIN_80_A_SECOND = 4_560;

/** A campaign in the number's row. */
export interface Asker {
  readonly id: string;
  readonly rateLimitPerMinute: number;
  readonly kind: BroadcastKind;
  readonly channelType: BroadcastChannelType;
}

/** After a refusal the platform is not sent as much again on the same day. */
export const CEILING_MS = 24 * 60 * 60_000;
/** A campaign that took nothing for this long has no share: the others need not leave it one. */
const LIVE_MS = 3_000;
/** How often a campaign that waits for its share reports it. */
const WANTED_MS = 1_000;

/** Slow ones send seldom: they keep their share for the time of two sends. */
const lives = (one: Sharer, now: number): boolean =>
  Math.abs(now - one.at) <= Math.max(LIVE_MS, 120_000 / one.rate);

function othersOf(number: NumberPace, id: string, now: Date): [string, Sharer][] {
  return Object.entries(number.sharers).filter(
    ([other, sharer]) => other !== id && lives(sharer, now.getTime()),
  );
}

/** A number whose gateway accepts no more than `most` a minute. */
export const heldTo = (number: NumberPace, most = Infinity): NumberPace =>
  most < (number.most ?? Infinity) ? { ...number, most } : number;

/**
 * Messages a minute for the number: what its platform allows every number, more when a person set a campaign to
 * more, less for a day after it refused, and never more than a person allows the number.
 */
export function numberRate(number: NumberPace, asker: Asker, now: Date): number {
  const rates = othersOf(number, asker.id, now).map(([, sharer]) => sharer.rate);
  const wanted = Math.max(usualRate(asker), asker.rateLimitPerMinute, ...rates);
  const rate = number.most === null ? wanted : Math.min(wanted, number.most);
  const held = number.halvedAt !== null && now.getTime() - number.halvedAt.getTime() < CEILING_MS;
  return held && number.ceiling !== null ? Math.min(rate, number.ceiling) : rate;
}

/** The pace of the number's places: a little less than `numberRate` where that is the platform's own limit. */
function spacedRate(number: NumberPace, asker: Asker, now: Date): number {
  const rate = numberRate(number, asker, now);
  const atLimit = rate <= DEFAULT_RATE.WHATSAPP && usualRate(asker) === DEFAULT_RATE.WHATSAPP;
  return atLimit ? Math.min(rate, WITHIN_80_A_SECOND) : rate;
}

/**
 * The share of `total` for a campaign that wants `rate` beside others: equal shares, and what slower ones leave
 * goes to the rest in equal shares.
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

/** Places that were taken: when each call may be made, in ms, and both rows after that. */
interface Taken {
  readonly places: readonly number[];
  /** The next one, in ms. */
  readonly next: number;
  readonly own: Pace;
  readonly number: NumberPace;
}

/** What a campaign may take now: of its own pace, of its number's, and of its share of that. */
export interface Budget {
  /** How many calls have their place within the time for which places are taken ahead. */
  readonly count: number;
  /** The first of them, in ms. */
  readonly next: number;
  /**
   * The number with this campaign recorded as one that waits for its share; null: it does not, or is recorded
   * already.
   */
  readonly wanting: NumberPace | null;
  /** Takes this many places, none before a call prepared at `from` can be made. The rows are still locked. */
  take(count: number, from: Date): Taken;
}

/**
 * Opens both paces at `now`. Alone on its number, a campaign has all of it. Beside others it has a credit that
 * grows with its share and is stored in the number's row, so that the first one does not take another's share. A
 * call is made at the later of its two places.
 */
export function openBudget(own: Pace, number: NumberPace, asker: Asker, now: Date): Budget {
  const { id, rateLimitPerMinute: rate } = asker;
  const at = now.getTime();
  const others = othersOf(number, id, now);
  const total = spacedRate(number, asker, now);
  const until = at + aheadMs(rate);
  const ownNext = nextPlace(own, rate, now);
  const numberNext = nextPlace(number.pace, total, now);
  const mine = placesUntil(ownNext, rate, until);
  const ofNumber = placesUntil(numberNext, total, until);
  const known = number.sharers[id];
  const share = shareOf(
    // Not more than the number allows: larger credits would leave all of it to the first.
    placesPerMinute(total),
    rate,
    others.map(([, sharer]) => sharer.rate),
  );
  const credit = creditOf(known, share, at);
  const ahead = (aheadMs(rate) * share) / 60_000;
  const part = others.length === 0 ? Infinity : Math.max(0, Math.floor(credit + ahead + 1e-9));
  const count = Math.min(mine, ofNumber, part);
  const noted = (left: number, pace: Pace): NumberPace => {
    const self: Sharer = { rate, at, credit: Math.max(-ahead, left) };
    return { ...number, pace, sharers: Object.fromEntries([...others, [id, self]]) };
  };
  const waits = count === 0 && mine > 0 && others.length > 0;
  const fresh = known !== undefined && Math.abs(at - known.at) < WANTED_MS;
  return {
    count,
    next: Math.max(ownNext, numberNext),
    wanting: waits && !fresh ? noted(credit, number.pace) : null,
    take(sent, from) {
      const first = Math.max(nextPlace(own, rate, from), afterCommit(from));
      const ofAll = Math.max(nextPlace(number.pace, total, from), afterCommit(from));
      const places = Array.from({ length: sent }, (_, n) =>
        Math.max(placeAfter(first, rate, n), placeAfter(ofAll, total, n)),
      );
      // The place after the campaign's last one, however long it waited; other campaigns have the number's places
      // between these.
      const last = places.at(-1);
      const after = last === undefined ? first : placeAfter(last, rate, 1);
      const afterAll = placeAfter(ofAll, total, sent);
      return {
        places,
        next: Math.max(after, afterAll),
        own: paceAt(after, rate),
        number: noted(credit - sent, paceAt(afterAll, total)),
      };
    },
  };
}

/**
 * One send to begin with. It grows to two, so that a worker that looks seldom does not lose what it finds beyond a
 * whole send. Places taken ahead are owed.
 */
function creditOf(known: Sharer | undefined, share: number, now: number): number {
  if (known === undefined || !lives(known, now)) return 1;
  return Math.min(2, known.credit + (Math.max(0, now - known.at) * share) / 60_000);
}

/**
 * After a refusal: half of what the number did, once per episode (calls begun before the last halving belong to
 * it).
 */
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
