import { Pool, type Dispatcher } from "undici";

/**
 * Connections by origin, forgotten with the last of an origin: customers name ever new ones. The library's own agent
 * keeps an origin whose last call was given up before its answer (a receiver that hangs): 22 KB for each, for good.
 */
export class OriginPools {
  readonly #settings: Pool.Options;
  readonly #pools = new Map<string, Pool>();

  constructor(settings: Pool.Options) {
    this.#settings = settings;
  }

  /** Origins with a connection, or with a call that waits for one. */
  get size(): number {
    return this.#pools.size;
  }

  dispatch(
    origin: string,
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): void {
    const pool = this.#pools.get(origin) ?? this.#open(origin);
    pool.dispatch(options, handler);
  }

  #open(origin: string): Pool {
    const pool = new Pool(origin, this.#settings);
    // Only then is a call that was given up no longer counted.
    const look = () => setImmediate(() => this.#forgetUnused(origin, pool));
    pool.on("disconnect", look).on("connectionError", look);
    this.#pools.set(origin, pool);
    return pool;
  }

  #forgetUnused(origin: string, pool: Pool): void {
    if (pool.stats.connected > 0 || pool.stats.size > 0) return;
    if (this.#pools.get(origin) === pool) this.#pools.delete(origin);
    if (!pool.destroyed) void pool.close();
  }
}
