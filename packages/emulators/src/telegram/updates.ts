import type { SimClock } from "../core/clock.ts";
import type { CallResult, Outgoing } from "../core/outgoing.ts";
import { BotRefusal } from "./errors.ts";

export type Update = Readonly<Record<string, unknown>> & { readonly update_id: number };

export interface Webhook {
  readonly url: string;
  readonly secretToken: string | null;
  readonly maxConnections: number;
}

interface Pending {
  readonly update: Update;
  readonly chat: string;
  readonly at: number;
  due: number;
  attempt: number;
  inFlight: boolean;
}

export interface UpdatesOptions {
  readonly clock: SimClock;
  readonly mode: "timed" | "manual";
  readonly outgoing: Outgoing;
  /** A call to the webhook was answered: journal, and a method in the answer. */
  readonly onCall: (
    webhook: Webhook,
    update: Update,
    attempt: number,
    headers: Readonly<Record<string, string>>,
    result: CallResult,
  ) => void;
}

const DAY = 86_400_000;
/** After 410 for this long the webhook is closed (channels.md §5.3). */
const GONE_MS = 23 * 3_600_000;
const LONGEST_GAP_MS = 60_000;

/**
 * The updates of one bot that were not taken yet: sent to its webhook, those of one chat in order and one at a
 * time, or given to `getUpdates`. Kept for a day.
 */
export class Updates {
  readonly #options: UpdatesOptions;
  #pending: Pending[] = [];
  #webhook: Webhook | null = null;
  #allowed: readonly string[] = [];
  #nextId = 10_000;
  #waiter: { resolve: (terminated: boolean) => void; timer: NodeJS.Timeout } | null = null;
  #waiterEnd: BotRefusal | null = null;
  #timer: NodeJS.Timeout | undefined;
  #goneSince: number | null = null;
  #closed = false;
  readonly #running = new Set<Promise<void>>();
  lastError: { date: number; message: string } | null = null;
  delivered = 0;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  get webhook(): Webhook | null {
    return this.#webhook;
  }
  get allowed(): readonly string[] {
    return this.#allowed;
  }
  get count(): number {
    this.#forgetOld();
    return this.#pending.length;
  }

