import { setImmediate as nextTurn } from "node:timers/promises";
import type { SendOutcome } from "../../channels/adapter.ts";
import type { Context } from "../../context.ts";
import { gather } from "../../lib/gather.ts";
import { callProvider } from "../../sending/call-provider.ts";
import type { PlacedCall } from "./begin-batch.ts";
import type { BatchCall } from "./sort-waiting.ts";
import type { SendPlan } from "./plan-sending.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

/** A call with its outcome; null when it was never made. */
export interface Answered {
  readonly call: BatchCall;
  readonly outcome: SendOutcome | null;
}

/** Open calls at once, per batch. */
const AT_ONCE = 128;
/** A call that is later than this takes another place: a pace may be exceeded by a twentieth of a second. */
const LATE_MS = 25;
/** If it is late each time, another try gains nothing. */
const PLACES = 4;
/** The intents to make calls whose places are within this long are stored together, and at least so many. */
const STRETCH_MS = 12;
const STRETCH = 16;
/** How long before the first of their places that begins. To both, twice the time is added that the last one took. */
const INTENT_LEAD_MS = 4;
const LONGEST_INTENT_MS = 25;
/** How many calls are begun one after the other before this process's other work gets its turn. */
const IN_A_ROW = 8;
/** How long answers may wait to be stored while other calls are open: the part that a crash can make unknown. */
const SETTLE_EVERY_MS = 250;
const SETTLE_TRIES = 30;
const SETTLE_RETRY_MS = 1_000;

/** What is asked while the calls of a batch are made. */
interface Gates {
  /** Whether the campaign was stopped, four times a second: calls that have not begun then are not made. */
  readonly stopped?: () => Promise<boolean>;
  /** New places for calls that missed theirs, because this process hung; null: none. */
  readonly takePlaces?: (count: number) => Promise<readonly number[] | null>;
  /** Stores that the first `upTo` calls may begin. False: others have them. */
  readonly intend?: (upTo: number) => Promise<boolean>;
}

/**
 * Makes the calls, outside any transaction, each at its place and at most 128 at once, and passes the answers to
 * `settle` as they gather; `last`: no more will come. The intent to call is committed a moment before the call: what is
 * between the two when this process is killed is in doubt. Calls that are stopped, have no place or no intent are not
 * made and are put back. Answers are kept while the database is away, because losing one would make a known outcome
 * unknown.
 */
export async function makeCalls(
  context: Pick<Context, "clock" | "log">,
  plan: SendPlan,
  calls: readonly PlacedCall[],
  settle: (answers: readonly Answered[], last: boolean) => Promise<void>,
  {
    stopped = async () => false,
    takePlaces = async () => null,
    intend = async () => true,
  }: Gates = {},
): Promise<void> {
  const intents = new Intents(context, calls, intend);
  const another = gather<number>(async (ids) => {
    const places = await takePlaces(ids.length);
    return new Map(places === null ? [] : ids.map((id, n) => [id, places[n] ?? 0]));
  });
  const answers: Answered[] = [];
  let halted = false;
  let begun = 0;
  const waiting = calls.entries();
  const line = async () => {
    for (const [n, call] of waiting) {
      if (++begun % IN_A_ROW === 0) await nextTurn();
      const inPlace =
        !halted && (await intents.of(n)) && (await reachPlace(context, call, another));
      const outcome = halted || !inPlace ? null : await makeCall(context, plan, call);
      answers.push({ call, outcome });
    }
  };
  let over = false;
  const all = Promise.all(Array.from({ length: Math.min(AT_ONCE, calls.length) }, line)).then(
    () => (over = true),
  );
  for (let failures = 0; ;) {
    await firstOf(all, failures > 0 ? SETTLE_RETRY_MS : SETTLE_EVERY_MS, failures > 0);
    if (!over && !halted) halted = await isStopped(context, stopped);
    const ended = over;
    const batch = answers.splice(0);
    try {
      if (batch.length > 0 || ended) await settle(batch, ended);
      failures = 0;
      if (ended) return;
    } catch (error) {
      if (++failures >= SETTLE_TRIES) throw error;
      answers.unshift(...batch);
      context.log.warn(describeForLog(error), "campaign answers could not be stored yet");
    }
  }
}

