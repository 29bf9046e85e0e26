import type { Context } from "../context.ts";
import { selectSendable, type BroadcastKey } from "./broadcast-store.ts";
import { Rests } from "./rests.ts";
import { sendBatch, type Turns } from "./send-batch.ts";
import { TurnQueue } from "./turn-queue.ts";
import { describeForLog } from "../db/describe-for-log.ts";

/** Batches of one campaign under way at once while its provider is quick: one writes while the other waits. */
const PER_CAMPAIGN = 2;
/**
 * After so long in the air a batch has one more begin beside it, as long as the provider takes calls: one that needs half
 * a second for each would keep a campaign of 1,000 a second to 230 with two batches. Longer than 256 calls to a provider
 * that is quick: there more batches would only wait for each other in the database.
 */
const SLOW_MS = 75;
/** Calls of one campaign in the air, about: 1,000 a second at a provider that takes a second for each. */
const IN_THE_AIR = 1_024;
/** Batches under way at once in this process; the second half of them is for campaigns that have fewer than two. */
const IN_ALL = 32;
/** How long a round takes in further batches; then the worker sees to its other work. */
const ROUND_MS = 5_000;
/** How often a round looks for campaigns that started meanwhile. */
const LOOK_MS = 1_000;

/**
 * Gives every running campaign its turns, one batch each time round and workspace after workspace, so that a large one
 * does not keep a small one waiting. A batch that hangs at its provider holds up the round but not the others in it, nor
 * those that start meanwhile: they go on until it is back. A campaign whose budget is spent rests until a batch's worth
 * has come; `rests` outlives the round. When `stopping`, no further batch begins. Gives how many recipients were taken on.
 */
export async function sendRound(
  context: Context,
  stopping: () => boolean = () => false,
  rests: Rests = new Rests(),
): Promise<number> {
  return new Round(context, stopping, rests).run();
}

/** What a campaign has under way in a round. */
interface UnderWay {
  batches: number;
  calls: number;
  /** When the last batch began, in milliseconds of `performance.now()`. */
  begunAt: number;
}

class Round {
  readonly #context: Context;
  readonly #stopping: () => boolean;
  readonly #rests: Rests;
  readonly #queue = new TurnQueue();
  readonly #resting: BroadcastKey[] = [];
  /** Campaigns that stand in the queue or rest, each once. */
  readonly #queued = new Set<string>();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #over = Promise.withResolvers<void>();
  readonly #end = performance.now() + ROUND_MS;
  #handled = 0;
  #busy = 0;
  /** Batches that began before the end of the round and are still under way. */
  #early = 0;
  #alarm: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(context: Context, stopping: () => boolean, rests: Rests) {
    this.#context = context;
    this.#stopping = stopping;
    this.#rests = rests;
  }

  async run(): Promise<number> {
    await this.#look();
    const looks = setInterval(() => void this.#lookAgain(), LOOK_MS);
    await this.#over.promise;
    clearInterval(looks);
    return this.#handled;
  }

  /** Gives a turn to all who may send and have nothing under way. */
  async #look(): Promise<void> {
    const keys = await selectSendable(this.#context.db, this.#context.clock.now());
    if (this.#ended) return;
    for (const key of keys) if (!this.#underWay.get(key.id)?.batches) this.#push(key);
    this.#fill();
  }

  async #lookAgain(): Promise<void> {
    if (!this.#goesOn()) return;
    try {
      await this.#look();
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "no look for campaigns that started");
    }
  }

  #goesOn(): boolean {
    return !this.#stopping() && (performance.now() < this.#end || this.#early > 0);
  }

  #push(key: BroadcastKey): void {
    if (this.#queued.has(key.id)) return;
    this.#queued.add(key.id);
    this.#queue.push(key);
  }

  /** Begins what can be begun. Who rests is waited for while others are busy: its lines are not theirs. */
  #fill(): void {
    const now = this.#context.clock.now();
    for (const key of this.#resting.splice(0))
      if (this.#rests.has(key.id, now)) this.#resting.push(key);
      else this.#queue.push(key);
    while (this.#busy < IN_ALL && !this.#stopping()) {
      const key = this.#queue.shift();
      if (key === undefined) break;
      if (this.#rests.has(key.id, now)) this.#resting.push(key);
      else {
        this.#queued.delete(key.id);
        void this.#turn(key);
      }
    }
    clearTimeout(this.#alarm);
    if (this.#busy === 0) {
      this.#ended = true;
      this.#over.resolve();
    } else if (this.#resting.length > 0 && this.#goesOn())
      this.#alarm = setTimeout(() => this.#fill(), this.#rests.soonest(now) ?? 1);
  }

  async #turn(key: BroadcastKey): Promise<void> {
    const own = this.#underWay.get(key.id) ?? { batches: 0, calls: 0, begunAt: -Infinity };
    this.#underWay.set(key.id, own);
    const counts = performance.now() < this.#end;
    if (counts) this.#early++;
    this.#busy++;
    own.batches++;
    let calls = 0;
    let slow: NodeJS.Timeout | undefined;
    const another = () => {
      if (!this.#hasRoom(key, own, calls) || !this.#goesOn()) return;
      this.#push(key);
      this.#fill();
    };
    const count = await this.#send(key, {
      rests: this.#rests,
      answered: (taken, last) => {
        if (taken) this.#rests.taken(key.id, this.#context.clock.now());
        if (last) clearInterval(slow);
      },
      begun: (begun, more) => {
        calls = begun;
        own.calls += calls;
        own.begunAt = performance.now();
        if (!more) return;
        if (own.batches < PER_CAMPAIGN) another();
        else slow = setInterval(another, SLOW_MS);
      },
    });
    clearInterval(slow);
    own.batches--;
    own.calls -= calls;
    this.#busy--;
    if (counts) this.#early--;
    this.#handled += count;
    if (count > 0 && this.#goesOn()) this.#push(key);
    this.#fill();
  }

  /** Whether a campaign may have another batch of so many calls. */
  #hasRoom(key: BroadcastKey, own: UnderWay, calls: number): boolean {
    if (own.batches < PER_CAMPAIGN) return true;
    if (performance.now() - own.begunAt < SLOW_MS) return false;
    if (!this.#rests.isTaking(key.id, this.#context.clock.now())) return false;
    return this.#busy < IN_ALL / 2 && own.calls + calls <= IN_THE_AIR;
  }

  /** One campaign's trouble is its own: the others go on. */
  async #send(key: BroadcastKey, turns: Turns): Promise<number> {
    try {
      return await sendBatch(this.#context, key, undefined, turns);
    } catch (error) {
      const facts = { broadcastId: key.id, ...describeForLog(error) };
      this.#context.log.error(facts, "campaign batch broke off");
      return 0;
    }
  }
}
