import type { Context } from "../../../context.ts";
import type { EventKind } from "../../../wire/words.ts";
import { readFeed, type FeedPage } from "../../../webhooks/read-feed.ts";

/**
 * How many database connections it may use: one event can wake a thousand streams, and requests must find some
 * free.
 */
const MOST_AT_ONCE = 3;
const PAGE = 100;

/**
 * The reads of all streams of a process: a few at a time, in turn. Streams at the same place share one read, which
 * they can join only before it begins: a running one may have begun before the event that woke the next stream.
 */
export class FeedReads {
  readonly #context: Pick<Context, "db">;
  readonly #next = new Map<string, Promise<FeedPage>>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  constructor(context: Pick<Context, "db">) {
    this.#context = context;
  }

  read(workspaceId: string, after: number, types: readonly EventKind[] | null): Promise<FeedPage> {
    const place = [workspaceId, after, types === null ? "*" : types.toSorted().join(",")].join(" ");
    const joined = this.#next.get(place);
    if (joined) return joined;
    const page = this.#run(place, () =>
      readFeed(this.#context, workspaceId, { after, limit: PAGE, types }),
    );
    this.#next.set(place, page);
    return page;
  }

  async #run(place: string, begin: () => Promise<FeedPage>): Promise<FeedPage> {
    // Always waits a turn, so that all streams that are woken together share one read.
    await this.#turn();
    this.#next.delete(place);
    try {
      return await begin();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy--;
    }
  }

  #turn(): Promise<void> {
    if (this.#busy >= MOST_AT_ONCE) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#busy++;
    return Promise.resolve();
  }
}