  /** Adds an update of a kind that the bot wants; gives its id, or null. */
  push(kind: string, chat: string, content: object, due: number, times = 1): number | null {
    if (this.#allowed.length > 0 && !this.#allowed.includes(kind)) return null;
    const update = { update_id: this.#nextId++, [kind]: content };
    for (let i = 0; i < times; i++)
      this.#pending.push({ update, chat, at: due, due, attempt: 0, inFlight: false });
    const wait = Math.max(0, due - this.#options.clock.now());
    if (wait === 0) this.#waiter?.resolve(false);
    else setTimeout(() => this.#waiter?.resolve(false), wait).unref();
    this.#arm();
    return update.update_id;
  }

  setWebhook(webhook: Webhook | null, allowed: readonly string[] | null, drop: boolean): void {
    this.#webhook = webhook;
    this.#goneSince = null;
    this.lastError = null;
    if (allowed !== null) this.#allowed = allowed;
    if (drop) this.#pending = [];
    this.#end("Conflict: terminated by setWebhook request");
    this.#arm();
  }

  /** The long poll. Refuses with 409 while a webhook is set, and when another call replaces it. */
  async get(query: {
    offset: number | null;
    limit: number;
    timeoutMs: number;
    allowed: readonly string[] | null;
  }): Promise<Update[]> {
    if (this.#webhook !== null)
      throw new BotRefusal(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    this.#end();
    if (query.allowed !== null) this.#allowed = query.allowed;
    this.#forgetOld();
    const { offset } = query;
    if (offset !== null && offset > 0)
      this.#pending = this.#pending.filter((one) => one.update.update_id >= offset);
    if (offset !== null && offset < 0) this.#pending = this.#pending.slice(offset);
    const ready = () =>
      this.#pending
        .filter((one) => one.due <= this.#options.clock.now())
        .slice(0, query.limit)
        .map((one) => one.update);
    if (ready().length > 0 || query.timeoutMs <= 0) return ready();
    const terminated = await new Promise<boolean>((resolve) => {
      const done = (value: boolean) => {
        clearTimeout(timer);
        if (this.#waiter?.resolve === done) this.#waiter = null;
        resolve(value);
      };
      const timer = setTimeout(() => done(false), query.timeoutMs);
      this.#waiter = { resolve: done, timer };
    });
    if (terminated) throw this.#waiterEnd ?? new BotRefusal(409);
    return ready();
  }

  /**
   * One attempt at the webhook for the first update of every chat, and for the following ones as long as they are
   * accepted.
   */
  async flush(onlyDue = false): Promise<number> {
    const before = this.delivered;
    const stuck = new Set<string>();
    for (let next = this.#next(stuck, onlyDue); next; next = this.#next(stuck, onlyDue)) {
      if (!(await this.#attempt(next))) stuck.add(next.chat);
    }
    await Promise.all(this.#running);
    this.#arm();
    return this.delivered - before;
  }

  clear(): void {
    this.#pending = [];
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#pending = [];
    this.#waiter?.resolve(false);
    await Promise.all(this.#running);
  }

  #end(words?: string): void {
    this.#waiterEnd = new BotRefusal(409, words);
    this.#waiter?.resolve(true);
  }

  #forgetOld(): void {
    const oldest = this.#options.clock.now() - DAY;
    this.#pending = this.#pending.filter((one) => one.at >= oldest || one.inFlight);
  }

  /** The first update whose chat has no earlier one. */
  #next(stuck: ReadonlySet<string>, onlyDue: boolean): Pending | null {
    if (this.#webhook === null || this.#closed) return null;
    this.#forgetOld();
    const now = this.#options.clock.now();
    const busy = new Set<string>(stuck);
    for (const one of this.#pending) {
      if (busy.has(one.chat)) continue;
      if (!one.inFlight && (!onlyDue || one.due <= now)) return one;
      busy.add(one.chat);
    }
    return null;
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#options.mode === "manual" || this.#webhook === null) return;
    while (this.#running.size < this.#webhook.maxConnections) {
      const next = this.#next(new Set(), true);
      if (next === null) break;
      const run = this.#attempt(next).then(() => {
        this.#running.delete(run);
        this.#arm();
      });
      this.#running.add(run);
    }
    const waits = this.#pending.filter((one) => !one.inFlight).map((one) => one.due);
    if (waits.length === 0) return;
    const wait = Math.min(...waits) - this.#options.clock.now();
    this.#timer = setTimeout(() => this.#arm(), Math.min(Math.max(wait, 50), 60_000));
  }

  async #attempt(one: Pending): Promise<boolean> {
    const webhook = this.#webhook;
    if (webhook === null) return false;
    one.inFlight = true;
    one.attempt += 1;
    const headers = {
      "content-type": "application/json",
      ...(webhook.secretToken !== null && {
        "x-telegram-bot-api-secret-token": webhook.secretToken,
      }),
    };
    const body = Buffer.from(JSON.stringify(one.update));
    const result = await this.#options.outgoing.call("POST", webhook.url, headers, body);
    one.inFlight = false;
    const taken = result.status !== null && result.status >= 200 && result.status < 300;
    if (taken) {
      this.#pending = this.#pending.filter((other) => other !== one);
      this.#goneSince = null;
      this.delivered += 1;
    } else this.#refused(one, result);
    this.#options.onCall(webhook, one.update, one.attempt, headers, result);
    return taken;
  }

  /** Gaps of 1 s, 2 s, 4 s … a minute, or what the receiver asks for, up to an hour. */
  #refused(one: Pending, { status, headers }: CallResult): void {
    const now = this.#options.clock.now();
    const asked = Number(headers?.["retry-after"]);
    const gap = Math.min(1000 * 2 ** (one.attempt - 1), LONGEST_GAP_MS);
    one.due = now + (asked > 0 ? Math.min(asked, 3600) * 1000 : gap);
    const message =
      status === null ? "Connection refused" : `Wrong response from the webhook: ${status}`;
    this.lastError = { date: Math.floor(now / 1000), message };
    if (status !== 410) this.#goneSince = null;
    else {
      this.#goneSince ??= now;
      if (now - this.#goneSince >= GONE_MS) this.#webhook = null;
    }
  }
}
