import type { Context } from "../../context.ts";
import { selectSendable, type BroadcastKey } from "../record/broadcast-store.ts";
import { Rests } from "./rests.ts";
import { sendBatch, type Turns } from "./send-batch.ts";
import { describeForLog } from "../../db/describe-for-log.ts";

/** Batches of one campaign in progress at once while its provider is quick: one writes while the other waits. */
const PER_CAMPAIGN = 2;
/**
 * When a batch has been open for this long, a further one begins beside it, as long as the provider accepts calls.
 * With only two batches, a provider that needs half a second for a call would hold an unpaced campaign at 1,000 a
 * second. A quick provider answers 256 calls sooner than this; more batches would only wait for each other in the
 * database.
 */
const SLOW_MS = 75;
/**
 * Calls of one campaign that are prepared or open, about: 1,000 a second at a provider that takes a second for
 * each.
 */
const IN_THE_AIR = 1_536;
/** Batches in progress at once in this process; the second half of them is for campaigns that have fewer than two. */
const IN_ALL = 48;
/** How often a round looks for campaigns that started meanwhile. */
const LOOK_MS = 1_000;

/**
 * Gives every running campaign its turns, one batch each time round and workspace after workspace, so that a large
 * one does not keep a small one waiting. A batch that hangs at its provider delays no other. A campaign that has
 * taken all places ahead rests until there are places for a batch, and then takes them while the one before still
 * sends; `rests` outlives the round. The round is over when nothing is in progress; when `stopping`, no further
 * batch begins. Gives how many recipients were claimed.
 */
export async function sendRound(
  context: Context,
  stopping: () => boolean = () => false,
  rests: Rests = new Rests(),
): Promise<number> {
  return new Round(context, stopping, rests).run();
}

/** The batches of a campaign that are in progress in a round. */
interface UnderWay {
  batches: number;
  calls: number;
  /** How many calls its last batch had, and when that began, in milliseconds of `performance.now()`. */
  lastCalls: number;
  begunAt: number;
  /** The last batch took all places there were: the next one begins when others have come. */
  rests: boolean;
}

class Round {
  readonly #context: Context;
  readonly #stopping: () => boolean;
  readonly #rests: Rests;
  readonly #queue = new TurnQueue();
  readonly #resting: BroadcastKey[] = [];
  /** Campaigns that are in the queue or rest, each once. */
  readonly #queued = new Set<string>();
  readonly #underWay = new Map<string, UnderWay>();
  readonly #over = Promise.withResolvers<void>();
  #handled = 0;
  #busy = 0;
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

  /** Gives a turn to each campaign that may send and has nothing in progress. */
  async #look(): Promise<void> {
    const keys = await selectSendable(this.#context.db, this.#context.clock.now());
    if (this.#ended) return;
    for (const key of keys) if (!this.#underWay.has(key.id)) this.#push(key);
    this.#fill();
  }

  async #lookAgain(): Promise<void> {
    if (this.#stopping()) return;
    try {
      await this.#look();
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "no look for campaigns that started");
    }
  }

  #push(key: BroadcastKey): void {
    if (this.#queued.has(key.id)) return;
    this.#queued.add(key.id);
    this.#queue.push(key);
  }

  /** Begins what can be begun. Resting campaigns are awaited separately from busy ones. */
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
        // Without room it comes again when one of its batches is finished, or when its provider accepts calls.
        if (this.#hasRoom(key)) void this.#turn(key);
      }
    }
    clearTimeout(this.#alarm);
    if (this.#busy === 0) {
      this.#ended = true;
      this.#over.resolve();
    } else if (this.#resting.length > 0 && !this.#stopping())
      this.#alarm = setTimeout(() => this.#fill(), this.#rests.soonest(now) ?? 1);
  }

  async #turn(key: BroadcastKey): Promise<void> {
    const fresh = { batches: 0, calls: 0, lastCalls: 0, begunAt: -Infinity, rests: false };
    const own: UnderWay = this.#underWay.get(key.id) ?? fresh;
    this.#underWay.set(key.id, own);
    this.#busy++;
    own.batches++;
    let calls = 0;
    let slow: NodeJS.Timeout | undefined;
    const another = () => {
      if (this.#stopping()) return;
      this.#push(key);
      this.#fill();
    };
    const count = await this.#send(key, {
      rests: this.#rests,
      answered: (taken, last) => {
        if (last) clearInterval(slow);
        if (!taken) return;
        this.#rests.taken(key.id, this.#context.clock.now());
        if (own.rests) another();
      },
      begun: (begun, next) => {
        calls = begun;
        own.calls += calls;
        own.lastCalls = calls;
        own.begunAt = performance.now();
        own.rests = next === "rests";
        if (next === "none") return;
        if (own.rests || own.batches < PER_CAMPAIGN) another();
        else slow = setInterval(another, SLOW_MS);
      },
    });
    clearInterval(slow);
    own.batches--;
    own.calls -= calls;
    if (own.batches === 0) this.#underWay.delete(key.id);
    this.#busy--;
    this.#handled += count;
    const goesOn = count > 0 || this.#rests.has(key.id, this.#context.clock.now());
    if (goesOn && !this.#stopping()) this.#push(key);
    this.#fill();
  }

  /** Whether a campaign may have another batch. */
  #hasRoom(key: BroadcastKey): boolean {
    const own = this.#underWay.get(key.id);
    if (own === undefined || own.batches < PER_CAMPAIGN) return true;
    if (!own.rests && performance.now() - own.begunAt < SLOW_MS) return false;
    if (!this.#rests.isTaking(key.id, this.#context.clock.now())) return false;
    return this.#busy < IN_ALL / 2 && own.calls + own.lastCalls <= IN_THE_AIR;
  }

  /** An error of one campaign stays its own: the others go on. */
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

/**
 * Chooses the next turn: workspaces one after another and, within one, its campaigns. So a workspace with a
 * hundred campaigns gets as many turns as one with a single campaign, and a campaign of a million no more than its
 * neighbour of fifty.
 */
export class TurnQueue {
  readonly #byWorkspace = new Map<string, BroadcastKey[]>();

  push(key: BroadcastKey): void {
    const waiting = this.#byWorkspace.get(key.workspaceId);
    if (waiting) waiting.push(key);
    else this.#byWorkspace.set(key.workspaceId, [key]);
  }

  /** The next campaign; its workspace then goes behind the others. */
  shift(): BroadcastKey | undefined {
    for (const [workspaceId, waiting] of this.#byWorkspace) {
      const key = waiting.shift();
      this.#byWorkspace.delete(workspaceId);
      if (waiting.length > 0) this.#byWorkspace.set(workspaceId, waiting);
      if (key) return key;
    }
    return undefined;
  }
}