/** When that cannot be answered the calls go on: they have begun, and each is made once whatever happens. */
async function isStopped(
  context: Pick<Context, "log">,
  stopped: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await stopped();
  } catch (error) {
    context.log.warn(describeForLog(error), "whether the campaign still runs is not known");
    return false;
  }
}

/** Stores the intents of a batch's calls, in their order, a stretch at a time and close to the calls. */
class Intents {
  readonly #context: Pick<Context, "clock" | "log">;
  readonly #calls: readonly PlacedCall[];
  readonly #intend: (upTo: number) => Promise<boolean>;
  /** So many calls may begin. */
  #through = 0;
  #refused = false;
  #storing: Promise<void> | undefined;
  /** Twice what the last one took. */
  #slack = 0;

  constructor(
    context: Pick<Context, "clock" | "log">,
    calls: readonly PlacedCall[],
    intend: (upTo: number) => Promise<boolean>,
  ) {
    this.#context = context;
    this.#calls = calls;
    this.#intend = intend;
  }

  /** Waits until the intent of call `n` is stored, from shortly before its place on. False: it must not be made. */
  async of(n: number): Promise<boolean> {
    const { clock } = this.#context;
    const place = this.#calls[n]?.placeAt ?? 0;
    const ahead = place - INTENT_LEAD_MS - this.#slack - clock.now().getTime();
    if (n >= this.#through && ahead > 0) await clock.pass(ahead);
    while (n >= this.#through && !this.#refused) {
      this.#storing ??= this.#store().finally(() => (this.#storing = undefined));
      await this.#storing;
    }
    return n < this.#through;
  }

  async #store(): Promise<void> {
    const { clock, log } = this.#context;
    const upTo = this.#end();
    const from = clock.now().getTime();
    try {
      if (await this.#intend(upTo)) this.#through = upTo;
      else this.#refused = true;
    } catch (error) {
      this.#refused = true;
      log.warn(describeForLog(error), "intents to call could not be stored");
    }
    const took = Math.max(0, clock.now().getTime() - from);
    this.#slack = 2 * Math.min(LONGEST_INTENT_MS, took);
  }

  #end(): number {
    const first = this.#calls[this.#through]?.placeAt ?? 0;
    const until = first + STRETCH_MS + this.#slack;
    const beyond = this.#calls.findIndex(
      ({ placeAt }, n) => n >= this.#through + STRETCH && placeAt > until,
    );
    return beyond < 0 ? this.#calls.length : beyond;
  }
}

/** Waits for the place of a call. False: the call missed it, and there is no other. */
async function reachPlace(
  { clock, log }: Pick<Context, "clock" | "log">,
  call: PlacedCall,
  another: (id: string) => Promise<number | undefined>,
): Promise<boolean> {
  let place = call.placeAt;
  for (let taken = 1; ; taken++) {
    const ahead = place - clock.now().getTime();
    if (ahead > 0) await clock.pass(ahead);
    if (taken === PLACES || clock.now().getTime() - place <= LATE_MS) return true;
    try {
      const next = await another(call.messageId);
      if (next === undefined) return false;
      place = next;
    } catch (error) {
      log.warn({ messageId: call.messageId, ...describeForLog(error) }, "no place for a late call");
      return false;
    }
  }
}

function makeCall(
  context: Pick<Context, "clock" | "log">,
  plan: SendPlan,
  { messageId, calledAt: begunAt, claim, filled }: BatchCall,
): Promise<SendOutcome | null> {
  const message = { id: messageId, to: claim.address, content: filled.outbound };
  const { channelType } = plan;
  return callProvider(context, { messageId, channelType, road: "campaign", begunAt }, () =>
    plan.send(message),
  );
}

/** Waits until all is over or the time has passed; with `full`, the whole time. */
async function firstOf(all: Promise<unknown>, ms: number, full: boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await (full ? promise : Promise.race([all, promise]));
  clearTimeout(timer);
}
