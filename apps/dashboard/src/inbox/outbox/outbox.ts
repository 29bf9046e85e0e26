import { ApiError } from "../../api/api-error.ts";
import type { OutboxItem, Sending } from "./outbox-item.ts";
import { uuid7 } from "../../api/uuid7.ts";

/** The pause before each further try, in ms; the last one repeats. */
const RETRY_AFTER_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;
/** The server keeps the answer to a key for 24 h. After this a further try could send the message twice. */
export const ASK_AFTER_MS = 23 * 3_600_000;

/** Where items are kept, so that they outlive the page. */
export interface OutboxStorage {
  readonly all: () => Promise<readonly OutboxItem[]>;
  readonly put: (item: OutboxItem) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** The outbox's dependencies. */
export interface OutboxWorld<Sent> {
  readonly memberId: string;
  readonly storage: OutboxStorage;
  readonly send: (item: OutboxItem) => Promise<Sent>;
  /** The server has it. Called before the item leaves the outbox, so that its bubble never disappears in between. */
  readonly sent: (item: OutboxItem, answer: Sent) => void;
  /** Items changed: the other tabs read them again. */
  readonly tellTabs: () => void;
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
}

/**
 * Messages from the press of Send until the server has them. Each is stored in the browser first. The one tab in
 * which `lead` was called sends them: the messages of a conversation one after the other, each with the same key
 * at every try.
 */
export class Outbox<Sent> {
  readonly #world: OutboxWorld<Sent>;
  readonly #listeners = new Set<() => void>();
  /** Conversations whose messages are being sent. */
  readonly #busy = new Set<string>();
  #items: readonly OutboxItem[] = [];
  #byConversation = new Map<string, readonly OutboxItem[]>();
  /** Items that the storage does not hold yet, or may still hold. */
  readonly #unkept = new Set<string>();
  readonly #gone = new Set<string>();
  #leads = false;
  /** Ends the pauses between tries: the connection may be back. */
  readonly #wake = new Set<() => void>();

  constructor(world: OutboxWorld<Sent>) {
    this.#world = world;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** A conversation's items, in the order in which they were written. */
  readonly items = (conversationId: string): readonly OutboxItem[] =>
    this.#byConversation.get(conversationId) ?? NONE;

  /** Reads what an earlier page or another tab left. */
  async load(): Promise<void> {
    const kept = await this.#world.storage.all();
    const read = new Set(kept.map(({ id }) => id));
    const own = kept.filter(
      ({ id, memberId }) => memberId === this.#world.memberId && !this.#gone.has(id),
    );
    own.push(...this.#items.filter(({ id }) => this.#unkept.has(id) && !read.has(id)));
    this.#set(own.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    this.#run();
  }

  /** From now on this tab sends. */
  lead(): void {
    this.#leads = true;
    this.#run();
  }

  /** The connection is back, or a person asks for it: the next try is made now. */
  wake(): void {
    for (const go of this.#wake) go();
    this.#run();
  }

  /**
   * Takes a message. It is on the screen at once. When the browser cannot store it, it is sent all the same and is
   * lost only if the page is closed before that.
   */
  async add(conversationId: string, what: Sending): Promise<OutboxItem> {
    const at = this.#world.now();
    const { memberId } = this.#world;
    const item: OutboxItem = {
      id: uuid7(at),
      memberId,
      conversationId,
      at,
      what,
      state: "waiting",
      code: null,
    };
    this.#unkept.add(item.id);
    this.#set([...this.#items, item]);
    const kept = await this.#world.storage.put(item).then(
      () => true,
      () => false,
    );
    if (kept) this.#unkept.delete(item.id);
    if (kept) this.#world.tellTabs();
    else this.#leads = true;
    this.#run();
    return item;
  }

  /**
   * Sends a refused message once more. It is a new message with a new key, because the server keeps its answer to
   * the old one.
   */
  async again(id: string): Promise<void> {
    const item = this.#items.find((one) => one.id === id);
    if (item === undefined || item.state === "waiting") return;
    await this.discard(id);
    await this.add(item.conversationId, item.what);
  }

  /** Drops a message that is not being sent. */
  async discard(id: string): Promise<OutboxItem | undefined> {
    const item = this.#items.find((one) => one.id === id);
    if (item === undefined) return undefined;
    this.#unkept.delete(id);
    this.#gone.add(id);
    this.#set(this.#items.filter((one) => one.id !== id));
    await this.#world.storage.remove(id).catch(() => undefined);
    this.#world.tellTabs();
    return item;
  }

  #run(): void {
    if (!this.#leads) return;
    for (const [conversationId, items] of this.#byConversation)
      if (!this.#busy.has(conversationId) && items.some(({ state }) => state === "waiting"))
        void this.#sendAll(conversationId);
  }

  async #sendAll(conversationId: string): Promise<void> {
    this.#busy.add(conversationId);
    let tries = 0;
    try {
      for (;;) {
        const item = this.items(conversationId).find(({ state }) => state === "waiting");
        if (item === undefined) return;
        const wait = await this.#try(item, tries);
        tries = wait === null ? 0 : tries + 1;
        if (wait !== null) await this.#pause(wait);
      }
    } finally {
      this.#busy.delete(conversationId);
    }
  }

  /** One try. Answers null when the item is finished, else how long to wait in ms. */
  async #try(item: OutboxItem, tries: number): Promise<number | null> {
    if (this.#world.now() - item.at > ASK_AFTER_MS) {
      await this.#keep({ ...item, state: "asks" });
      return null;
    }
    try {
      const answer = await this.#world.send(item);
      this.#world.sent(item, answer);
      await this.discard(item.id);
      return null;
    } catch (error) {
      if (!isPassing(error)) {
        await this.#keep({ ...item, state: "refused", ...refusalIn(error) });
        return null;
      }
      const wait = RETRY_AFTER_MS[Math.min(tries, RETRY_AFTER_MS.length - 1)] ?? 0;
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
      return Math.max(wait, Math.min(asked, 60_000));
    }
  }

  async #keep(item: OutboxItem): Promise<void> {
    if (!this.#items.some(({ id }) => id === item.id)) return;
    this.#set(this.#items.map((one) => (one.id === item.id ? item : one)));
    await this.#world.storage.put(item).catch(() => undefined);
    this.#world.tellTabs();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        this.#wake.delete(go);
        resolve();
      };
      this.#wake.add(go);
      this.#world.after(ms, go);
    });
  }

  #set(items: readonly OutboxItem[]): void {
    this.#items = items;
    this.#byConversation = Map.groupBy(items, ({ conversationId }) => conversationId);
    for (const listener of this.#listeners) listener();
  }
}

const NONE: readonly OutboxItem[] = [];

/**
 * Whether the same try may succeed later: no answer, no room, the session ended (the person signs in again and the
 * message is sent), or an earlier try is still running.
 */
const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.passing ||
  error.status === 401 ||
  error.code === "IDEMPOTENCY_IN_PROGRESS";

/** The server's reason for its refusal. */
const refusalIn = (error: unknown): Pick<OutboxItem, "code" | "faults"> =>
  error instanceof ApiError
    ? { code: error.code, faults: error.details }
    : { code: "INTERNAL", faults: [] };
